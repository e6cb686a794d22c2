package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.record.MergedLog;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.vehicle.ConversationSettings;

/**
 * Hundreds of flights, each with a log, link and events given by its seed. In every flight sent data is either stored or
 * counted as lost, exactly; everything that could be stored is stored; every file can be read.
 *
 * <p>To fly one again: {@code -Dtest=FlightSimulationTest -Dmavlogd.seed=4711}; more of them:
 * {@code -Dmavlogd.seeds=100000}.
 */
public class FlightSimulationTest {
    private static final int BATCH = 50;
    // Flights with a failing disk take longer: one for this many others.
    private static final int FAULT_SHARE = 10;
    private static final int SMALL_RING_BYTES = 32 << 10;
    private static final int SEEDS = Integer.getInteger("mavlogd.seeds", 500);
    private static final long ONLY_SEED = Long.getLong("mavlogd.seed", -1);

    static LongStream batches() {
        return ONLY_SEED >= 0
                ? LongStream.of(ONLY_SEED)
                : LongStream.iterate(0, i -> i + BATCH).limit(SEEDS / BATCH);
    }

    @ParameterizedTest(name = "seeds from {0}")
    @MethodSource("batches")
    void sentIsStoredOrCounted(long firstSeed) {
        long count = ONLY_SEED >= 0 ? 1 : BATCH;
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            fly(seed);
        }
    }

    private static void fly(long seed) {
        Random random = new Random(seed);
        LogImage log = LogImage.of(SyntheticLog.make(seed, 5_000 + random.nextInt(60_000)));
        SimulatedFlight flight = new SimulatedFlight(
                WholeRecorder.Setup.plain(), log, vehicle(random), channel(random, seed), channel(random, seed + 1));
        measure(flight, seed);
        long endNs = flight.nowNs() + (2 + random.nextInt(12)) * SECOND_NS;

        for (int event = random.nextInt(4); event > 0; event--) {
            flight.runUntil(flight.nowNs() + random.nextInt(3000) * MILLISECOND_NS);
            happen(flight, random);
        }
        flight.runUntil(endNs);
        flight.finish(10 * SECOND_NS);

        check(seed, flight);
    }

    /** Every other flight has a companion computer that publishes. */
    private static void measure(SimulatedFlight flight, long seed) {
        if (seed % 2 == 1) {
            Companion.of(flight.recorder());
        }
    }

    private static LogContent withoutLocal(LogContent file) {
        return LogContent.of(file.name(), MergedLog.withoutLocal(file.bytes()));
    }

    private static Px4Settings vehicle(Random random) {
        return Px4Settings.builder()
                .rateBytesPerSecond(5_000 + random.nextInt(80_000))
                .postFlightBytes(random.nextInt(6_000))
                .flushesAtStop(random.nextInt(5) > 0)
                .silentUntilHeartbeat(random.nextInt(5) == 0)
                .restartsStreamItself(random.nextInt(4) == 0)
                .signing(random.nextInt(4) == 0 ? Px4Settings.Signing.SIGNED : Px4Settings.Signing.NONE)
                .swapEvery(random.nextInt(3) == 0 ? 100 : 0)
                .loops(random.nextBoolean())
                .rebootNs(1 + random.nextInt(3_000) * MILLISECOND_NS)
                .seed(random.nextLong())
                .build();
    }

    private static LossySettings channel(Random random, long seed) {
        LossySettings settings = LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed)
                .withDelayNs((1 + random.nextInt(5)) * MILLISECOND_NS);
        if (random.nextInt(4) > 0) {
            settings = settings.withLoss(random.nextInt(10), 1 + random.nextInt(5));
        }
        if (random.nextInt(2) > 0) {
            settings = settings.withDuplicates(random.nextInt(10));
        }
        if (random.nextInt(2) > 0) {
            settings = settings.withReordering(random.nextInt(10), 1 + random.nextInt(14), 10 * MILLISECOND_NS);
        }
        return random.nextInt(3) > 0 ? settings : settings.withCorruption(random.nextInt(5));
    }

    private static void happen(SimulatedFlight flight, Random random) {
        switch (random.nextInt(5)) {
            case 0 -> flight.vehicle().reboot(flight.nowNs());
            case 1 -> {
                flight.cut(true);
                flight.runUntil(flight.nowNs() + random.nextInt(8_000) * MILLISECOND_NS);
                flight.cut(false);
            }
            case 2 -> flight.vehicle().arm(flight.nowNs());
            case 3 -> flight.vehicle().disarm(flight.nowNs());
            default -> flight.vehicle().commandElsewhere(2511, 255, 190, flight.nowNs());
        }
    }

    /**
     * Each log that started is in one file, with everything that arrived completely, its gaps marked and its losses
     * counted.
     */
    public static void check(long seed, SimulatedFlight flight) {
        List<StreamTruth.Session> sessions = flight.truth().sessions().stream()
                .filter(StreamTruth.Session::hasBegun)
                .toList();
        List<LogContent> logs = flight.recorder().logs();
        assertThat(logs).as("files of seed %d", seed).hasSize(sessions.size());
        long lost = 0;
        long arrivedBytes = 0;
        long storedBytes = 0;
        for (int i = 0; i < logs.size(); i++) {
            StreamTruth.Session session = sessions.get(i);
            LogContent file = withoutLocal(logs.get(i));
            assertThat(file.isComplete())
                    .as("seed %d, file %d ends with a complete message", seed, i)
                    .isTrue();
            byte[] recoverable = session.recoverable();
            byte[] stored = file.fromVehicle();
            assertThat(Arrays.mismatch(stored, recoverable))
                    .as(
                            "seed %d, file %d holds all that arrived whole: %d of %d bytes; first difference",
                            seed, i, stored.length, recoverable.length)
                    .isEqualTo(-1);
            assertThat(file.count('O') > 0)
                    .as("seed %d, file %d marks its gaps", seed, i)
                    .isEqualTo(session.lostChunks() > 0);
            lost += session.lostChunks();
            arrivedBytes += session.arrivedBytes();
            storedBytes += file.fromVehicle().length;
        }
        assertThat(flight.recorder().metric("record_lost_chunks"))
                .as("seed %d, chunks counted as lost", seed)
                .isEqualTo((double) lost);
        assertThat(flight.recorder().metric("record_discarded_bytes"))
                .as("seed %d, bytes counted as discarded", seed)
                .isEqualTo((double) (arrivedBytes - storedBytes));
    }

    @ParameterizedTest(name = "seeds from {0}")
    @MethodSource("batches")
    void failingDiskCostsOnlyWhatIsCounted(long firstSeed) {
        for (long seed = firstSeed; seed < firstSeed + BATCH / FAULT_SHARE; seed++) {
            flyWithFailingDisk(seed);
        }
    }

    private static void flyWithFailingDisk(long seed) {
        Random random = new Random(seed);
        FakeDisk disk = new FakeDisk();
        int failures = 1 + random.nextInt(5);
        // Not the last operations, or a file would correctly keep its unfinished name for the next start.
        disk.failFrom(EnumSet.allOf(FakeDisk.Operation.class), random.nextInt(40), failures, "No space left on device");
        WholeRecorder.Setup setup = new WholeRecorder.Setup(ConversationSettings.Mode.ALWAYS, 0, true, 1 << 20, disk);
        LossySettings channel =
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed).withDelayNs(MILLISECOND_NS);
        LogImage log = LogImage.of(SyntheticLog.make(seed, 200_000));
        Px4Settings vehicle =
                Px4Settings.builder().rateBytesPerSecond(40_000).seed(seed).build();
        SimulatedFlight flight = new SimulatedFlight(setup, log, vehicle, channel.withLoss(1, 1), channel);
        measure(flight, seed);
        flight.runUntil(flight.nowNs() + (5 + random.nextInt(10)) * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        List<LogContent> files = flight.recorder().logs().stream()
                .map(FlightSimulationTest::withoutLocal)
                .toList();
        Set<String> stored = new HashSet<>();
        files.forEach(file -> stored.addAll(file.texts()));
        LogContent sent = LogContent.of("sent", flight.truth().sessions().get(0).recoverable());
        long missingBytes = sent.texts().stream()
                .filter(text -> !stored.contains(text))
                .mapToLong(String::length)
                .sum();
        double counted = flight.recorder().metric("record_discarded_bytes");
        assertThat((double) missingBytes)
                .as("seed %d, missing bytes are counted", seed)
                .isLessThanOrEqualTo(counted);
        // A failed write may have stored a part of its batch, which is counted as lost.
        assertThat(counted)
                .as("seed %d, no more is counted than the failing writes held", seed)
                .isLessThanOrEqualTo(missingBytes + failures * (double) WholeRecorder.BATCH_BYTES);
        assertThat(files).as("seed %d, files", seed).isNotEmpty();
        for (LogContent file : files.subList(1, files.size())) {
            assertThat(file.count('F'))
                    .as("seed %d, %s stands alone", seed, file.name())
                    .isEqualTo(sent.count('F'));
        }
    }

    @ParameterizedTest(name = "seeds from {0}")
    @MethodSource("batches")
    void stalledDiskCostsOnlyWhatTheRingCannotHold(long firstSeed) {
        for (long seed = firstSeed; seed < firstSeed + BATCH / FAULT_SHARE; seed++) {
            flyWithStalls(seed);
        }
    }

    private static void flyWithStalls(long seed) {
        Random random = new Random(seed);
        WholeRecorder.Setup setup = WholeRecorder.Setup.plain().withRing(SMALL_RING_BYTES);
        LossySettings channel =
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed).withDelayNs(MILLISECOND_NS);
        LogImage log = LogImage.of(SyntheticLog.make(seed, 50_000));
        Px4Settings vehicle = Px4Settings.builder()
                .rateBytesPerSecond(40_000)
                .loops(true)
                .postFlightBytes(3_000)
                .seed(seed)
                .build();
        SimulatedFlight flight = new SimulatedFlight(setup, log, vehicle, channel.withLoss(1, 1), channel);
        for (int stalls = 1 + random.nextInt(3); stalls > 0; stalls--) {
            flight.runUntil(flight.nowNs() + random.nextInt(3_000) * MILLISECOND_NS);
            flight.recorder().stallRecorder(true);
            flight.runUntil(flight.nowNs() + random.nextInt(2_400) * MILLISECOND_NS);
            flight.recorder().stallRecorder(false);
        }
        flight.runUntil(flight.nowNs() + SECOND_NS);
        flight.finish(10 * SECOND_NS);

        long told = flight.truth().sessions().stream()
                .mapToLong(StreamTruth.Session::told)
                .sum();
        assertThat(flight.recorder().metric("record_chunks") + flight.recorder().metric("record_lost_chunks"))
                .as("seed %d, stored and lost chunks", seed)
                .isEqualTo((double) told);
        for (LogContent file : flight.recorder().logs()) {
            assertThat(file.isComplete())
                    .as("seed %d, %s ends with a complete message", seed, file.name())
                    .isTrue();
        }
    }

    @ParameterizedTest(name = "outage of {0} ms")
    @ValueSource(ints = {3_100, 7_000, 15_000, 20_000})
    void everyNumberIsForwardAfterALongOutage(int outageMs) {
        LogImage log = LogImage.of(SyntheticLog.make(2, 200_000));
        // Fast enough for sequence numbers to wrap while the link is interrupted.
        Px4Settings vehicle = Px4Settings.builder()
                .rateBytesPerSecond(1_200_000)
                .loops(true)
                .telemetryHz(1)
                .build();
        LossySettings channel =
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, 1).withDelayNs(MILLISECOND_NS);
        SimulatedFlight flight = new SimulatedFlight(WholeRecorder.Setup.plain(), log, vehicle, channel, channel);
        flight.runUntil(flight.nowNs() + 3 * SECOND_NS);

        flight.cut(true);
        flight.runUntil(flight.nowNs() + outageMs * MILLISECOND_NS);
        flight.cut(false);
        flight.runUntil(flight.nowNs() + SECOND_NS);
        flight.finish(10 * SECOND_NS);

        LogContent file = flight.recorder().logs().get(0);
        assertThat(file.isComplete()).isTrue();
        assertThat(Arrays.mismatch(
                        file.fromVehicle(), flight.truth().sessions().get(0).recoverable()))
                .isEqualTo(-1);
        assertThat(file.count('O')).isPositive();
    }

    @Test
    void sequenceNumbersWrapWithoutLoss() {
        LogImage log = LogImage.of(SyntheticLog.make(1, 200_000));
        Px4Settings vehicle = Px4Settings.builder()
                .rateBytesPerSecond(2_000_000)
                .loops(true)
                .telemetryHz(1)
                .build();
        LossySettings channel = LossySettings.perfect(LossySettings.Medium.DATAGRAMS, 1)
                .withDelayNs(MILLISECOND_NS)
                .withLoss(0.1, 1);
        SimulatedFlight flight =
                new SimulatedFlight(WholeRecorder.Setup.plain(), log, vehicle, channel, channel.withLoss(0, 1));

        flight.runUntil(flight.nowNs() + 20 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.truth().sessions().get(0).told()).isGreaterThan(2 * 65_536);
        check(1, flight);
    }
}
