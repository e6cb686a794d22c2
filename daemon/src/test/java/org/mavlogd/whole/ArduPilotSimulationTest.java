package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.store.FakeDisk;

/**
 * Flights of an ArduPilot, each with a log, link and events given by its seed. In every flight each block is stored in
 * its place exactly once or counted as missing, and acknowledged blocks are stored.
 *
 * <p>To fly one again: {@code -Dtest=ArduPilotSimulationTest -Dmavlogd.seed=4711}; more: {@code -Dmavlogd.seeds=10000}.
 */
class ArduPilotSimulationTest {
    private static final int BATCH = 50;
    private static final int BLOCK = 200;
    private static final int SEEDS = Integer.getInteger("mavlogd.seeds", 100);
    private static final int RESTART_SEEDS = Integer.getInteger("mavlogd.seeds", 50);
    private static final long ONLY_SEED = Long.getLong("mavlogd.seed", -1);

    static LongStream batches() {
        return ONLY_SEED >= 0
                ? LongStream.of(ONLY_SEED)
                : LongStream.iterate(0, i -> i + BATCH).limit(SEEDS / BATCH);
    }

    @ParameterizedTest(name = "seeds from {0}")
    @MethodSource("batches")
    void eachBlockIsStoredOnceOrCounted(long firstSeed) {
        long count = ONLY_SEED >= 0 ? 1 : BATCH;
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            fly(seed);
        }
    }

    private static void fly(long seed) {
        Random random = new Random(seed);
        int rate = 5_000 + random.nextInt(60_000);
        DataFlashImage log = DataFlashImage.of(DataFlashBytes.make(seed, 100_000 + random.nextInt(300_000), rate));
        ArduPilotFlight flight = new ArduPilotFlight(
                WholeRecorder.Setup.plain(), log, vehicle(random), channel(random, seed), channel(random, seed + 1));
        for (int event = random.nextInt(4); event > 0; event--) {
            flight.runFor((500 + random.nextInt(4000)) * MILLISECOND_NS);
            happen(flight, random);
        }
        flight.runFor((2 + random.nextInt(8)) * SECOND_NS);
        if (flight.vehicle().isArmed()) {
            flight.vehicle().disarm(flight.nowNs());
            flight.runFor(2 * SECOND_NS);
        }
        flight.finish(10 * SECOND_NS);

        check(seed, flight, true);
        checkULogs(seed, flight);
    }

    static LongStream restartBatches() {
        return ONLY_SEED >= 0
                ? LongStream.of(ONLY_SEED)
                : LongStream.iterate(0, i -> i + BATCH).limit(RESTART_SEEDS / BATCH);
    }

    /** Normal ends and new starts among other events: no acknowledged block is missing. */
    @ParameterizedTest(name = "seeds from {0}")
    @MethodSource("restartBatches")
    void eachBlockIsStoredOnceOrCountedOverRestarts(long firstSeed) {
        long count = ONLY_SEED >= 0 ? 1 : BATCH;
        long resumed = 0;
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            resumed += flyWithRestarts(seed);
        }
        assertThat(resumed).as("logs that went on").isGreaterThanOrEqualTo(count / 2);
    }

    /** Returns how often a run continued the log of the previous run. */
    private static long flyWithRestarts(long seed) {
        Random random = new Random(1_000_000 + seed);
        DataFlashImage log = DataFlashImage.of(
                DataFlashBytes.make(seed, 100_000 + random.nextInt(300_000), 5_000 + random.nextInt(60_000)));
        ArduPilotFlight flight = new ArduPilotFlight(
                WholeRecorder.Setup.plain(), log, vehicle(random), channel(random, seed), channel(random, seed + 1));
        long resumed = 0;
        for (int event = 0; event < 4; event++) {
            flight.runFor((500 + random.nextInt(4000)) * MILLISECOND_NS);
            if (random.nextBoolean()) {
                happen(flight, random);
            }
            flight.runFor(random.nextInt(3000) * MILLISECOND_NS);
            flight.finish(10 * SECOND_NS);
            resumed += (long) flight.recorder().metric("ardupilot_resumed_sessions");
            flight.runFor(random.nextInt(14_000) * MILLISECOND_NS);
            flight.restart();
        }
        flight.runFor(6 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        check(seed, flight, true);
        return resumed;
    }

    private static ArduPilotSettings vehicle(Random random) {
        return ArduPilotSettings.builder()
                .isMavlink1(random.nextInt(3) == 0)
                .logsDisarmed(random.nextInt(5) > 0)
                .bufferKb(1 + random.nextInt(53))
                .loops(random.nextBoolean())
                .bootText(random.nextInt(5) == 0)
                .rebootNs((50 + random.nextInt(4000)) * MILLISECOND_NS)
                .build();
    }

    private static LossySettings channel(Random random, long seed) {
        LossySettings settings = LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed)
                .withDelayNs((1 + random.nextInt(20)) * MILLISECOND_NS);
        if (random.nextInt(4) > 0) {
            settings = settings.withLoss(random.nextInt(15), 1 + random.nextInt(5));
        }
        if (random.nextInt(2) > 0) {
            settings = settings.withDuplicates(random.nextInt(10));
        }
        if (random.nextInt(2) > 0) {
            settings = settings.withReordering(random.nextInt(10), 1 + random.nextInt(14), 10 * MILLISECOND_NS);
        }
        return random.nextInt(3) > 0 ? settings : settings.withCorruption(random.nextInt(5));
    }

    private static void happen(ArduPilotFlight flight, Random random) {
        switch (random.nextInt(6)) {
            case 0 -> flight.vehicle().reboot(flight.nowNs());
            case 1 -> {
                flight.cut(true, true);
                flight.runFor(random.nextInt(16_000) * MILLISECOND_NS);
                flight.cut(false, false);
            }
            case 2 -> {
                flight.cut(false, true); // the vehicle receives nothing
                flight.runFor(random.nextInt(16_000) * MILLISECOND_NS);
                flight.cut(false, false);
            }
            case 3 -> flight.vehicle().arm(flight.nowNs());
            case 4 -> {
                if (flight.vehicle().isArmed()) {
                    flight.vehicle().disarm(flight.nowNs());
                }
            }
            default -> flight.vehicle().statusElsewhere(2_147_483_645L, 255, 190, flight.nowNs());
        }
    }

    /** Each file is one log, block by block, with fillers only for blocks that were not acknowledged. */
    private static void check(long seed, ArduPilotFlight flight, boolean isAckBinding) {
        List<byte[]> files = flight.files();
        List<BlockTruth.Log> logs = flight.truth().logs();
        assertThat(flight.truth().nacksBeforeArrival()).as("seed %d", seed).isZero();
        long fillers = 0;
        int next = 0;
        for (int i = 0; i < logs.size(); i++) {
            BlockTruth.Log log = logs.get(i);
            byte[] file = next < files.size() ? files.get(next) : new byte[0];
            if (!isOf(file, log, flight.truth())) {
                assertThat(isAckBinding ? log.acked() : List.of())
                        .as("seed %d, log %d of %d has no file", seed, i, logs.size())
                        .isEmpty();
                continue;
            }
            next++;
            if (next < files.size() && isOf(files.get(next), log, flight.truth())) {
                // Its start was repeated when it could have been the start of a new log: earlier blocks are in their
                // own file.
                fillers += check(seed, i, file, flight.truth(), Set.of());
                log.acked().removeAll(numbers(file));
                file = files.get(next++);
            }
            fillers += check(seed, i, file, flight.truth(), isAckBinding ? log.acked() : Set.of());
        }
        assertThat(next).as("files of seed %d that are logs", seed).isEqualTo(files.size());
        assertThat(flight.lost()).as("seed %d, blocks counted as lost", seed).isEqualTo((double) fillers);
    }

    /**
     * Each file has its ULog, with every record of the received blocks, and a dropout for blocks that never arrived.
     */
    private static void checkULogs(long seed, ArduPilotFlight flight) {
        List<byte[]> ulogs = new ArrayList<>(flight.ulogs());
        for (byte[] file : flight.files()) {
            Mapped expected = mapped(withGaps(file));
            if (expected.sampleCount() == 0) {
                continue; // the blocks cannot be interpreted
            }
            List<Mapped> live = liveParts(seed, expected, ulogs);
            assertThat(joined(live)).as("seed %d", seed).isEqualTo(expected.samples());
            // The duration of a gap before all other data is unknown.
            List<Integer> dropouts = expected.dropouts();
            List<Integer> marked =
                    live.stream().flatMap(part -> part.dropouts().stream()).toList();
            int unknown = dropouts.size() - marked.size();
            assertThat(unknown).as("seed %d: dropouts %s", seed, dropouts).isBetween(0, 1);
            assertThat(marked)
                    .as("seed %d", seed)
                    .isEqualTo(dropouts.subList(unknown, dropouts.size()).stream()
                            .map(durationMs -> Math.max(1, durationMs))
                            .toList());
        }
        assertThat(ulogs).as("seed %d", seed).isEmpty();
        assertThat(flight.recorder().metric("contained_errors")).isZero();
    }

    /** One file, or several if formats came late: those are in the next file, never in a file before their samples. */
    private static List<Mapped> liveParts(long seed, Mapped expected, List<byte[]> ulogs) {
        Set<String> topics = expected.samples().keySet().stream()
                .map(series -> series.substring(0, series.lastIndexOf(':')))
                .collect(Collectors.toSet());
        List<Mapped> parts = new ArrayList<>();
        do {
            assertThat(ulogs).as("seed %d: ULogs left", seed).isNotEmpty();
            parts.add(read(ulogs.remove(0)));
        } while (!parts.get(parts.size() - 1).formatNames().containsAll(topics));
        return parts;
    }

    private static Map<String, List<Map<String, Object>>> joined(List<Mapped> parts) {
        Map<String, List<Map<String, Object>>> all = new TreeMap<>();
        for (Mapped part : parts) {
            part.samples()
                    .forEach((series, samples) -> all.computeIfAbsent(series, any -> new ArrayList<>())
                            .addAll(samples));
        }
        return all;
    }

    /** Makes gaps so long that no record reaches across, whatever is on both sides. */
    private static byte[] withGaps(byte[] file) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int number = 0; number < file.length / BLOCK; number++) {
            byte[] block = block(file, number);
            out.writeBytes(isFiller(block, number) ? new byte[5 * BLOCK] : block);
        }
        return out.toByteArray();
    }

    private static Mapped mapped(byte[] dataFlash) {
        try {
            return Mapped.of(dataFlash, ULogMapper.Values.RAW, 4096);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Mapped read(byte[] ulog) {
        try {
            return Mapped.read(ulog);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOf(byte[] file, BlockTruth.Log log, BlockTruth truth) {
        return file.length >= BLOCK && log.count() > 0 && isAsSent(block(file, 0), 0, log, truth);
    }

    /** Also accepts a block that the link falsified, which a recorder cannot detect. */
    private static boolean isAsSent(byte[] block, long number, BlockTruth.Log log, BlockTruth truth) {
        boolean isGenuine = number < log.count() && Arrays.equals(block, log.block((int) number));
        return isGenuine || truth.isFalsified(number, block);
    }

    private static long check(long seed, int index, byte[] file, BlockTruth truth, Set<Long> acked) {
        assertThat(file.length % BLOCK).isZero();
        BlockTruth.Log log = truth.logs().get(index);
        List<Long> stored = numbers(file);
        for (long number : stored) {
            assertThat(isAsSent(block(file, (int) number), number, log, truth))
                    .as("seed %d, log %d, block %d is as it was sent", seed, index, number)
                    .isTrue();
        }
        Set<Long> missing = new TreeSet<>(acked);
        missing.removeAll(new HashSet<>(stored));
        assertThat(missing)
                .as("seed %d, log %d of %d bytes: blocks that were acknowledged", seed, index, file.length)
                .isEmpty();
        return file.length / BLOCK - (long) stored.size();
    }

    /** Numbers of the received blocks. */
    private static List<Long> numbers(byte[] file) {
        return LongStream.range(0, file.length / BLOCK)
                .filter(number -> !isFiller(block(file, (int) number), number))
                .boxed()
                .toList();
    }

    private static boolean isFiller(byte[] block, long number) {
        String text = new String(block, 136, 64, StandardCharsets.US_ASCII);
        return text.startsWith("mavlogd: log block " + number + " never came\n");
    }

    private static byte[] block(byte[] file, int number) {
        return Arrays.copyOfRange(file, number * BLOCK, (number + 1) * BLOCK);
    }

    @Test
    void aLogGoesOnAfterACrashThatWasShort() {
        for (int seed = 0; seed < 20; seed++) {
            ArduPilotFlight flight = flight(seed, true);
            flight.vehicle();
            flight.runFor(5 * SECOND_NS);
            flight.kill();
            flight.runFor((200 + seed * 400) * MILLISECOND_NS);
            flight.restart();
            flight.runFor(5 * SECOND_NS);
            flight.finish(10 * SECOND_NS);

            assertThat(flight.truth().logs()).as("seed %d", seed).hasSize(1);
            assertThat(flight.files()).as("seed %d", seed).hasSize(1);
            check(seed, flight, false);
            assertThat(flight.recorder().metric("ardupilot_resumed_sessions")).isEqualTo(1);
            checkULogOfSecondRun(seed, flight);
        }
    }

    /** As in a loop of crashes: a run may be killed before it wrote anything, while the vehicle gets far ahead. */
    @Test
    void runsThatDieSoonLeaveOneFile() {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            ArduPilotFlight flight = flight(seed, true, seed % 2 == 0 ? 53 : 8, 10_000 + random.nextInt(90_000));
            flight.runFor(4 * SECOND_NS);
            for (int kill = 0; kill < 8; kill++) {
                flight.kill();
                flight.runFor((200 + random.nextInt(1500)) * MILLISECOND_NS);
                flight.restart();
                // Without an answer for 10 s the vehicle would end its log.
                flight.runFor((random.nextInt(1500) + (kill % 3 == 2 ? 1500 : 0)) * MILLISECOND_NS);
            }
            flight.runFor(4 * SECOND_NS);
            flight.finish(10 * SECOND_NS);

            assertThat(flight.truth().logs()).as("seed %d, streams", seed).hasSize(1);
            assertThat(flight.files()).as("seed %d, files", seed).hasSize(1);
            check(seed, flight, false);
        }
    }

    /** If they counted as blocks, they would take the places of the vehicle's next blocks. */
    @Test
    void zerosThatAFileSystemLeftAreNoBlocks() {
        int[] counts = {1, 137, 200, 333, 4096, 4096 - 200, 40_000};
        for (int i = 0; i < counts.length; i++) {
            ArduPilotFlight flight = flight(100 + i, true);
            flight.runFor(5 * SECOND_NS);
            flight.kill();
            flight.runFor(SECOND_NS);
            FakeDisk disk = flight.recorder().disk().afterCrash();
            String part = disk.storedNames().stream()
                    .filter(name -> name.endsWith(".bin.part"))
                    .findFirst()
                    .orElseThrow();
            byte[] left = disk.bytes(part);
            disk.put(part, Arrays.copyOf(left, left.length + counts[i]));
            flight.restart(disk);
            flight.runFor(5 * SECOND_NS);
            flight.finish(10 * SECOND_NS);

            assertThat(flight.files()).as("%d zeros", counts[i]).hasSize(1);
            assertThat(flight.files().get(0)).startsWith(left);
            check(100 + i, flight, false);
            assertThat(flight.recorder().metric("ardupilot_resumed_sessions")).isEqualTo(1);
        }
    }

    /**
     * The numbers of its blocks are unknown: if they counted as the first ones, they would take the places of others.
     */
    @Test
    void aFileThatLacksItsBeginIsNotContinued() {
        FakeDisk disk = new FakeDisk();
        disk.fail(FakeDisk.Operation.CREATE, count -> count == 0);
        ArduPilotFlight flight =
                flight(7, true, 8, 20_000, WholeRecorder.Setup.plain().on(disk));
        flight.runFor(5 * SECOND_NS);
        flight.kill();
        flight.runFor(SECOND_NS);
        flight.restart();
        flight.runFor(5 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.recorder().metric("ardupilot_resumed_sessions")).isZero();
        assertThat(flight.lost()).isZero();
        List<byte[]> files = flight.files();
        assertThat(files).hasSize(2);
        BlockTruth.Log log = flight.truth().logs().get(0);
        int first = IntStream.range(0, log.count())
                .filter(number -> Arrays.equals(log.block(number), block(files.get(0), 0)))
                .findFirst()
                .orElseThrow();
        assertThat(first).isPositive();
        for (int i = 0; i < files.get(0).length / BLOCK; i++) {
            assertThat(block(files.get(0), i)).isEqualTo(log.block(first + i));
        }
    }

    /** The formats come from the start of the file on disk; records that were converted before are not repeated. */
    private static void checkULogOfSecondRun(long seed, ArduPilotFlight flight) {
        Map<String, List<Map<String, Object>>> all =
                mapped(withGaps(flight.files().get(0))).samples();
        List<byte[]> ulogs = flight.ulogs();
        assertThat(ulogs).as("seed %d", seed).hasSizeBetween(1, 2);
        Mapped live = read(ulogs.get(ulogs.size() - 1));
        assertThat(live.sampleCount()).as("seed %d", seed).isGreaterThan(100);
        assertThat(live.sampleCounts().keySet()).isEqualTo(all.keySet());
        assertThat(live.dropouts()).isEmpty();
        live.samples().forEach((series, samples) -> {
            List<Map<String, Object>> whole = all.getOrDefault(series, List.of());
            assertThat(samples)
                    .as("seed %d", seed)
                    .isEqualTo(whole.subList(whole.size() - samples.size(), whole.size()));
        });
    }

    @Test
    void aLogOfACrashThatWasLongIsFinishedAndANewOneBegins() {
        ArduPilotFlight flight = flight(1, false);
        flight.runFor(5 * SECOND_NS);
        flight.kill();
        flight.runFor(14 * SECOND_NS);
        flight.restart();
        flight.runFor(5 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.truth().logs()).hasSize(2);
        assertThat(flight.files()).hasSize(2);
        check(1, flight, false);
    }

    @Test
    void aStreamWithoutAFileIsStoppedAndBegunAnew() {
        ArduPilotFlight flight = flight(2, false);
        flight.runFor(5 * SECOND_NS);
        flight.kill();
        flight.runFor(SECOND_NS);
        flight.restart(new FakeDisk());
        flight.runFor(5 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.truth().logs()).hasSize(2);
        assertThat(flight.files()).hasSize(1);
        assertThat(flight.recorder().metric("ardupilot_nacks_sent")).isZero();
    }

    @Test
    void anArmedVehicleIsLeftToTheNextRun() {
        ArduPilotFlight flight = flight(3, true);
        flight.runFor(3 * SECOND_NS);
        assertThat(flight.vehicle().arm(flight.nowNs())).isTrue();
        flight.runFor(3 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.vehicle().isStreaming()).isTrue();

        flight.restart();
        flight.runFor(4 * SECOND_NS);
        flight.vehicle().disarm(flight.nowNs());
        flight.runFor(2 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.truth().logs()).hasSize(1);
        assertThat(flight.files()).hasSize(1);
        assertThat(flight.lost()).isZero();
        check(3, flight, true);
    }

    private static ArduPilotFlight flight(long seed, boolean loops) {
        return flight(seed, loops, 8, 20_000);
    }

    private static ArduPilotFlight flight(long seed, boolean loops, int bufferKb, int rate) {
        return flight(seed, loops, bufferKb, rate, WholeRecorder.Setup.plain());
    }

    private static ArduPilotFlight flight(long seed, boolean loops, int bufferKb, int rate, WholeRecorder.Setup setup) {
        return new ArduPilotFlight(
                setup,
                DataFlashImage.of(DataFlashBytes.make(seed, 400_000, rate)),
                ArduPilotSettings.builder().loops(loops).bufferKb(bufferKb).build(),
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed).withDelayNs(MILLISECOND_NS),
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed).withDelayNs(MILLISECOND_NS));
    }
}
