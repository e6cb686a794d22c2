package org.mavlogd.mcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Measures how much reader and writer allocate. */
class MemoryTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    private static long allocated(Work work) throws IOException {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void writerAllocatesNoMoreForMoreMessages() throws IOException {
        McapWriter writer =
                new McapWriter(Channels.newChannel(OutputStream.nullOutputStream()), McapWriter.Settings.of("", ""));
        for (int i = 0; i < 100; i++) {
            writer.addChannel("topic" + i, McapWriter.NO_SCHEMA, "", Map.of());
        }
        writeMessages(writer, 400_000);

        // 30 MB in 30 chunks, whose index grows.
        assertThat(allocated(() -> writeMessages(writer, 300_000))).isLessThan(4 << 20);
    }

    private static void writeMessages(McapWriter writer, int count) throws IOException {
        byte[] data = new byte[70];
        for (int i = 0; i < count; i++) {
            data[i % 70] = (byte) i;
            writer.message(i % 100, i, i, i, data, 0, data.length);
        }
    }

    @Test
    void readerAllocatesNothingForAMessage() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        McapWriter writer = new McapWriter(Channels.newChannel(out), McapWriter.Settings.of("", ""));
        for (int i = 0; i < 100; i++) {
            writer.addChannel("topic" + i, McapWriter.NO_SCHEMA, "", Map.of());
        }
        writeMessages(writer, 300_000);
        writer.finish();
        byte[] file = out.toByteArray();

        // The buffers and the descriptions of 30 chunks.
        assertThat(allocated(
                        () -> new McapReader(Channels.newChannel(new ByteArrayInputStream(file)), new McapHandler() {})
                                .read()))
                .isLessThan(20 << 20);
    }

    @Test
    void hostileLengthAllocatesNoMoreThanThereIs() throws IOException {
        for (int opcode = 1; opcode <= McapLayout.DATA_END; opcode++) {
            for (long length : new long[] {McapReader.LIMIT_BYTES, Integer.MAX_VALUE, Long.MAX_VALUE, -1}) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                McapWriter writer = new McapWriter(Channels.newChannel(out), McapWriter.Settings.of("", ""));
                assertThat(writer).isNotNull();
                out.write(record(opcode, length));
                out.write(new byte[100]);
                byte[] file = out.toByteArray();

                assertThat(allocated(() -> readOrFail(file)))
                        .as("opcode %d, length %d", opcode, length)
                        .isLessThan(1 << 20);
            }
        }
    }

    @Test
    void chunkThatWouldUncompressBeyondTheLimitIsRefused() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        McapWriter writer = new McapWriter(Channels.newChannel(out), McapWriter.Settings.of("", ""));
        assertThat(writer).isNotNull();
        out.write(record(McapLayout.CHUNK, 40));
        ByteBuffer chunk = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
        chunk.putLong(0).putLong(0).putLong(1L << 40);
        out.write(chunk.array());

        assertThatThrownBy(() -> Contents.of(out.toByteArray()))
                .isInstanceOf(McapException.class)
                .hasMessage("chunk at position 25: uncompressed size 1099511627776 exceeds the limit of 1048576 bytes");
    }

    private static void readOrFail(byte[] file) throws IOException {
        try {
            McapReader.Ending ending =
                    new McapReader(Channels.newChannel(new ByteArrayInputStream(file)), new McapHandler() {}).read();
            assertThat(ending.isComplete()).isFalse();
        } catch (McapException refused) {
            assertThat(refused).hasMessageContaining("length");
        }
    }

    private static byte[] record(int opcode, long length) {
        return ByteBuffer.allocate(McapLayout.RECORD_HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) opcode)
                .putLong(length)
                .array();
    }
}
