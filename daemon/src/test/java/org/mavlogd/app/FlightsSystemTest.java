package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.roverLog;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.vehicle.VehicleStatus;
import org.mavlogd.whole.LogContent;

/** What vehicles and their operators do during recording. */
@Timeout(120)
class FlightsSystemTest {
    private static final int GROUND_STATION = 255;
    private static final int MISSION_PLANNER = 190;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final int port = FreePorts.udp();

    private static Px4Settings.Builder endlessVehicle() {
        return fastVehicle().rateBytesPerSecond(150_000).loops(true);
    }

    private RunningDaemon.Setup recorder() {
        return RunningDaemon.in(directory).udpListen("air", port).silenceS(1);
    }

    @Test
    void rebootOfTheVehicleMakesASecondWholeFile() throws Exception {
        Px4Settings.Builder settings = endlessVehicle().rebootNs(TimeUnit.MILLISECONDS.toNanos(500));
        try (RunningDaemon daemon = recorder().start();
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), settings)) {
            await("first flight", () -> daemon.chunks() > 500);

            vehicle.order((px4, nowNs) -> px4.reboot(nowNs));

            awaitSecondLog(daemon, vehicle);
            daemon.stop();
            assertComplete(daemon, vehicle, "REBOOTED", "STOPPED");
        }
    }

    @Test
    void logThatAVehicleBeginsAnewByItselfGetsItsOwnFile() throws Exception {
        Px4Settings.Builder settings =
                endlessVehicle().rebootNs(TimeUnit.MILLISECONDS.toNanos(100)).restartsStreamItself(true);
        try (RunningDaemon daemon = recorder().silenceS(5).start();
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), settings)) {
            await("first flight", () -> daemon.chunks() > 500);

            vehicle.order((px4, nowNs) -> px4.reboot(nowNs));

            awaitSecondLog(daemon, vehicle);
            daemon.stop();
            assertComplete(daemon, vehicle, "REBOOTED", "STOPPED");
        }
    }

    @Test
    void stopOfAGroundStationFinishesTheLogAndTheNextOneIsAskedFor() throws Exception {
        try (RunningDaemon daemon = recorder().start();
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), endlessVehicle())) {
            await("first log", () -> daemon.chunks() > 500);

            vehicle.order((px4, nowNs) ->
                    px4.commandElsewhere(CommandLong.LOGGING_STOP, GROUND_STATION, MISSION_PLANNER, nowNs));

            awaitSecondLog(daemon, vehicle);
            daemon.stop();
            assertComplete(daemon, vehicle, "STOPPED", "STOPPED");
        }
    }

    @Test
    void logThatAGroundStationStartsIsRecordedAndLeftToIt() throws Exception {
        try (RunningDaemon daemon = recorder().armedMode(0).start();
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), endlessVehicle())) {
            await("vehicle", () -> vehicleStates(daemon).equals(List.of("idle")));

            vehicle.streamTo(GROUND_STATION, MISSION_PLANNER);

            await("its log", () -> daemon.chunks() > 500);
            daemon.stop();
            assertThat(vehicle.isStreaming()).isTrue();
            assertThat(daemon.logs()).hasSize(1);
            LogContent log = daemon.logs().get(0);
            assertThat(log.isComplete()).isTrue();
            assertThat(log.count('O')).isZero();
            assertThat(vehicle.sent().get(0).bytes()).startsWith(log.fromVehicle());
        }
    }

    @Test
    void twoVehiclesOnOnePortAreRecordedAtTheSameTime() throws Exception {
        try (FlyingVehicle first = fly(VehicleWire.udpTo(port), fastVehicle().systemId(1));
                FlyingVehicle second =
                        fly(VehicleWire.udpTo(port), fastVehicle().systemId(2));
                RunningDaemon daemon = recorder().silenceS(20).start()) {
            await("both", () -> recordedSystems(daemon).equals(List.of(1, 2)));
            await("end of both", () -> first.isAtLogEnd() && second.isAtLogEnd());

            daemon.stop();

            assertBothAreComplete(daemon);
        }
    }

    @Test
    void twoVehiclesOnTwoLinksAreRecordedAtTheSameTime() throws Exception {
        int tcp = FreePorts.tcp();
        try (FlyingVehicle first = fly(VehicleWire.udpTo(port), fastVehicle().systemId(1));
                FlyingVehicle second = fly(VehicleWire.tcpAt(tcp), fastVehicle().systemId(2));
                RunningDaemon daemon = recorder()
                        .link(new LinkSettings.TcpConnect("net", "127.0.0.1", tcp))
                        .silenceS(20)
                        .start()) {
            await("both", () -> recordedSystems(daemon).equals(List.of(1, 2)));
            assertThat(daemon.recordings().stream().map(RecordingStatus::feed)).containsExactly("air", "net");
            await("end of both", () -> first.isAtLogEnd() && second.isAtLogEnd());

            daemon.stop();

            assertBothAreComplete(daemon);
        }
    }

    @Test
    void vehicleHeardOnTwoLinksIsRecordedOnceAndThatIsHealthy() throws Exception {
        int otherPort = FreePorts.udp();
        // Two ports of one vehicle: its stream goes out on the port that asked.
        try (FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), endlessVehicle());
                FlyingVehicle otherEnd = fly(VehicleWire.udpTo(otherPort), endlessVehicle());
                RunningDaemon daemon = recorder().udpListen("other", otherPort).start()) {
            await("both links hear it", () -> daemon.vehicles().size() == 2);
            await("data", () -> daemon.chunks() > 500);

            assertThat(daemon.recordings()).hasSize(1);
            String link = daemon.recordings().get(0).feed();
            await("other link's state", () -> vehicleStates(daemon).contains("left to link " + link));
            assertThat(daemon.get("/healthz")).isEqualTo(new RunningDaemon.Page(200, "ok\n"));
            daemon.stop();
            assertThat(daemon.logs()).hasSize(1);
            assertThat(vehicle.sent().size() + otherEnd.sent().size()).isEqualTo(1);
        }
    }

    @Test
    void onlyTheConfiguredVehicleIsRecorded() throws Exception {
        try (FlyingVehicle first = fly(VehicleWire.udpTo(port), endlessVehicle().systemId(1));
                FlyingVehicle second =
                        fly(VehicleWire.udpTo(port), endlessVehicle().systemId(2));
                RunningDaemon daemon = recorder().systemId(2).start()) {
            await("data", () -> daemon.chunks() > 500);

            assertThat(recordedSystems(daemon)).containsExactly(2);
            daemon.stop();
            assertThat(first.sent()).isEmpty();
            assertThat(second.sent()).hasSize(1);
            assertThat(daemon.logs())
                    .singleElement()
                    .satisfies(log -> assertThat(log.name()).contains("_sys002_"));
        }
    }

    @Test
    void armedModeRecordsFromArmingUntilTheLeadOutAfterDisarming() throws Exception {
        try (RunningDaemon daemon = recorder().armedMode(1).start();
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), endlessVehicle())) {
            await("vehicle", () -> vehicleStates(daemon).equals(List.of("idle")));
            assertThat(vehicle.sent()).isEmpty();

            vehicle.order((px4, nowNs) -> px4.arm(nowNs));
            await("data", () -> daemon.chunks() > 500);
            long disarmedNs = System.nanoTime(); // at the earliest
            vehicle.order((px4, nowNs) -> px4.disarm(nowNs));
            await("disarmed", () -> !daemon.vehicles().get(0).armed());
            await("STOP", () -> !vehicle.isStreaming());
            long leadOutMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - disarmedNs);
            await("file", () -> daemon.finishedCount() == 1);

            assertThat(leadOutMs).isGreaterThanOrEqualTo(1000);
            await("rest", () -> vehicleStates(daemon).equals(List.of("idle")));
            assertThat(daemon.get("/healthz").code()).isEqualTo(200);
            daemon.stop();
            assertComplete(daemon, vehicle, "STOPPED");
        }
    }

    private static void awaitSecondLog(RunningDaemon daemon, FlyingVehicle vehicle) {
        await("second log", () -> vehicle.sent().size() == 2 && daemon.finishedCount() == 1);
        String first = String.valueOf(daemon.files().get(0).getFileName());
        await(
                "its data",
                () -> daemon.recordings().stream()
                        .anyMatch(recording -> !recording.file().equals(first)
                                && recording.figures().chunks() > 500));
    }

    private static List<Integer> recordedSystems(RunningDaemon daemon) {
        return daemon.recordings().stream()
                .map(RecordingStatus::systemId)
                .sorted()
                .toList();
    }

    private static List<String> vehicleStates(RunningDaemon daemon) {
        return daemon.vehicles().stream().map(VehicleStatus::state).toList();
    }

    private static void assertBothAreComplete(RunningDaemon daemon) {
        assertThat(daemon.logs()).hasSize(2);
        assertThat(daemon.logs().stream().map(log -> log.name().replaceAll(".*_(sys\\d+)_.*", "$1")))
                .containsExactlyInAnyOrder("sys001", "sys002");
        for (LogContent log : daemon.logs()) {
            assertThat(log.count('O')).isZero();
            assertThat(log.fromVehicle()).isEqualTo(roverLog());
        }
    }

    /** Checks for one file per stream of the vehicle, with all complete messages that it sent, in the same order. */
    private static void assertComplete(RunningDaemon daemon, FlyingVehicle vehicle, String... ends) throws Exception {
        await("end of stream", () -> !vehicle.isStreaming());
        assertThat(vehicle.sent().stream().map(SentLog::end)).containsExactly(ends);
        List<LogContent> logs = daemon.logs();
        assertThat(logs).hasSize(ends.length);
        for (int i = 0; i < ends.length; i++) {
            LogContent log = logs.get(i);
            byte[] sent = vehicle.sent().get(i).bytes();
            assertThat(log.isComplete()).isTrue();
            assertThat(log.count('O')).isZero();
            byte[] kept = log.fromVehicle();
            byte[] completeMessages = LogContent.of("sent", sent).fromVehicle();
            assertThat(kept).isEqualTo(completeMessages);
        }
    }
}
