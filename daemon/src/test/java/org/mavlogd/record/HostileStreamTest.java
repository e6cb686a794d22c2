package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.record.order.ChunkAssembler;
import org.mavlogd.record.order.MessageTimes;
import org.mavlogd.record.order.TopicLagTracker;

/** A made-up stream can occupy only a bounded amount of the recorder's memory, and nothing throws. */
class HostileStreamTest {
    private static final int MEBI = 1 << 20;
    private static final int CHUNK_LENGTH = 249;

    /** Reads times as the recorder does. */
    private static final class Reader implements ChunkAssembler.Output {
        private final MessageTimes times = new MessageTimes(MemoryShare.unlimited());
        private final TopicLagTracker lags = new TopicLagTracker();
        private final LogHead head = new LogHead(MemoryShare.unlimited());
        private long messages;
        private long discarded;

        @Override
        public void onHeader(DirectBuffer buffer, int offset) {
            head.onHeader(buffer, offset);
        }

        @Override
        public void onMessage(DirectBuffer buffer, int offset, int length) {
            messages++;
            head.onMessage(buffer, offset, length);
            switch (buffer.getByte(offset + 2)) {
                case 'F', 'A' -> times.onMessage(buffer, offset, length);
                case 'D' -> {
                    if (times.isSubscribed(buffer, offset, length)) {
                        lags.learn(MessageTimes.topic(buffer, offset), times.timestampUs(buffer, offset, length));
                    }
                }
                default -> {}
            }
        }

        @Override
        public void onDiscarded(int bytes) {
            discarded += bytes;
        }

        @Override
        public void onContradiction() {}
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void endlessDefinitionsFillNoMemory() {
        Reader reader = new Reader();
        UnsafeBuffer message = new UnsafeBuffer(new byte[1024]);
        long before = usedBytes();

        for (int i = 0; i < 200_000; i++) {
            String name = i + "x".repeat(240);
            format(reader, message, name + ":uint64_t timestamp;");
            subscription(reader, message, i & 0xFFFF, name);
        }
        long kept = usedBytes() - before;

        // The head of later files is limited to 8 MiB, in a buffer that doubles.
        assertThat(kept).isLessThan(32 * MEBI);
        assertThat(reader.head.length()).isLessThanOrEqualTo(8 * MEBI);
        assertThat(reader.messages).isEqualTo(400_000);
    }

    private static void format(Reader reader, UnsafeBuffer message, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        message.putShort(0, (short) bytes.length, ByteOrder.LITTLE_ENDIAN);
        message.putByte(2, (byte) 'F');
        message.putBytes(3, bytes);
        reader.onMessage(message, 0, 3 + bytes.length);
    }

    private static void subscription(Reader reader, UnsafeBuffer message, int id, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        message.putShort(0, (short) (3 + bytes.length), ByteOrder.LITTLE_ENDIAN);
        message.putByte(2, (byte) 'A');
        message.putByte(3, (byte) 0);
        message.putShort(4, (short) id, ByteOrder.LITTLE_ENDIAN);
        message.putBytes(6, bytes);
        reader.onMessage(message, 0, 6 + bytes.length);
    }

    @Test
    void randomChunksNeitherThrowNorFillMemory() {
        Reader reader = new Reader();
        ChunkAssembler assembler = new ChunkAssembler(reader, MemoryShare.unlimited());
        Random random = new Random(4711);
        byte[] bytes = new byte[CHUNK_LENGTH];
        UnsafeBuffer chunk = new UnsafeBuffer(bytes);
        long before = usedBytes();

        for (int i = 0; i < 300_000; i++) {
            random.nextBytes(bytes);
            if (i % 2 == 0) {
                // Short messages of the types that the recorder reads.
                bytes[0] = (byte) random.nextInt(64);
                bytes[1] = 0;
                bytes[2] = (byte) "FADLSO".charAt(random.nextInt(6));
            }
            if (random.nextInt(10) == 0) {
                assembler.onGap();
            }
            int length = random.nextInt(CHUNK_LENGTH + 1);
            assembler.onChunk(chunk, 0, length, random.nextInt(3) == 0 ? 0 : random.nextInt(256));
        }
        assembler.onEnd();

        assertThat(usedBytes() - before).isLessThan(32 * MEBI);
        assertThat(reader.messages).isPositive();
        assertThat(reader.discarded).isPositive();
    }
}
