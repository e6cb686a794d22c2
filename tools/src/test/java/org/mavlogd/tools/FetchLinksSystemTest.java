package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.AirVehicles.PERFECT;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.app.AirHub;
import org.mavlogd.app.AirSigner;
import org.mavlogd.app.AirVehicles;
import org.mavlogd.app.RecordedLogs;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.app.SystemTests;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.signing.Signing;
import org.mavlogd.signing.SigningKey;

/** The command over each kind of link, and with a vehicle that accepts only signed frames. */
@Timeout(120)
class FetchLinksSystemTest {
    private static final long RATE = 1_000_000;
    private static final byte[] KEY = filled(0x5A);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path configs;

    private final byte[] binLog = DataFlashBytes.make(9, 300_000, 40_000);
    private final byte[] ulgLog = SystemTests.roverLog();
    private final Shell shell = new Shell("fetch");

    private static byte[] filled(int value) {
        byte[] bytes = new byte[SigningKey.LENGTH];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private void park(AirVehicles vehicles, boolean isArduPilot, LinkSettings target) {
        if (isArduPilot) {
            vehicles.parkArduPilot(target, binLog, false, PERFECT, RATE);
        } else {
            vehicles.parkPx4(target, ulgLog, false, RATE);
        }
    }

    private void listsAndFetches(boolean isArduPilot, String way, String... link) {
        List<String> arguments = new ArrayList<>(List.of(link));
        arguments.addAll(List.of("--by", way, "--list"));
        assertThat(shell.run(arguments.toArray())).as(shell.err()).isZero();
        byte[] log = isArduPilot ? binLog : ulgLog;
        assertThat(shell.out())
                .contains(String.format("%.3f", log.length / 1e6), "\n1 log, ")
                .contains(way.equals("ftp") ? "by MAVLink FTP" : "by log messages")
                .contains(isArduPilot ? "unknown" : "2026-11-20T12:34:56Z");
        assertThat(shell.err()).isEmpty();
        assertThat(directory).isEmptyDirectory();

        arguments.remove("--list");
        arguments.addAll(List.of("LAST", "-o", directory.toString()));
        assertThat(shell.run(arguments.toArray())).as(shell.err()).isZero();
        assertThat(directory.toFile().listFiles())
                .singleElement()
                .satisfies(file -> assertThat(file).hasBinaryContent(log));
        assertThat(shell.out().contains("checksum right")).isEqualTo(way.equals("ftp"));
        assertThat(shell.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true,messages", "false,ftp"})
    @Execution(ExecutionMode.CONCURRENT)
    void fetchesOverTcpFromAVehicleThatListens(boolean isArduPilot, String way) throws Exception {
        int port = FreePorts.tcp();
        try (AirVehicles vehicles = new AirVehicles()) {
            park(vehicles, isArduPilot, new LinkSettings.TcpListen("vehicle", "127.0.0.1", port));

            listsAndFetches(isArduPilot, way, "--link", "tcp:127.0.0.1:" + port);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void fetchesOverTcpFromAVehicleThatConnects() throws Exception {
        int port = FreePorts.tcp();
        Path config = config("type = \"tcp\"\nlisten = \"127.0.0.1:" + port + "\"\n", "");
        try (AirVehicles vehicles = new AirVehicles()) {
            park(vehicles, true, new LinkSettings.TcpConnect("vehicle", "127.0.0.1", port));

            listsAndFetches(true, "ftp", "--config", config.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"true,ftp", "false,messages"})
    @Execution(ExecutionMode.CONCURRENT)
    void fetchesOverASerialPort(boolean isArduPilot, String way) throws Exception {
        assumeTrue(
                PseudoTerminals.arePossible(), "socat is not installed (apt-get install socat): no serial port to try");
        Path vehicleEnd = configs.resolve("tty-vehicle");
        Path ourEnd = configs.resolve("tty");
        Process cable = PseudoTerminals.connected(vehicleEnd, ourEnd);
        try (AirVehicles vehicles = new AirVehicles()) {
            park(vehicles, isArduPilot, new LinkSettings.SerialPort("vehicle", vehicleEnd.toString(), 921_600, false));

            listsAndFetches(isArduPilot, way, "--link", "serial:" + ourEnd + ":921600");
        } finally {
            cable.destroy();
            assertThat(cable.waitFor(50, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"true,udp,ftp", "true,tcp,messages", "false,udp,messages", "false,tcp,ftp"})
    @Execution(ExecutionMode.CONCURRENT)
    void fetchesFromAVehicleThatTakesOnlyWhatIsSigned(boolean isArduPilot, String type, String way) throws Exception {
        int port = FreePorts.udp();
        try (AirHub air = new AirHub(type.equals("udp") ? port : 0, new AirSigner(KEY));
                AirVehicles vehicles = new AirVehicles()) {
            park(vehicles, isArduPilot, air.vehicleTarget());
            // The vehicle has no clock: its signatures are old until it has received one of ours.
            String link = type.equals("udp")
                    ? "type = \"udp\"\nlisten = \"127.0.0.1:" + port + "\"\n"
                    : "type = \"tcp\"\nconnect = \"127.0.0.1:" + air.tcpPort() + "\"\n";
            Path config = config(link, signing(KEY));

            listsAndFetches(isArduPilot, way, "--config", config.toString());

            assertThat(air.refused()).isZero();
            assertThat(configs.resolve("signing.state"))
                    .as("the state is the recorder's")
                    .doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void signedFetchingDoesNotDisturbTheRecorderBesideIt(boolean isArduPilot) throws Exception {
        Path recorded = Files.createDirectory(configs.resolve("logs"));
        try (AirHub air = new AirHub(0, new AirSigner(KEY));
                AirVehicles vehicles = new AirVehicles()) {
            Path config = config("type = \"tcp\"\nconnect = \"127.0.0.1:" + air.tcpPort() + "\"\n", signing(KEY));
            try (RunningDaemon daemon = RunningDaemon.in(recorded)
                    .link(new LinkSettings.TcpConnect("air", "127.0.0.1", air.tcpPort()))
                    .signing(SigningKey.of(KEY), Signing.Policy.SIGNED_ONLY, configs.resolve("signing.state"))
                    .start()) {
                if (isArduPilot) {
                    vehicles.streamArduPilot(air.vehicleTarget(), binLog, RATE / 2, 0);
                } else {
                    vehicles.streamPx4(air.vehicleTarget(), ulgLog, RATE / 2, 0);
                }
                await("recording", () -> daemon.chunks() > 500);

                listsAndFetchesBeside(isArduPilot, config);

                long chunks = daemon.chunks();
                await("goes on", () -> daemon.chunks() > chunks + 500);
                assertThat(daemon.metric("mavlogd_signing_dropped_frames_total{cause=\"old\",link=\"air\"}"))
                        .as("before the vehicle heard the time, and never again")
                        .isLessThan(50);
                daemon.stop();
            }
            assertThat(air.refused()).isZero();
            byte[] streamed = air.tap().log();
            byte[] kept = RecordedLogs.vehicleBytes(recorded, isArduPilot);
            assertThat(kept).isEqualTo(Arrays.copyOf(streamed, kept.length));
            assertThat(streamed.length - kept.length).isLessThan(isArduPilot ? 100_000 : 1);
        }
    }

    private void listsAndFetchesBeside(boolean isArduPilot, Path config) {
        assertThat(shell.run("--config", config.toString(), "--list"))
                .as(shell.err())
                .isZero();
        assertThat(shell.run("--config", config.toString(), "LAST", "-o", directory.toString()))
                .as(shell.err())
                .isZero();
        assertThat(directory.toFile().listFiles())
                .singleElement()
                .satisfies(file -> assertThat(file).hasBinaryContent(isArduPilot ? binLog : ulgLog));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void anotherKeyFindsNoVehicleAndSaysWhy() throws Exception {
        try (AirHub air = new AirHub(0, new AirSigner(filled(0x11)));
                AirVehicles vehicles = new AirVehicles()) {
            park(vehicles, true, air.vehicleTarget());
            Path config = config("type = \"udp\"\nconnect = \"127.0.0.1:" + air.udpPort() + "\"\n", signing(KEY));
            await("the vehicle", () -> air.toldBytes() > 0);

            assertThat(shell.run("--config", config.toString(), "--wait", "3", "--list"))
                    .isEqualTo(1);

            assertThat(shell.err())
                    .containsPattern(
                            "no vehicle was heard on link \"air\": \\d+ frames are not signed with the key of section"
                                    + " \\[signing\\]")
                    .hasLineCount(1);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void withoutAKeyAVehicleThatSignsIsNotAnsweredAndThatIsTold() throws Exception {
        try (AirHub air = new AirHub(0, new AirSigner(KEY));
                AirVehicles vehicles = new AirVehicles()) {
            park(vehicles, true, air.vehicleTarget());
            await("the vehicle", () -> air.toldBytes() > 0);

            assertThat(shell.run(
                            "--link",
                            "udp:127.0.0.1:" + air.udpPort(),
                            "--wait",
                            "3",
                            "LAST",
                            "-o",
                            directory.toString()))
                    .isEqualTo(1);

            assertThat(shell.err()).contains("set its key in section [signing]").hasLineCount(1);
            assertThat(air.said(MessageIds.FILE_TRANSFER_PROTOCOL)).isZero();
            assertThat(directory).isEmptyDirectory();
        }
    }

    private String signing(byte[] key) throws IOException {
        Path file = configs.resolve("key");
        Files.writeString(file, HexFormat.of().formatHex(key));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return "[signing]\nkey_file = \"" + file + "\"\nstate_file = \"" + configs.resolve("signing.state") + "\"\n";
    }

    private Path config(String link, String signing) throws IOException {
        return Files.writeString(
                configs.resolve("mavlogd.toml"),
                "[log]\ndirectory = \"" + configs.resolve("logs") + "\"\n[[link]]\nname = \"air\"\n" + link + signing);
    }
}
