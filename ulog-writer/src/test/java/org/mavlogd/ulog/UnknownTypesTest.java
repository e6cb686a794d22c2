package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A message of a type from a later version is skipped, and no adjacent message is lost. */
class UnknownTypesTest {
    private static final int SAMPLES = 40;

    private int samples;
    private int unknown;
    private long damaged;

    static IntStream types() {
        return IntStream.rangeClosed(0x21, 0xFE).filter(type -> type != 0x7F && !MessageType.isKnown(type));
    }

    @ParameterizedTest
    @MethodSource("types")
    void isSkipped(int type) throws IOException {
        for (int chunk : new int[] {1, 7, 100_000}) {
            read(log(type, 2), chunk);

            assertThat(samples).as("chunks of %d", chunk).isEqualTo(SAMPLES);
            assertThat(unknown).isEqualTo(SAMPLES / 10 * 2);
            assertThat(damaged).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0xE7, 0x80, 'z'})
    void garbageOfThatTypeIsFoundOut(int type) throws IOException {
        byte[] log = log(type, 0);
        Random random = new Random(type);
        byte[] garbage = new byte[300];
        random.nextBytes(garbage);
        garbage[0] = 77; // no message ends at this length
        garbage[1] = 0;
        garbage[2] = (byte) type;
        int half = ULogLayout.HEADER_LENGTH + (log.length - ULogLayout.HEADER_LENGTH) / 2;
        int boundary = boundary(log, half);
        byte[] damagedLog = new byte[log.length + garbage.length];
        System.arraycopy(log, 0, damagedLog, 0, boundary);
        System.arraycopy(garbage, 0, damagedLog, boundary, garbage.length);
        System.arraycopy(log, boundary, damagedLog, boundary + garbage.length, log.length - boundary);

        for (int chunk : new int[] {1, 7, 100_000}) {
            read(damagedLog, chunk);

            assertThat(samples).isBetween(SAMPLES - 1, SAMPLES);
            assertThat(damaged).isBetween((long) garbage.length, garbage.length + 20L);
        }
    }

    /** The first end of a message at or after {@code from}. */
    private static int boundary(byte[] log, int from) {
        int at = ULogLayout.HEADER_LENGTH;
        while (at < from) {
            at += ULogLayout.MESSAGE_HEADER_LENGTH + Bytes.uint16(log, at);
        }
        return at;
    }

    private static byte[] log(int type, int inARow) {
        ByteBuffer log = ByteBuffer.allocate(100_000).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(log, 0);
        MessageEncoder.flagBits(log, 0);
        MessageEncoder.format(log, "t:uint64_t timestamp;uint32_t value;");
        MessageEncoder.subscription(log, 0, 0, "t");
        Random random = new Random(type);
        byte[] payload = new byte[30];
        for (int i = 0; i < SAMPLES; i++) {
            byte[] sample = new byte[12];
            Bytes.putInt64(sample, 0, 1_000_000L + i * 1000L);
            MessageEncoder.data(log, 0, sample, 0, sample.length);
            for (int k = 0; i % 10 == 5 && k < inARow; k++) {
                random.nextBytes(payload);
                MessageEncoder.message(log, type, payload, 0, payload.length);
            }
        }
        return Arrays.copyOf(log.array(), log.position());
    }

    private void read(byte[] log, int chunk) throws IOException {
        samples = 0;
        unknown = 0;
        damaged = 0;
        ULogReader reader = new ULogReader(new ULogHandler() {
            @Override
            public void onSample(SampleView sample) {
                samples++;
            }

            @Override
            public void onUnknown(int type, byte[] buffer, int offset, int length) {
                unknown++;
            }

            @Override
            public void onDamage(long position, long length) {
                damaged += length;
            }
        });
        for (int at = 0; at < log.length; at += chunk) {
            reader.feed(log, at, Math.min(chunk, log.length - at));
        }
        reader.finish();
    }
}
