package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;

/**
 * An ArduPilot that does not arm without a recorder, through drives, pauses and restarts of the recorder: it can be
 * armed whenever a recorder runs or ran moments ago, and each drive is completely recorded.
 */
class ArduPilotArmingSimulationTest {
    private static final long LEAD_OUT_NS = 5 * SECOND_NS;
    // The vehicle continues to log for 15 s after it is disarmed, and this data belongs to the drive.
    private static final long DRIVE_OVER_NS = 19 * SECOND_NS;

    @Test
    void inModeArmedTheVehicleCanBeArmedBeforeAnythingElse() {
        ArduPilotFlight flight = flight(WholeRecorder.Setup.plain().armed(LEAD_OUT_NS), true);
        flight.cut(true, true);
        flight.runFor(3 * SECOND_NS);
        assertThat(flight.vehicle().arm(flight.nowNs())).isFalse();
        assertThat(flight.vehicle().counters().refusedArmings()).isEqualTo(1);

        flight.cut(false, false);
        flight.runFor(2500 * MILLISECOND_NS);

        assertThat(flight.recorder().state()).contains("keeps the vehicle ready to arm");
        assertThat(flight.vehicle().arm(flight.nowNs())).isTrue();
    }

    @Test
    void inModeArmedEachDriveHasALogOfItsOwn() {
        ArduPilotFlight flight = flight(WholeRecorder.Setup.plain().armed(LEAD_OUT_NS), true);
        flight.runFor(3 * SECOND_NS);
        drive(flight, 5 * SECOND_NS);
        flight.runFor(DRIVE_OVER_NS);
        drive(flight, 5 * SECOND_NS);
        flight.runFor(DRIVE_OVER_NS);
        flight.finish(10 * SECOND_NS);

        // Data logged while the vehicle is disarmed is stored with the drive that follows: a log cannot be read without
        // its start.
        assertThat(flight.truth().logs()).hasSize(3);
        checkComplete(flight);
    }

    @Test
    void theLogOfADriveEndsWithTheDriveWhenNothingIsLoggedDisarmed() {
        ArduPilotFlight flight = flight(WholeRecorder.Setup.plain().armed(LEAD_OUT_NS), false);
        flight.runFor(3 * SECOND_NS);
        for (int i = 0; i < 3; i++) {
            drive(flight, 5 * SECOND_NS);
            flight.runFor(60 * SECOND_NS);
        }
        flight.finish(10 * SECOND_NS);

        List<BlockTruth.Log> logs =
                flight.truth().logs().stream().filter(log -> log.count() > 0).toList();
        assertThat(logs).hasSize(3);
        assertThat(flight.files()).hasSize(3);
        checkComplete(flight);
    }

    /** Arms the vehicle at every moment around the one at which the log is divided. */
    @Test
    void theVehicleCanBeArmedWhileItsLogIsDivided() {
        for (int offset = 0; offset < 60; offset++) {
            ArduPilotFlight flight = flight(WholeRecorder.Setup.plain().armed(LEAD_OUT_NS), true);
            flight.runFor(10 * SECOND_NS);
            drive(flight, 5 * SECOND_NS);
            flight.runFor((15_500L + offset * 30L) * MILLISECOND_NS);

            assertThat(flight.vehicle().arm(flight.nowNs()))
                    .as("offset %d", offset)
                    .isTrue();

            flight.runFor(5 * SECOND_NS);
            assertThat(flight.recorder().state()).startsWith("recording");
            flight.finish(10 * SECOND_NS);
            checkComplete(flight);
        }
    }

    @Test
    void inModeAlwaysOneLogGoesOnOverAllDrives() {
        ArduPilotFlight flight = flight(WholeRecorder.Setup.plain(), false);
        flight.runFor(3 * SECOND_NS);
        for (int i = 0; i < 3; i++) {
            drive(flight, 5 * SECOND_NS);
            flight.runFor(60 * SECOND_NS);
            assertThat(flight.recorder().state()).contains("keeps the vehicle ready to arm");
        }
        flight.finish(10 * SECOND_NS);

        assertThat(flight.truth().logs()).hasSize(1);
        assertThat(flight.files()).hasSize(1);
        checkComplete(flight);
        assertThat(flight.recorder().metric("ardupilot_stops_sent")).isEqualTo(3); // repeated, in case it is lost
        assertThat(flight.vehicle().isStreaming()).isFalse();
        assertThat(flight.vehicle().arm(flight.nowNs())).isFalse();
    }

    @Test
    void aRestartGoesOnInTheSameFileAndTheVehicleCanBeArmedMeanwhile() {
        for (int seed = 0; seed < 20; seed += 2) {
            ArduPilotFlight flight = flight(WholeRecorder.Setup.plain(), true);
            flight.runFor(5 * SECOND_NS);
            flight.finish(10 * SECOND_NS);
            assertThat(flight.files()).as("seed %d", seed).hasSize(1); // finished, in case no recorder returns
            checkComplete(flight);

            flight.runFor((100 + seed * 400) * MILLISECOND_NS);
            assertThat(flight.vehicle().arm(flight.nowNs())).as("seed %d", seed).isTrue();
            flight.restart();
            flight.runFor(4 * SECOND_NS);
            assertThat(flight.recorder().metric("ardupilot_resumed_sessions")).isEqualTo(1);
            flight.finish(10 * SECOND_NS);

            assertThat(flight.truth().logs()).as("seed %d", seed).hasSize(1);
            assertThat(flight.files()).as("seed %d", seed).hasSize(1);
            assertThat(flight.vehicle().counters().refusedArmings()).isZero();
            checkComplete(flight);
        }
    }

    @Test
    void blocksThatAreMissingAtTheEndComeFirst() {
        for (int seed = 0; seed < 20; seed += 2) {
            LossySettings bad = link(seed).withLoss(15, 2);
            ArduPilotFlight flight = new ArduPilotFlight(
                    WholeRecorder.Setup.plain(),
                    log(seed),
                    ArduPilotSettings.builder().loops(true).bufferKb(53).build(),
                    bad,
                    link(seed));
            flight.runFor((4000 + seed * 37) * MILLISECOND_NS);
            flight.finish(10 * SECOND_NS);
            flight.runFor(SECOND_NS);
            flight.restart();
            flight.runFor(4 * SECOND_NS);
            flight.finish(10 * SECOND_NS);

            assertThat(flight.truth().logs()).as("seed %d", seed).hasSize(1);
            assertThat(flight.lost()).as("seed %d", seed).isZero();
            checkComplete(flight);
        }
    }

    @Test
    void aRestartThatComesTooLateLeavesTheFinishedFileAlone() {
        ArduPilotFlight flight = flight(WholeRecorder.Setup.plain(), true);
        flight.runFor(5 * SECOND_NS);
        flight.finish(10 * SECOND_NS);
        byte[] finished = flight.files().get(0);
        flight.runFor(12 * SECOND_NS);
        assertThat(flight.vehicle().isStreaming()).isFalse(); // the vehicle gave up by itself
        assertThat(flight.vehicle().arm(flight.nowNs())).isFalse();

        flight.restart();
        flight.runFor(5 * SECOND_NS);
        assertThat(flight.vehicle().arm(flight.nowNs())).isTrue();
        flight.finish(10 * SECOND_NS);

        assertThat(flight.truth().logs()).hasSize(2);
        assertThat(flight.files()).hasSize(2);
        assertThat(flight.files().get(0)).isEqualTo(finished);
        assertThat(flight.recorder().disk().storedNames()).noneMatch(name -> name.endsWith(".part"));
    }

    @Test
    void anIdleStreamDoesNotOutliveTheRecorder() {
        ArduPilotFlight flight = flight(WholeRecorder.Setup.plain(), false);
        flight.runFor(3 * SECOND_NS);
        drive(flight, 5 * SECOND_NS);
        flight.runFor(30 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        // Otherwise it would arm, and the drive would not be recorded.
        assertThat(flight.vehicle().arm(flight.nowNs())).isFalse();

        flight.restart();
        flight.runFor(3 * SECOND_NS);
        drive(flight, 5 * SECOND_NS);
        flight.runFor(20 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.files()).hasSize(2);
        checkComplete(flight);
    }

    /** The recorder is killed while the vehicle sends no data: the next drive is complete, whenever it starts. */
    @Test
    void aDriveAfterACrashInAPauseIsWhole() {
        for (int seed = 0; seed < 20; seed += 2) {
            ArduPilotFlight flight = flight(WholeRecorder.Setup.plain(), false);
            flight.runFor(3 * SECOND_NS);
            drive(flight, 5 * SECOND_NS);
            flight.runFor(60 * SECOND_NS);
            flight.kill();
            flight.runFor(30 * SECOND_NS);
            flight.restart();
            flight.runFor((1200 + seed * 300) * MILLISECOND_NS);
            int before = flight.truth().logs().get(0).count();
            drive(flight, 5 * SECOND_NS);
            flight.runFor(20 * SECOND_NS);
            flight.finish(10 * SECOND_NS);

            assertThat(flight.lost()).as("seed %d", seed).isZero();
            assertThat(flight.vehicle().counters().droppedMessages())
                    .as("seed %d", seed)
                    .isZero();
            int files = flight.files().size();
            assertThat(files).as("seed %d", seed).isBetween(1, 2);
            if (files == 1) {
                assertThat(flight.truth().logs().get(0).count()).isGreaterThan(before + 300);
            }
            checkComplete(flight);
        }
    }

    private static void drive(ArduPilotFlight flight, long ns) {
        assertThat(flight.vehicle().arm(flight.nowNs())).isTrue();
        flight.runFor(ns);
        flight.vehicle().disarm(flight.nowNs());
    }

    /**
     * Each log of the vehicle is a file with the same bytes, except for blocks that the vehicle had not sent at the
     * end.
     */
    private static void checkComplete(ArduPilotFlight flight) {
        List<byte[]> files = flight.files();
        List<BlockTruth.Log> logs =
                flight.truth().logs().stream().filter(log -> log.count() > 0).toList();
        assertThat(files).hasSameSizeAs(logs);
        for (int i = 0; i < files.size(); i++) {
            byte[] file = files.get(i);
            BlockTruth.Log log = logs.get(i);
            assertThat(file.length % 200).isZero();
            assertThat(log.count() - file.length / 200).as("blocks not taken").isBetween(0, 60);
            for (int number = 0; number < file.length / 200; number++) {
                assertThat(Arrays.copyOfRange(file, number * 200, number * 200 + 200))
                        .as("log %d, block %d", i, number)
                        .isEqualTo(log.block(number));
            }
            int blocks = file.length / 200;
            assertThat(log.acked()).allMatch(number -> number < blocks);
        }
    }

    private static DataFlashImage log(long seed) {
        return DataFlashImage.of(DataFlashBytes.make(seed, 400_000, 20_000));
    }

    private static LossySettings link(long seed) {
        return LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed).withDelayNs(MILLISECOND_NS);
    }

    private static ArduPilotFlight flight(WholeRecorder.Setup setup, boolean logsDisarmed) {
        return new ArduPilotFlight(
                setup,
                log(5),
                ArduPilotSettings.builder()
                        .loops(true)
                        .logsDisarmed(logsDisarmed)
                        .build(),
                link(5),
                link(6));
    }
}
