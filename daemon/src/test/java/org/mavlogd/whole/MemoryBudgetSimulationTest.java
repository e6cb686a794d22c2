package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.Requester;
import org.mavlogd.record.LogBytes;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.store.StoreSettings;

/**
 * Foreign senders of everything that is kept in memory get no more than their part of the budget, and a genuine vehicle
 * loses no data, whether it comes before, among or after them.
 */
class MemoryBudgetSimulationTest {
    private static final int MEBI = 1 << 20;
    private static final int KIBI = 1 << 10;
    private static final int CHUNK = 249;
    private static final int BLOCK = 200;
    private static final int GENUINE = 1;
    private static final int FIRST_FORGED = ForgedFleet.FIRST_FORGED;
    private static final int LAST_FORGED = FIRST_FORGED + 39;
    // Header and flag bits.
    private static final int BEGIN_LENGTH = 16 + 43;
    // The rest of the heap of 40 MB.
    private static final long BUDGET = 21 * MEBI;
    // Rings, buffers and garbage that collections leave.
    private static final long TOLERANCE = 2 * MEBI;

    private enum When {
        BEFORE,
        AMONG,
        AFTER
    }

    @TempDir
    Path directory;

    private final MemoryBudget memory = new MemoryBudget(BUDGET);
    private final Random random = new Random(4711);

    private ForgedFleet fleet(StoreSettings.RotationPolicy rotation) {
        return new ForgedFleet(directory, memory, rotation, RecordSettings.BlockFiles.BOTH);
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void blocksWithoutAHeadFromTwentyFourArduPilotsStayWithinTheBudget() {
        try (ForgedFleet fleet = fleet(StoreSettings.RotationPolicy.NEVER)) {
            byte[] noise = noise();
            long before = usedBytes();
            forgedArduPilots(fleet, 24, 5600, noise);

            assertBounded(before);
            assertThat(refused(Requester.STRANGER)).isPositive();
            assertThat(fleet.recordings())
                    .hasSize(24)
                    .allMatch(recording -> recording.problem().isEmpty());
        }
        assertThat(memory.used()).isZero();
    }

    private void forgedArduPilots(ForgedFleet fleet, int vehicles, int blocks, byte[] noise) {
        for (int i = 0; i < vehicles; i++) {
            fleet.appear(FIRST_FORGED + i, Heartbeat.AUTOPILOT_ARDUPILOT);
        }
        for (int number = 0; number < blocks; number++) {
            for (int i = 0; i < vehicles; i++) {
                fleet.block(FIRST_FORGED + i, number, noise, (number * 7 + i * 31) % (noise.length - BLOCK));
            }
        }
    }

    /** Bytes without a record. */
    private byte[] noise() {
        byte[] noise = new byte[64 * KIBI];
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (byte) (1 + random.nextInt(100));
        }
        return noise;
    }

    @Test
    void parametersOfEightVehiclesStayWithinTheBudget() {
        try (ForgedFleet fleet = fleet(StoreSettings.RotationPolicy.NEVER)) {
            long before = usedBytes();
            for (int i = 0; i < 8; i++) {
                forgedParameters(fleet, FIRST_FORGED + i, 4 * MEBI);
            }

            assertBounded(before);
            assertThat(refused(Requester.STRANGER)).isPositive();
            assertThat(fleet.recordings()).hasSize(8).allMatch(recording -> recording.lacksMemory());
        }
        for (int i = 0; i < 8; i++) {
            assertThat(fleet(StoreSettings.RotationPolicy.NEVER).files(FIRST_FORGED + i, ".ulg"))
                    .as("recorded byte for byte")
                    .hasSize(1)
                    .allSatisfy(file -> assertThat(file.length).isGreaterThan(4 * MEBI));
        }
    }

    @Test
    void parametersThatChangeAfterTheDataStayWithinTheBudget() {
        try (ForgedFleet fleet = fleet(StoreSettings.RotationPolicy.NEVER)) {
            long before = usedBytes();
            for (int i = 0; i < 8; i++) {
                int systemId = FIRST_FORGED + i;
                fleet.appear(systemId, Heartbeat.AUTOPILOT_PX4);
                byte[] begin = new byte[16 + 43 + 3];
                ByteBuffer out = header(begin);
                out.putShort((short) 0).put((byte) 'S');
                fleet.chunk(systemId, 0, begin, 0, begin.length, 0);
                parameters(fleet, systemId, 3 * MEBI);
            }

            assertBounded(before);
        }
        assertThat(memory.used()).isZero();
    }

    private void forgedParameters(ForgedFleet fleet, int systemId, int bytes) {
        fleet.appear(systemId, Heartbeat.AUTOPILOT_PX4);
        byte[] begin = new byte[16 + 43];
        header(begin);
        fleet.chunk(systemId, 0, begin, 0, begin.length, 0);
        parameters(fleet, systemId, bytes);
    }

    private static ByteBuffer header(byte[] begin) {
        ByteBuffer out = ByteBuffer.wrap(begin).order(ByteOrder.LITTLE_ENDIAN);
        out.put(new byte[] {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1}).putLong(1);
        return out.putShort((short) 40).put((byte) 'B').put(new byte[40]);
    }

    /** Parameters as small as possible: {@code float 1a2b}. */
    private static void parameters(ForgedFleet fleet, int systemId, int bytes) {
        byte[] chunk = new byte[CHUNK];
        int name = 0;
        for (int sent = 0, sequence = 1; sent < bytes; sequence++) {
            ByteBuffer out = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
            while (out.remaining() >= 24) {
                byte[] key = ("float " + Integer.toString(name++, 36)).getBytes(StandardCharsets.US_ASCII);
                out.putShort((short) (1 + key.length + 4)).put((byte) 'P').put((byte) key.length);
                out.put(key).putFloat(1);
            }
            fleet.chunk(systemId, sequence & 0xFFFF, chunk, 0, out.position(), 0);
            sent += out.position();
        }
    }

    @Test
    void formatsAndSubscriptionsStayWithinTheBudget() {
        try (ForgedFleet fleet = fleet(StoreSettings.RotationPolicy.NEVER)) {
            long before = usedBytes();
            for (int i = 0; i < 12; i++) {
                forgedTopics(fleet, FIRST_FORGED + i, 20_000);
            }

            assertBounded(before);
        }
        assertThat(memory.used()).isZero();
    }

    private void forgedTopics(ForgedFleet fleet, int systemId, int count) {
        fleet.appear(systemId, Heartbeat.AUTOPILOT_PX4);
        byte[] chunk = new byte[CHUNK];
        header(chunk);
        fleet.chunk(systemId, 0, chunk, 0, 16 + 43, 0);
        for (int i = 0; i < count; i++) {
            byte[] name = String.format("t%0100d", i).getBytes(StandardCharsets.US_ASCII);
            byte[] fields = ":uint64_t timestamp;".getBytes(StandardCharsets.US_ASCII);
            ByteBuffer out = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
            out.putShort((short) (name.length + fields.length)).put((byte) 'F');
            out.put(name).put(fields);
            out.putShort((short) (name.length + 3)).put((byte) 'A');
            out.put((byte) 0).putShort((short) i).put(name);
            fleet.chunk(systemId, i + 1 & 0xFFFF, chunk, 0, out.position(), 0);
        }
    }

    @ParameterizedTest
    @EnumSource(When.class)
    void aPx4KeepsItsHeadBesideForgedArduPilots(When when) {
        byte[] log = definitions(SyntheticLog.make(7, 300 * KIBI), 90 * KIBI);
        int[] boundaries = boundaries(log);
        StoreSettings.RotationPolicy rotation = new StoreSettings.RotationPolicy(250 * KIBI, TimeUnit.DAYS.toNanos(1));
        byte[] noise = noise();
        try (ForgedFleet fleet = fleet(rotation)) {
            if (when == When.AFTER) {
                forgedArduPilots(fleet, 24, 1500, noise);
            }
            fleet.appear(GENUINE, Heartbeat.AUTOPILOT_PX4);
            int half = log.length / 2 / CHUNK * CHUNK;
            stream(fleet, log, boundaries, 0, half);
            if (when == When.BEFORE) {
                stream(fleet, log, boundaries, half, log.length);
                forgedArduPilots(fleet, 24, 1500, noise);
            } else if (when == When.AMONG) {
                forgedArduPilots(fleet, 24, 1500, noise);
                stream(fleet, log, boundaries, half, log.length);
            } else {
                stream(fleet, log, boundaries, half, log.length);
            }
            assertThat(fleet.recordings())
                    .filteredOn(recording -> recording.systemId() == GENUINE)
                    .hasSize(1)
                    .noneMatch(recording -> recording.lacksMemory());
            assertThat(fleet.lostInRing()).isZero();
        }

        assertNothingIsMissing(log);
    }

    private void assertNothingIsMissing(byte[] log) {
        List<String> definitions = messages(log, "F");
        List<String> data = new ArrayList<>();
        ForgedFleet reader = fleet(StoreSettings.RotationPolicy.NEVER);
        List<byte[]> files = reader.files(GENUINE, ".ulg");
        assertThat(files).hasSizeGreaterThan(1);
        for (byte[] file : files) {
            assertThat(new TreeSet<>(messages(file, "F"))).isEqualTo(new TreeSet<>(definitions));
            assertThat(messages(file, "P").size()).isGreaterThanOrEqualTo(40);
            data.addAll(messages(file, "D"));
        }
        assertThat(data).isEqualTo(messages(log, "D"));
    }

    /** Makes the definitions as long as a PX4's with additional infos. */
    private static byte[] definitions(byte[] log, int more) {
        ByteBuffer out = ByteBuffer.allocate(log.length + more + 300).order(ByteOrder.LITTLE_ENDIAN);
        out.put(log, 0, 16 + 43);
        for (int i = 0; out.position() < more; i++) {
            byte[] key = ("char[200] info" + i).getBytes(StandardCharsets.US_ASCII);
            out.putShort((short) (1 + key.length + 200)).put((byte) 'I').put((byte) key.length);
            out.put(key).put(new byte[200]);
        }
        out.put(log, 16 + 43, log.length - 16 - 43);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static int[] boundaries(byte[] log) {
        List<Integer> boundaries = new ArrayList<>(List.of(0));
        ByteBuffer in = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 16; at < log.length; at += 3 + (in.getShort(at) & 0xFFFF)) {
            boundaries.add(at);
        }
        return boundaries.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<String> messages(byte[] log, String type) {
        List<String> messages = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 16; at + 3 <= log.length; at += 3 + (in.getShort(at) & 0xFFFF)) {
            if (log[at + 2] == type.charAt(0)) {
                int length = 3 + (in.getShort(at) & 0xFFFF);
                messages.add(new String(log, at, length, StandardCharsets.ISO_8859_1));
            }
        }
        return messages;
    }

    private static void stream(ForgedFleet fleet, byte[] log, int[] boundaries, int from, int to) {
        for (int at = from; at < to; at += CHUNK) {
            int length = Math.min(CHUNK, to - at);
            int next = Arrays.binarySearch(boundaries, at);
            next = next < 0 ? -next - 1 : next;
            boolean begins = next < boundaries.length && boundaries[next] < at + length;
            fleet.chunk(GENUINE, at / CHUNK, log, at, length, begins ? boundaries[next] - at : 255);
        }
    }

    /** More forged vehicles than places, and some that use the rest of the strangers' part. */
    @Test
    void aPx4ThatNobodyKnowsIsRecordedByteForByteBesideThirtySixForgedOnes() {
        byte[] log = definitions(SyntheticLog.make(7, 300 * KIBI), 90 * KIBI);
        byte[] hostile = hostileDefinitions();
        try (ForgedFleet fleet = fleet(StoreSettings.RotationPolicy.NEVER)) {
            for (int i = 0; i < 36; i++) {
                forgedParameters(fleet, FIRST_FORGED + i, i < 8 ? 3 * MEBI : 0);
            }
            MemoryBudget.Part strangers = memory.part(Requester.STRANGER);
            assertThat(strangers.limit() - strangers.used()).isLessThan(64 * KIBI);
            fleet.appear(LAST_FORGED, Heartbeat.AUTOPILOT_PX4);
            fleet.chunk(LAST_FORGED, 0, hostile, 0, BEGIN_LENGTH, 0);
            fleet.appear(GENUINE, Heartbeat.AUTOPILOT_PX4);
            stream(fleet, log, boundaries(log), 0, log.length);
            assertThat(fleet.recordings())
                    .filteredOn(recording -> recording.systemId() == GENUINE)
                    .hasSize(1)
                    .allMatch(recording -> recording.problem().isEmpty() && recording.lacksMemory());
            assertThat(fleet.lostInRing()).isZero();

            for (int second = 0; second < 100; second++) {
                fleet.advance(TimeUnit.SECONDS.toNanos(1));
                fleet.chunk(LAST_FORGED, 1 + second, hostile, BEGIN_LENGTH, 0, 255);
            }
            assertThat(fleet.recordings()).as("the others are silent").hasSize(1);
            fleet.chunk(LAST_FORGED, 101, hostile, BEGIN_LENGTH, hostile.length - BEGIN_LENGTH, 0);
            assertThat(fleet.recordings()).hasSize(1);
        }

        assertThat(fleet(StoreSettings.RotationPolicy.NEVER).files(GENUINE, ".ulg"))
                .singleElement()
                .satisfies(file -> assertThat(LogBytes.fromVehicle(file)).isEqualTo(log));
        assertThat(fleet(StoreSettings.RotationPolicy.NEVER).files(LAST_FORGED, ".ulg"))
                .singleElement()
                .satisfies(file -> assertThat(LogBytes.fromVehicle(file)).isEqualTo(hostile));
    }

    /** Bytes inside a message look like the start of a format without an end; then the first subscription. */
    private static byte[] hostileDefinitions() {
        byte[] log = new byte[BEGIN_LENGTH + 3 + 40 + 3 + 4];
        ByteBuffer out = header(log);
        byte[] info = new byte[40];
        info[13] = (byte) 0xFF;
        info[14] = (byte) 0xFF;
        info[15] = 'F';
        out.putShort((short) info.length).put((byte) 'I').put(info);
        out.putShort((short) 4)
                .put((byte) 'A')
                .put((byte) 0)
                .putShort((short) 7)
                .put((byte) 'x');
        return log;
    }

    @ParameterizedTest
    @EnumSource(When.class)
    void aKnownArduPilotKeepsBothItsFilesBesideForgedOnes(When when) {
        memory.known(GENUINE);
        byte[] log = DataFlashBytes.make(3, 600 * KIBI / BLOCK * BLOCK, 50_000);
        log = Arrays.copyOf(log, log.length / BLOCK * BLOCK);
        byte[] noise = noise();
        try (ForgedFleet fleet = fleet(StoreSettings.RotationPolicy.NEVER)) {
            if (when == When.AFTER) {
                forgedArduPilots(fleet, 24, 1500, noise);
            }
            fleet.appear(GENUINE, Heartbeat.AUTOPILOT_ARDUPILOT);
            int half = log.length / 2 / BLOCK;
            drive(fleet, log, 0, half);
            if (when == When.AMONG) {
                forgedArduPilots(fleet, 24, 1500, noise);
            }
            drive(fleet, log, half, log.length / BLOCK);
            if (when == When.BEFORE) {
                forgedArduPilots(fleet, 24, 1500, noise);
            }
            assertThat(fleet.recordings())
                    .filteredOn(recording -> recording.systemId() == GENUINE)
                    .hasSize(2)
                    .noneMatch(recording -> recording.lacksMemory());
            assertThat(fleet.lostInRing()).isZero();
        }

        ForgedFleet reader = fleet(StoreSettings.RotationPolicy.NEVER);
        assertThat(reader.files(GENUINE, ".bin")).containsExactly(log);
        assertThat(reader.files(GENUINE, ".ulg")).hasSize(1);
    }

    @Test
    void anArduPilotThatNobodyKnowsKeepsItsBlocksBesideForgedOnes() {
        byte[] log = DataFlashBytes.make(3, 400 * KIBI / BLOCK * BLOCK, 50_000);
        log = Arrays.copyOf(log, log.length / BLOCK * BLOCK);
        byte[] noise = noise();
        try (ForgedFleet fleet = fleet(StoreSettings.RotationPolicy.NEVER)) {
            forgedArduPilots(fleet, 24, 1500, noise);
            fleet.appear(GENUINE, Heartbeat.AUTOPILOT_ARDUPILOT);
            drive(fleet, log, 0, log.length / BLOCK);
            assertThat(fleet.lostInRing()).isZero();
        }

        assertThat(fleet(StoreSettings.RotationPolicy.NEVER).files(GENUINE, ".bin"))
                .containsExactly(log);
    }

    private static void drive(ForgedFleet fleet, byte[] log, int from, int to) {
        for (int number = from; number < to; number++) {
            fleet.block(GENUINE, number, log, number * BLOCK);
            if (number % 10 == 0) {
                fleet.advance(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private void assertBounded(long before) {
        long grown = usedBytes() - before;
        assertThat(memory.used()).isLessThanOrEqualTo(memory.bytes());
        assertThat(grown)
                .as("heap that grew, with %d bytes reserved", memory.used())
                .isLessThan(memory.used() + TOLERANCE);
    }

    private long refused(Requester requester) {
        return memory.part(requester).refused();
    }
}
