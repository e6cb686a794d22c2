package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.record.MergedLog;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;

/**
 * The recorder is killed at moments given by a seed, and started again while the vehicle continues to stream, or not.
 * To fly one again: {@code -Dtest=RestartSimulationTest -Dmavlogd.seed=4711}.
 */
class RestartSimulationTest {
    private static final int SEEDS = Integer.getInteger("mavlogd.restart.seeds", 15);
    private static final long ONLY_SEED = Long.getLong("mavlogd.seed", -1);
    // By then the definitions are stored, and the rate of the stream is known.
    private static final long SETTLE_NS = 4 * SECOND_NS;
    private static final long UNWRITTEN_NS = 500 * MILLISECOND_NS;
    // On both sides of a gap.
    private static final int MESSAGES_IN_PIECES_BYTES = 2000;
    private static final int GROUND_STATION = 255;
    private static final int MISSION_PLANNER = 190;

    static LongStream seeds() {
        return ONLY_SEED >= 0 ? LongStream.of(ONLY_SEED) : LongStream.range(0, SEEDS);
    }

    private static SimulatedFlight flight(long seed, double lossPercent) {
        return flight(seed, lossPercent, true);
    }

    private static SimulatedFlight flight(long seed, double lossPercent, boolean flushesAtStop) {
        return flight(seed, lossPercent, flushesAtStop, 0);
    }

    private static SimulatedFlight flight(
            long seed, double lossPercent, boolean flushesAtStop, long rateBytesPerSecond) {
        LogImage log = LogImage.of(SyntheticLog.make(seed, 60_000));
        Px4Settings vehicle = Px4Settings.builder()
                .loops(true)
                .rateBytesPerSecond(rateBytesPerSecond)
                .flushesAtStop(flushesAtStop)
                .rebootNs(300 * MILLISECOND_NS)
                .seed(seed)
                .build();
        LossySettings channel =
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed).withDelayNs(MILLISECOND_NS);
        LossySettings down = lossPercent > 0 ? channel.withLoss(lossPercent, 1) : channel;
        return new SimulatedFlight(WholeRecorder.Setup.plain(), log, vehicle, down, channel);
    }

    private static long arrivedBytes(SimulatedFlight flight) {
        return flight.truth().sessions().get(0).arrivedBytes();
    }

    /** Bytes that arrive until a new run knows that they belong to the old log. */
    private static long missedUntilItGoesOn(SimulatedFlight flight) {
        long before = arrivedBytes(flight);
        for (int ms = 0; ms < 1000 && flight.recorder().metric("px4_resumed_sessions") == 0; ms++) {
            runFor(flight, MILLISECOND_NS);
        }
        assertThat(flight.recorder().metric("px4_resumed_sessions")).isPositive();
        return arrivedBytes(flight) - before;
    }

    private static void runFor(SimulatedFlight flight, long ns) {
        flight.runUntil(flight.nowNs() + ns);
    }

    @Test
    void theStatusOfAContinuedLogHasTheBytesAndTheDurationOfTheWholeLog() {
        SimulatedFlight flight = flight(1, 0);
        runFor(flight, 10 * SECOND_NS);
        flight.kill();
        runFor(flight, SECOND_NS);
        flight.restart();
        missedUntilItGoesOn(flight);
        runFor(flight, SECOND_NS);

        RecordingStatus status = flight.recorder().recordings().get(0);
        assertThat(status.durationMs()).isBetween(11_000L, 13_500L);
        double ofThisRun = flight.recorder().metric("record_stored_bytes");
        long stored = status.figures().storedBytes();
        flight.finish(10 * SECOND_NS);

        Map<String, byte[]> files = flight.recorder().disk().contents();
        long length = files.entrySet().stream()
                .filter(file -> file.getKey().endsWith(".ulg"))
                .mapToLong(file -> file.getValue().length)
                .sum();
        double writtenLater = flight.recorder().metric("record_stored_bytes") - ofThisRun;
        // The status is a little older.
        assertThat((double) stored).isCloseTo(length - writtenLater, Offset.offset(2_000.0));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void streamThatLivesGoesOnInTheSameFile(long seed) {
        Random random = new Random(seed);
        SimulatedFlight flight = flight(seed, 0);
        runFor(flight, SETTLE_NS);
        int kills = 1 + random.nextInt(3);
        long downMs = 0;
        long mostLost = 0;

        for (int kill = 0; kill < kills; kill++) {
            runFor(flight, random.nextInt(3000) * MILLISECOND_NS);
            long before = arrivedBytes(flight);
            runFor(flight, UNWRITTEN_NS);
            long unwritten = arrivedBytes(flight) - before;
            flight.kill();
            int awayMs = 50 + random.nextInt(kill == 0 ? 20_000 : 1900);
            downMs += awayMs;
            runFor(flight, awayMs * MILLISECOND_NS);
            flight.restart();
            mostLost = Math.max(mostLost, unwritten + missedUntilItGoesOn(flight));
            runFor(flight, 2 * SECOND_NS);
            assertThat(flight.recorder().state()).as("seed %d", seed).isEqualTo("recording");
        }
        flight.finish(10 * SECOND_NS);

        assertThat(flight.truth().sessions()).as("seed %d, streams", seed).hasSize(1);
        assertThat(flight.recorder().logs()).as("seed %d, files", seed).hasSize(1);
        LogContent file = flight.recorder().logs().get(0);
        assertThat(file.isComplete()).as("seed %d, file is complete", seed).isTrue();
        List<Integer> gaps = gaps(seed, file, flight.truth().sessions().get(0));
        assertThat(gaps).as("seed %d, holes", seed).hasSizeLessThanOrEqualTo(kills);
        // At the kill, data of one write interval was unwritten, and no data is stored while the file is examined. The
        // stream itself identifies the vehicle: the run does not wait for a heartbeat.
        long most = mostLost + MESSAGES_IN_PIECES_BYTES;
        assertThat(gaps)
                .as("seed %d, bytes that came and are not stored", seed)
                .allMatch(bytes -> bytes <= most, "at most " + most);
        assertThat(file.count('O')).as("seed %d, dropouts", seed).isGreaterThanOrEqualTo(kills);
        long markedMs = file.dropoutsMs().stream().mapToLong(Integer::longValue).sum();
        assertThat(markedMs)
                .as("seed %d, marked of %d ms", seed, downMs)
                .isBetween(downMs - 100, downMs + kills * 800L);
        assertThat(flight.recorder().metric("record_lost_chunks"))
                .as("seed %d, chunks counted as lost in the last restart", seed)
                .isPositive();
    }

    /** As in a loop of crashes: a run may be killed before it wrote a note, or while it measures the gap before it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void runsThatDieSoonLeaveOneFile(long seed) {
        Random random = new Random(seed);
        // The run also recognises a log whose time runs differently from this computer's.
        SimulatedFlight flight = flight(seed, 0, true, random.nextBoolean() ? 0 : 20_000 + random.nextInt(60_000));
        runFor(flight, SETTLE_NS);

        for (int kill = 0; kill < 8; kill++) {
            flight.kill();
            runFor(flight, (200 + random.nextInt(2500)) * MILLISECOND_NS);
            flight.restart();
            runFor(flight, random.nextInt(1500) * MILLISECOND_NS);
        }
        runFor(flight, 3 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.truth().sessions()).as("seed %d, streams", seed).hasSize(1);
        assertThat(flight.recorder().logs()).as("seed %d, files", seed).hasSize(1);
        assertThat(flight.recorder().logs().get(0).isComplete()).isTrue();
    }

    /** The gap has no end until some messages have arrived: a note written then would have the time before the gap. */
    @Test
    void aRunThatDiesWhileItMeasuresItsHoleLeavesOneFile() {
        runsThatDieSoonLeaveOneFile(106);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void localDataGoOnUnderTheirIdsInTheSameFile(long seed) {
        SimulatedFlight flight = flight(seed, 0);
        Companion.of(flight.recorder());
        runFor(flight, SETTLE_NS);
        for (int kill = 0; kill < 2; kill++) {
            flight.kill();
            runFor(flight, 900 * MILLISECOND_NS);
            flight.restart();
            Companion.of(flight.recorder());
            runFor(flight, 4 * SECOND_NS);
        }
        flight.finish(10 * SECOND_NS);

        assertThat(flight.recorder().logs()).as("seed %d, files", seed).hasSize(1);
        byte[] file = flight.recorder().logs().get(0).bytes();
        MergedLog merged = MergedLog.of(file);
        assertThat(merged.formats()).as("seed %d", seed).hasSize(2);
        assertThat(merged.localIds()).as("seed %d", seed).containsExactlyInAnyOrder(65535, 65534, 65533, 65532);
        assertThat(merged.types().chars().filter(type -> type == 'a').count())
                .as("seed %d, subscriptions", seed)
                .isEqualTo(4);
        Map<String, Long> last = new HashMap<>();
        for (MergedLog.Sample sample : merged.samples()) {
            Long before = last.put(sample.topic() + sample.multiId(), sample.timeUs());
            assertThat(sample.timeUs()).as("seed %d", seed).isGreaterThanOrEqualTo(before == null ? 0 : before);
        }
        LogContent rest = LogContent.of("rest", MergedLog.withoutLocal(file));
        assertThat(rest.count('A'))
                .isEqualTo(
                        LogContent.of("came", flight.truth().sessions().get(0).recoverable())
                                .count('A'));
        assertThat(gaps(seed, rest, flight.truth().sessions().get(0)))
                .as("seed %d, holes", seed)
                .hasSizeLessThanOrEqualTo(2);
    }

    /** A message without a time is the same in every lap of the log. */
    private static boolean isEqualInEachLap(String text) {
        return text.charAt(2) == 'S' || text.charAt(2) == 'P';
    }

    /**
     * The sizes in bytes of gaps in the file where complete messages arrived; checks that each is marked by a dropout.
     */
    private static List<Integer> gaps(long seed, LogContent file, StreamTruth.Session session) {
        // A subscription lost in the gap makes its topic unreadable from there on.
        Set<String> topics = file.texts().stream()
                .filter(text -> text.charAt(2) == 'A')
                .map(text -> text.substring(4, 6))
                .collect(Collectors.toSet());
        List<String> came = LogContent.of("came", session.recoverable()).texts().stream()
                .filter(text -> !isEqualInEachLap(text))
                .filter(text -> text.charAt(2) != 'D' || topics.contains(text.substring(3, 5)))
                .toList();
        List<Integer> gaps = new ArrayList<>();
        int at = 0;
        boolean marked = false;
        boolean unmarked = false;
        for (String text : file.texts()) {
            char type = text.charAt(2);
            if (type == 'O') {
                marked = !unmarked;
                unmarked = false;
            }
            if (type == 'O'
                    || isEqualInEachLap(text)
                    || text.contains(" recorder_start_utc_us")
                    || text.contains("] recorder")) {
                continue;
            }
            int missing = 0;
            int from = at;
            while (at < came.size() && !came.get(at).equals(text)) {
                missing += came.get(at).length();
                at++;
            }
            assertThat(at)
                    .as("seed %d, message %s came after %d", seed, type, from)
                    .isLessThan(came.size());
            if (missing > 0) {
                gaps.add(missing);
                unmarked = !marked;
                marked = false;
            }
            // Messages without a time may precede the mark.
            assertThat(unmarked && (type == 'D' || type == 'L'))
                    .as("seed %d, the hole after message %d is not marked", seed, from)
                    .isFalse();
            at++;
        }
        assertThat(at).as("seed %d, the end is stored", seed).isEqualTo(came.size());
        return gaps;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void lossyStreamThatLivesGoesOnInTheSameFile(long seed) {
        Random random = new Random(seed);
        SimulatedFlight flight = flight(seed, 5);
        runFor(flight, SETTLE_NS + random.nextInt(3000) * MILLISECOND_NS);

        flight.kill();
        runFor(flight, random.nextInt(1900) * MILLISECOND_NS);
        flight.restart();
        runFor(flight, 3 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.truth().sessions()).as("seed %d, streams", seed).hasSize(1);
        assertThat(flight.recorder().logs()).as("seed %d, files", seed).hasSize(1);
        assertThat(flight.recorder().logs().get(0).isComplete()).isTrue();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void vehicleThatRebootedMeanwhileGetsASecondFile(long seed) {
        Random random = new Random(seed);
        SimulatedFlight flight = flight(seed, 0);
        runFor(flight, SETTLE_NS + random.nextInt(3000) * MILLISECOND_NS);

        flight.kill();
        flight.vehicle().reboot(flight.nowNs());
        runFor(flight, random.nextInt(1900) * MILLISECOND_NS);
        flight.restart();
        runFor(flight, 5 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertTwoFiles(seed, flight);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void streamThatWasStartedAnewMeanwhileGetsASecondFile(long seed) {
        Random random = new Random(seed);
        SimulatedFlight flight = flight(seed, 0, false);
        runFor(flight, SETTLE_NS + random.nextInt(3000) * MILLISECOND_NS);

        flight.kill();
        flight.vehicle().commandElsewhere(CommandLong.LOGGING_STOP, GROUND_STATION, MISSION_PLANNER, flight.nowNs());
        runFor(flight, (500 + random.nextInt(1400)) * MILLISECOND_NS);
        flight.restart();
        runFor(flight, 5 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertTwoFiles(seed, flight);
    }

    private static void assertTwoFiles(long seed, SimulatedFlight flight) {
        List<LogContent> logs = flight.recorder().logs().stream()
                .sorted(Comparator.comparing(LogContent::name))
                .toList();
        assertThat(logs).as("seed %d, files", seed).hasSize(2);
        assertThat(logs).as("seed %d, whole files", seed).allMatch(LogContent::isComplete);
        List<StreamTruth.Session> begun = flight.truth().sessions().stream()
                .filter(StreamTruth.Session::hasBegun)
                .toList();
        assertThat(begun).as("seed %d, streams", seed).hasSize(2);
        for (int i = 0; i < 2; i++) {
            byte[] stored = logs.get(i).fromVehicle();
            byte[] sent = begun.get(i).recoverable();
            assertThat(sent).as("seed %d, file %d", seed, i).startsWith(stored);
        }
        assertThat(logs.get(1).fromVehicle()).hasSameSizeAs(begun.get(1).recoverable());
    }

    @Test
    void vehicleThatDoesNotComeBackLeavesAFinishedFile() {
        SimulatedFlight flight = flight(1, 0);
        runFor(flight, SETTLE_NS);

        flight.kill();
        flight.cut(true);
        flight.restart();
        runFor(flight, 58 * SECOND_NS);
        assertThat(flight.recorder().disk().storedNames()).anyMatch(name -> name.endsWith(".part"));
        runFor(flight, 4 * SECOND_NS);

        assertThat(flight.recorder().logs()).hasSize(1);
        assertThat(flight.recorder().logs().get(0).isComplete()).isTrue();
    }

    @Test
    void endOfTheProgramFinishesWhatStillWaits() {
        SimulatedFlight flight = flight(1, 0);
        runFor(flight, SETTLE_NS);

        flight.kill();
        flight.cut(true);
        flight.restart();
        runFor(flight, SECOND_NS);
        flight.finish(SECOND_NS);

        assertThat(flight.recorder().logs()).hasSize(1);
    }
}
