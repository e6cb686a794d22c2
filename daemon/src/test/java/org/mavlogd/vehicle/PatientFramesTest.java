package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.MessageIds;

/** Runs the filter program as the kernel does, on frames of vehicles and on other bytes. */
class PatientFramesTest {
    private static final int ROUNDS = 100_000;
    private static final int SIGNATURE_LENGTH = 13;
    private static final int GPS_RAW_INT = 24;
    private static final int ATTITUDE = 30;
    private static final int DISTANCE_SENSOR = 132;
    private static final int[] IDS = {
        MessageIds.LOGGING_DATA,
        MessageIds.LOGGING_DATA_ACKED,
        MessageIds.LOGGING_ACK,
        MessageIds.HEARTBEAT,
        MessageIds.TIMESYNC,
        MessageIds.REMOTE_LOG_DATA_BLOCK,
        ATTITUDE,
        DISTANCE_SENSOR,
        GPS_RAW_INT,
    };

    private final PatientFrames rule =
            PatientFrames.butTimed(1, IntStream.range(0, 400).toArray());
    private final PatientFrames wide = PatientFrames.butTimed(1, new int[] {GPS_RAW_INT, MessageIds.HEARTBEAT});
    private final Random random = new Random(seed());

    private static long seed() {
        long seed = Long.getLong("mavlogd.seed", System.nanoTime());
        System.out.println("PatientFramesTest: seed " + seed);
        return seed;
    }

    private byte[] frame(int messageId, int systemId, int sequence, boolean isSigned) {
        byte[] payload = new byte[255];
        random.nextBytes(payload);
        payload[0] = (byte) sequence;
        payload[1] = (byte) (sequence >>> Byte.SIZE);
        payload[254] = 1; // the encoder cuts trailing zeros
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH + SIGNATURE_LENGTH];
        int length = new FrameEncoder(1).encode(systemId, messageId, payload, 6 + random.nextInt(250), frame, 0);
        if (isSigned) {
            frame[2] |= 1;
            length += SIGNATURE_LENGTH;
        }
        return Arrays.copyOf(frame, length);
    }

    @Test
    void oneWholeFrameThatNobodyAnswersWaitsAndNothingElse() {
        for (int i = 0; i < ROUNDS; i++) {
            int id = IDS[random.nextInt(IDS.length)];
            byte[] frame = frame(id, random.nextInt(256), random.nextInt(1 << 16), random.nextBoolean());

            boolean isTelemetry = id == ATTITUDE || id == DISTANCE_SENSOR || id == MessageIds.LOGGING_ACK;
            boolean isLogData = id == MessageIds.LOGGING_DATA;
            assertThat(verdict(rule, frame)).as("id %d of %d", id, frame.length).isEqualTo(isLogData ? 1 : 0);
            assertThat(rule.isBulk(frame, frame.length)).isEqualTo(isLogData);
            assertThat(verdict(wide, frame)).isEqualTo(isLogData || isTelemetry ? 1 : 0);
            assertThat(wide.isBulk(frame, frame.length)).isEqualTo(isLogData || isTelemetry);
            byte[] cut = Arrays.copyOf(frame, random.nextInt(frame.length));
            byte[] two = join(frame, frame(MessageIds.LOGGING_DATA, 1, 1, random.nextBoolean()));
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            if (noise.length > 1) {
                noise[1] = (byte) noise.length; // so that it is no complete frame by chance
            }
            for (PatientFrames each : List.of(rule, wide)) {
                assertThat(verdict(each, cut)).isZero();
                assertThat(verdict(each, two)).isZero();
                assertThat(verdict(each, noise)).isZero();
                assertThat(each.isBulk(cut, cut.length)).isFalse();
                assertThat(each.isBulk(two, two.length)).isFalse();
                assertThat(each.isBulk(noise, noise.length)).isFalse();
            }
        }
    }

    @Test
    void anAcknowledgedChunkHasItsPlaceByItsNumber() {
        for (int i = 0; i < ROUNDS; i++) {
            int number = random.nextInt(1 << 16);
            int distance = 1 + random.nextInt(0x7FFF);
            byte[] woke = frame(MessageIds.LOGGING_DATA_ACKED, 1, number, random.nextBoolean());
            byte[] before = frame(MessageIds.LOGGING_DATA, 1, number - distance, random.nextBoolean());
            byte[] behind = frame(MessageIds.LOGGING_DATA, 1, number + distance, random.nextBoolean());
            byte[] telemetry = frame(ATTITUDE, 1, number + distance, random.nextBoolean());
            assertThat(wide.order(telemetry, telemetry.length, woke, 0)).isZero();
            byte[] other = frame(MessageIds.LOGGING_DATA, 2, number + distance, random.nextBoolean());

            assertThat(rule.place(woke, woke.length)).isZero();
            assertThat(rule.isPacked(woke, woke.length)).isFalse();
            assertThat(rule.isBulk(woke, woke.length)).isFalse();
            assertThat(rule.isBulk(behind, behind.length)).isTrue();
            assertThat(rule.order(before, before.length, woke, 0)).isNegative();
            assertThat(rule.order(behind, behind.length, woke, 0)).isPositive();
            assertThat(rule.order(other, other.length, woke, 0)).isZero();
        }
        byte[] heartbeat = frame(MessageIds.HEARTBEAT, 1, 0, false);
        assertThat(rule.place(heartbeat, heartbeat.length)).isNegative();
        assertThat(rule.place(heartbeat, 0)).isNegative();
    }

    /** Alone or among others: the chunks that came before must not find their log ended. */
    @Test
    void answersAndTimesSinceBootMayEndALog() {
        for (int id : new int[] {MessageIds.COMMAND_ACK, MessageIds.SYSTEM_TIME}) {
            byte[] end = frame(id, 1, 7, random.nextBoolean());
            byte[] pack = join(frame(ATTITUDE, 1, 9, random.nextBoolean()), end);

            assertThat(rule.mayEnd(end, end.length)).isTrue();
            assertThat(rule.mayEnd(pack, pack.length)).isTrue();
            assertThat(rule.mayEnd(end, 8)).isFalse();
        }
        byte[] heartbeat = frame(MessageIds.HEARTBEAT, 1, 0, false);
        assertThat(rule.mayEnd(heartbeat, heartbeat.length)).isFalse();
        assertThat(rule.mayEnd(heartbeat, 0)).isFalse();
    }

    /** Routers may put several frames into one datagram, and log data need not be the first. */
    @Test
    void logDataInsideADatagramHasItsPlaceByItsNumber() {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] first = frame(random.nextBoolean() ? ATTITUDE : MessageIds.HEARTBEAT, 1, 7, random.nextBoolean());
            int number = random.nextInt(1 << 16);
            byte[] data = frame(MessageIds.LOGGING_DATA, 1, number, random.nextBoolean());
            byte[] last = frame(ATTITUDE, 1, 9, random.nextBoolean());
            byte[] pack = join(join(first, data), last);
            byte[] before = frame(MessageIds.LOGGING_DATA, 1, number - 1, random.nextBoolean());
            byte[] behind = frame(MessageIds.LOGGING_DATA, 1, number + 1, random.nextBoolean());

            assertThat(rule.place(pack, pack.length)).isEqualTo(first.length);
            assertThat(rule.isPacked(pack, pack.length)).isTrue();
            assertThat(rule.order(before, before.length, pack, first.length)).isNegative();
            assertThat(rule.order(behind, behind.length, pack, first.length)).isPositive();
            assertThat(rule.isPacked(join(data, last), data.length + last.length))
                    .isTrue();
            assertThat(rule.isPacked(join(first, last), first.length + last.length))
                    .isFalse();
            assertThat(rule.isPacked(data, data.length)).isFalse();
            byte[] cut = Arrays.copyOf(pack, random.nextInt(first.length + 11));
            assertThat(rule.place(cut, cut.length)).isNegative();
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            int place = rule.place(noise, noise.length);
            assertThat(place).isLessThan(noise.length);
        }
    }

    private static byte[] join(byte[] one, byte[] two) {
        return ByteBuffer.allocate(one.length + two.length).put(one).put(two).array();
    }

    /**
     * Interprets the classic BPF instructions that the program uses; a load beyond the end gives 0, as in the kernel.
     */
    private static int verdict(PatientFrames rule, byte[] datagram) {
        long[] program = rule.program();
        int a = 0;
        int x = 0;
        for (int at = 0; ; at++) {
            int code = (int) (program[at] >>> 48);
            int k = (int) program[at];
            int width = code == 0x28 ? 2 : 1;
            if ((code == 0x28 || code == 0x30) && k + width > datagram.length) {
                return 0;
            }
            switch (code) {
                case 0x30 -> a = datagram[k] & 0xFF;
                case 0x28 -> a = (datagram[k] & 0xFF) << 8 | (datagram[k + 1] & 0xFF);
                case 0x80 -> a = datagram.length;
                case 0x15 -> at += a == k ? (int) (program[at] >>> 40) & 0xFF : (int) (program[at] >>> 32) & 0xFF;
                case 0x1d -> at += a == x ? (int) (program[at] >>> 40) & 0xFF : (int) (program[at] >>> 32) & 0xFF;
                case 0x54 -> a &= k;
                case 0x24 -> a *= k;
                case 0x04 -> a += k;
                case 0x0c -> a += x;
                case 0x07 -> x = a;
                case 0x06 -> {
                    return k;
                }
                default -> throw new IllegalStateException("code " + code + " at " + at);
            }
        }
    }
}
