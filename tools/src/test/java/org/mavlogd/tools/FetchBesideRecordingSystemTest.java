package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.app.AirHub;
import org.mavlogd.app.AirVehicles;
import org.mavlogd.app.DirectoryLock;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.RecordedLogs;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.app.SystemTests;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.whole.LogContent;

/**
 * A vehicle's own log is fetched while the log that it streams is recorded from the same link: both must be complete.
 */
@Timeout(120)
class FetchBesideRecordingSystemTest {
    private static final long RATE = 600_000;
    private static final int LONG = 1000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path elsewhere;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path configs;

    private final Shell shell = new Shell("fetch");
    private final byte[] binLog = DataFlashBytes.make(7, 700_000, 100_000);
    private final byte[] ulgLog = SystemTests.roverLog();

    private byte[] ownLog(boolean isArduPilot) {
        return isArduPilot ? binLog : ulgLog;
    }

    private void stream(AirVehicles vehicles, boolean isArduPilot, AirHub air, int flightS) {
        if (isArduPilot) {
            vehicles.streamArduPilot(air.vehicleTarget(), binLog, RATE, flightS);
        } else {
            vehicles.streamPx4(air.vehicleTarget(), ulgLog, RATE, flightS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theDaemonFetchesTheLogAfterTheFlightAndRecordsOn(boolean isArduPilot) throws Exception {
        int port = FreePorts.udp();
        try (AirHub air = new AirHub(port, null);
                AirVehicles vehicles = new AirVehicles()) {
            try (RunningDaemon daemon = RunningDaemon.in(directory)
                    .udpListen("air", port)
                    .fetchingAfterDisarm(1)
                    .start()) {
                stream(vehicles, isArduPilot, air, 3);
                String name = isArduPilot
                        ? "sys001_log00001_" + binLog.length + ".bin"
                        : "2026-11-20_12-34-56_sys001_log00001_" + ulgLog.length + ".ulg";
                Path folder = directory.resolve("fetched");
                await("armed", () -> daemon.vehicles().stream().anyMatch(seen -> seen.armed()));
                assertThat(folder).doesNotExist();
                await("fetching", () -> Files.exists(folder.resolve(name + ".part")));
                long before = air.tap().length();
                await("fetched", Duration.ofSeconds(40), () -> Files.exists(folder.resolve(name)));
                long after = air.tap().length();
                assertThat(after).as("streamed while it was fetched").isGreaterThan(before + RATE / 2);

                await("some more", () -> air.tap().length() > after + RATE / 2);
                daemon.stop();

                assertThat(folder.resolve(name)).hasBinaryContent(ownLog(isArduPilot));
                assertThat(folder.toFile().list()).containsExactly(name);
                assertThat(air.checksumsAsked()).isEqualTo(isArduPilot ? 1 : 0);
                assertRecorded(isArduPilot, air, after + RATE / 4); // data in transit at the end is not stored
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true,udp,ftp", "true,tcp,ftp", "false,tcp,ftp", "false,udp,messages"})
    void theCommandFetchesBesideTheRecorderOverAConnectLink(boolean isArduPilot, String type, String way)
            throws Exception {
        try (AirHub air = new AirHub(0, null);
                AirVehicles vehicles = new AirVehicles()) {
            Path config = config("type = \"" + type + "\"\nconnect = \"127.0.0.1:"
                    + (type.equals("udp") ? air.udpPort() : air.tcpPort()) + "\"\n");
            try (DirectoryLock lock = DirectoryLock.take(directory);
                    RunningDaemon daemon =
                            RunningDaemon.in(directory).link(connect(type, air)).start()) {
                assertThat(lock).isNotNull();
                stream(vehicles, isArduPilot, air, 0);
                await("recording", () -> air.tap().length() > RATE / 2);
                long before = air.tap().length();

                assertThat(shell.run("--config", config.toString(), "--by", way, "LAST", "-o", elsewhere.toString()))
                        .as(shell.err())
                        .isZero();

                long after = air.tap().length();
                assertThat(after).as("streamed while it was fetched").isGreaterThan(before + RATE / 2);
                await("some more", () -> air.tap().length() > after + RATE / 2);
                daemon.stop();
                assertRecorded(isArduPilot, air, after + RATE / 4); // data in transit at the end is not stored
            }
            assertThat(elsewhere.toFile().listFiles())
                    .singleElement()
                    .satisfies(file -> assertThat(file).hasBinaryContent(ownLog(isArduPilot)));
            assertThat(shell.out()).startsWith("the running mavlogd continues to record");
            assertThat(shell.out().contains("checksum right")).isEqualTo(isArduPilot);
            assertThat(air.checksumsAsked()).isEqualTo(isArduPilot ? 1 : 0);
            boolean isPx4ByFtp = !isArduPilot && way.equals("ftp");
            assertThat(shell.out().contains("the PX4 is not asked for checksums"))
                    .isEqualTo(isPx4ByFtp);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anArmedVehicleIsAskedNothingAndRecordedOn(boolean isArduPilot) throws Exception {
        try (AirHub air = new AirHub(0, null);
                AirVehicles vehicles = new AirVehicles()) {
            Path config = config("type = \"tcp\"\nconnect = \"127.0.0.1:" + air.tcpPort() + "\"\n");
            try (RunningDaemon daemon =
                    RunningDaemon.in(directory).link(connect("tcp", air)).start()) {
                stream(vehicles, isArduPilot, air, LONG);
                await("armed", () -> daemon.vehicles().stream().anyMatch(seen -> seen.armed()));

                assertThat(shell.run("--config", config.toString(), "LAST", "-o", elsewhere.toString()))
                        .isEqualTo(1);

                String who = isArduPilot ? "ArduPilot 1" : "PX4 1";
                assertThat(shell.err())
                        .isEqualTo("mavlogd fetch: " + who + " is armed: logs are fetched only while it is disarmed\n");
                assertThat(daemon.vehicles()).anyMatch(seen -> seen.armed());
                assertThat(air.said(MessageIds.FILE_TRANSFER_PROTOCOL)).isZero();
                assertThat(air.said(MessageIds.LOG_REQUEST_LIST)).isZero();
                daemon.stop();
                assertRecorded(isArduPilot, air, 1000);
            }
        }
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void theSerialPortOfTheRecorderIsLeftToIt() throws Exception {
        assumeTrue(PseudoTerminals.arePossible(), "no socat here");
        Path device = elsewhere.resolve("tty");
        Path alias = elsewhere.resolve("alias");
        Path config = config("type = \"serial\"\ndevice = \"" + device + "\"\nbaud = 921600\n");
        try (DirectoryLock lock = DirectoryLock.take(directory);
                FlyingVehicle vehicle = fly(VehicleWire.pty(device), fastVehicle());
                RunningDaemon daemon = RunningDaemon.in(directory)
                        .link(new LinkSettings.SerialPort("air", device.toString(), 921_600, false))
                        .start()) {
            assertThat(lock).isNotNull();
            await("recording", () -> daemon.chunks() > 100);
            Files.createSymbolicLink(alias, device);

            for (String link : List.of("air", "serial:" + device, "serial:" + alias)) {
                assertThat(shell.run("--config", config.toString(), "--link", link, "LAST"))
                        .isEqualTo(1);
                assertThat(shell.err())
                        .startsWith("mavlogd fetch: link \"air\" is in use by the running mavlogd: stop that first")
                        .hasLineCount(1);
            }
            long beginNs = System.nanoTime();
            assertThat(shell.run("--link", "serial:" + device, "--wait", "60", "LAST"))
                    .isEqualTo(1);
            assertThat(shell.err()).contains("in use by another program").hasLineCount(1);
            assertThat(Duration.ofNanos(System.nanoTime() - beginNs)).isLessThan(Duration.ofSeconds(50));
            await("end of log", vehicle::isAtLogEnd);
            daemon.stop();

            await("STOP heard", () -> !vehicle.isStreaming());
            LogContent log = LogContent.of("ulg", Files.readAllBytes(RecordedLogs.only(directory, ".ulg")));
            assertThat(log.count('O')).isZero();
            assertThat(log.fromVehicle()).isEqualTo(ulgLog);
        }
    }

    private Path config(String link) throws IOException {
        return Files.writeString(
                configs.resolve("mavlogd.toml"),
                "[log]\ndirectory = \"" + directory + "\"\n[[link]]\nname = \"air\"\n" + link);
    }

    private static LinkSettings connect(String type, AirHub air) {
        return type.equals("udp")
                ? new LinkSettings.UdpConnect("air", "127.0.0.1", air.udpPort(), true)
                : new LinkSettings.TcpConnect("air", "127.0.0.1", air.tcpPort());
    }

    /** The stream was recorded from its start to about its end, without losses or repetitions. */
    private void assertRecorded(boolean isArduPilot, AirHub air, long atLeast) throws IOException {
        byte[] recorded = RecordedLogs.vehicleBytes(directory, isArduPilot);
        byte[] streamed = air.tap().log();
        assertThat(recorded.length).isGreaterThanOrEqualTo((int) atLeast);
        // An ArduPilot's last blocks arrive after the daemon has closed the file.
        assertThat(recorded).isEqualTo(isArduPilot ? Arrays.copyOf(streamed, recorded.length) : streamed);
    }
}
