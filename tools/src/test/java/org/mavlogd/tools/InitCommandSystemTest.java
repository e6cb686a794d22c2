package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.SystemTests.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.mavlogd.app.AirVehicles;
import org.mavlogd.app.DirectoryLock;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.app.SystemTests;
import org.mavlogd.cli.CommandLines;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.config.Settings;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.setup.Computer;
import org.mavlogd.simulate.PlannedVehicle;
import org.mavlogd.simulate.ardupilot.ArduPilotCounters;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.VehicleCounters;
import picocli.CommandLine;

/**
 * {@code mavlogd init} with simulated vehicles, on a computer whose /dev, /proc and /etc are in a directory of the
 * test.
 */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class InitCommandSystemTest {
    private static final int RATE = 200_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path root;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private @Nullable Process cable;

    private Path config() {
        return directory.resolve("mavlogd.toml");
    }

    private Path vehicleEnd() {
        return directory.resolve("tty-vehicle");
    }

    @BeforeEach
    void makesAComputer() throws IOException {
        for (String name : List.of("dev/serial/by-id", "proc/net", "etc")) {
            Files.createDirectories(root.resolve(name));
        }
    }

    @AfterEach
    void pullsTheCable() throws InterruptedException {
        if (cable != null) {
            cable.destroy();
            assertThat(cable.waitFor(50, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Makes a pseudo terminal as /dev/NAME of the computer. */
    private void plug(String name) throws IOException {
        assumeTrue(
                PseudoTerminals.arePossible(), "socat is not installed (apt-get install socat): no serial port to try");
        Path ourEnd = root.resolve("dev").resolve(name);
        cable = PseudoTerminals.connected(vehicleEnd(), ourEnd);
    }

    /** Discards the bytes that were sent but not read. */
    private void plugAgain(String name) throws IOException, InterruptedException {
        pullsTheCable();
        plug(name);
    }

    private LinkSettings serialVehicle() {
        return new LinkSettings.SerialPort("vehicle", vehicleEnd().toString(), 921_600, false);
    }

    private int init(@Nullable String answers, String... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        InitCommand command = new InitCommand(
                new Computer(root),
                Optional.ofNullable(answers).map(text -> new BufferedReader(new StringReader(text))));
        List<String> all = new ArrayList<>(List.of("--config", config().toString()));
        all.addAll(List.of(words));
        return CommandLines.furnished(new CommandLine(command))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
    }

    private int unattended(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--yes");
        return init(null, all.toArray(String[]::new));
    }

    private List<LinkSettings> links() throws Exception {
        return Settings.load(config()).links();
    }

    private static Px4Settings.Builder px4() {
        return SystemTests.px4().rateBytesPerSecond(RATE).loops(true);
    }

    @Test
    void findsAPx4OnASerialPortAndLeavesItAsItWas() throws Exception {
        plug("ttyAMA0");
        VehicleCounters counters = px4OnASerialPort();
        // On a busy machine the vehicle may be silent for longer than init waits after STOP, and then send a chunk.
        for (int again = 0; again < 3 && counters.givenUp() > 0; again++) {
            plugAgain("ttyAMA0");
            counters = px4OnASerialPort();
        }

        assertThat(counters.givenUp())
                .as("every chunk was acknowledged, and STOP came")
                .isZero();
        assertThat(Settings.load(config()).logDirectory()).isEqualTo(Path.of("/var/lib/mavlogd/logs"));
    }

    private VehicleCounters px4OnASerialPort() throws Exception {
        Future<PlannedVehicle.Report<VehicleCounters>> flight;
        try (AirVehicles vehicles = new AirVehicles()) {
            flight = vehicles.px4(serialVehicle(), px4().build(), SystemTests.roverLog());

            assertThat(unattended("--port", "/dev/ttyAMA0", "--autopilot", "px4", "--force"))
                    .as("%s %s", out, err)
                    .isZero();
        }

        assertThat(out.toString())
                .contains("Found PX4 (system id 1) disarmed, its log comes at ", "Next:")
                .doesNotContain("problem", "warning");
        assertThat(links()).containsExactly(new LinkSettings.SerialPort("autopilot", "/dev/ttyAMA0", 921_600, false));
        VehicleCounters counters = flight.get().vehicle();
        assertThat(counters.sessions()).isEqualTo(1);
        return counters;
    }

    @Test
    void findsAnArduPilotOnTheOnlyPortAndStopsItsStream() throws Exception {
        plug("ttyTHS1");
        Future<PlannedVehicle.Report<ArduPilotCounters>> flight;
        try (AirVehicles vehicles = new AirVehicles()) {
            ArduPilotSettings settings = SystemTests.arduPilot()
                    .rateBytesPerSecond(50_000)
                    .logsDisarmed(true)
                    .loops(true)
                    .build();
            flight = vehicles.arduPilot(serialVehicle(), settings, DataFlashBytes.make(9, 300_000, 40_000));

            assertThat(unattended("--log-dir", "/media/logs"))
                    .as("%s %s", out, err)
                    .isZero();
        }

        assertThat(out.toString())
                .contains("Found ArduPilot (system id 1) disarmed, its log comes at ")
                .doesNotContain("problem");
        assertThat(links()).containsExactly(new LinkSettings.SerialPort("autopilot", "/dev/ttyTHS1", 921_600, false));
        assertThat(Settings.load(config()).logDirectory()).isEqualTo(Path.of("/media/logs"));
        ArduPilotCounters counters = flight.get().vehicle();
        assertThat(counters.logs()).isEqualTo(1);
        assertThat(counters.timeouts()).as("it was told to stop").isZero();
    }

    @Test
    void asksAndTakesEnterForAnAnswer() throws Exception {
        int port = FreePorts.udp();
        try (AirVehicles vehicles = new AirVehicles()) {
            var unused = vehicles.px4(
                    new LinkSettings.UdpConnect("vehicle", "127.0.0.1", port, true),
                    px4().build(),
                    SystemTests.roverLog());

            assertThat(init("\nudp:" + port + "\n\n")).as("%s %s", out, err).isZero();
        }

        assertThat(out.toString()).contains("Which autopilot", "Which port", "Where to store logs");
        assertThat(links()).containsExactly(new LinkSettings.UdpListen("autopilot", "127.0.0.1", port, true));
        assertThat(Files.readString(config())).startsWith("#:schema ");
    }

    @Test
    void keepsAnExistingFileUnlessToldOtherwise() throws Exception {
        Files.writeString(config(), "# mine\n");

        assertThat(unattended("--port", "udp:14999", "--untested")).isEqualTo(1);
        assertThat(err.toString()).contains("exists already", "--force");
        assertThat(init("no\n", "--autopilot", "px4", "--port", "udp:14999", "--log-dir", "/l", "--untested"))
                .isEqualTo(1);
        assertThat(config()).hasContent("# mine\n");

        Files.setPosixFilePermissions(config(), PosixFilePermissions.fromString("rw-r-----"));
        assertThat(unattended("--port", "udp:14999", "--untested", "--force"))
                .as("%s", err)
                .isZero();
        assertThat(unattended("--port", "/dev/x", "--baud", "57600", "--untested", "--force"))
                .isZero();

        assertThat(directory.resolve("mavlogd.toml.bak")).hasContent("# mine\n");
        assertThat(directory.resolve("mavlogd.toml.bak2")).content().contains(":14999");
        assertThat(links()).containsExactly(new LinkSettings.SerialPort("autopilot", "/dev/x", 57_600, false));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(config())))
                .isEqualTo("rw-r-----");
    }

    @Test
    void whatWouldBeWrongWithConfDIsNotWritten() throws Exception {
        Files.createDirectory(directory.resolve("conf.d"));
        Files.writeString(
                directory.resolve("conf.d/a.toml"),
                "[[link]]\nname = \"autopilot\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14600\"\n");

        assertThat(unattended("--port", "udp:14999", "--untested")).isEqualTo(78);

        assertThat(config()).doesNotExist();
        assertThat(err.toString()).contains("conf.d/a.toml:2:1: link[2].name");
        assertThat(directory.toFile().list()).containsExactly("conf.d");
    }

    /** Sends bytes from the vehicle's end until the command ends. */
    private int initWhileSending(byte[] bytes, String... words) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Thread sender = new Thread(() -> {
            try (var tty = Files.newOutputStream(vehicleEnd(), StandardOpenOption.WRITE)) {
                do {
                    tty.write(bytes);
                    tty.flush();
                } while (!done.await(20, TimeUnit.MILLISECONDS));
            } catch (IOException | InterruptedException e) {
                return; // the cable is unplugged
            }
        });
        sender.start();
        try {
            return unattended(words);
        } finally {
            done.countDown();
            sender.join(50_000);
        }
    }

    @Test
    void tellsAWrongBaudRateFromTextAndSilence() throws Exception {
        plug("ttyAMA0");
        byte[] garbage = new byte[64];
        new Random(7).nextBytes(garbage);

        assertThat(initWhileSending(garbage, "--port", "/dev/ttyAMA0", "--baud", "57600"))
                .isEqualTo(3);
        assertThat(out.toString()).contains("wrong baud rate", "SER_TEL2_BAUD", "SERIALn_BAUD");

        plugAgain("ttyAMA0");
        byte[] login = "\r\nraspberrypi login: ".getBytes(StandardCharsets.US_ASCII);
        assertThat(initWhileSending(login, "--port", "/dev/ttyAMA0")).isEqualTo(3);
        assertThat(out.toString())
                .contains("the login prompt of a console", "serial-getty@")
                .doesNotContain("wrong baud");

        plugAgain("ttyAMA0");
        byte[] nsh = "nsh> help\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(initWhileSending(nsh, "--port", "/dev/ttyAMA0")).isEqualTo(3);
        assertThat(out.toString()).contains("text arrives instead of MAVLink", "TELEM 2");

        plugAgain("ttyAMA0");
        assertThat(unattended("--port", "/dev/ttyAMA0", "--autopilot", "ardupilot", "--baud", "115200"))
                .isEqualTo(3);
        assertThat(out.toString())
                .contains("silence", "TX to RX", "SERIALn_PROTOCOL")
                .doesNotContain("MAV_1_CONFIG");
        assertThat(config()).doesNotExist();
    }

    @Test
    void triesEachUsualBaudRate() throws Exception {
        plug("ttyUSB0");

        assertThat(unattended("--port", "/dev/ttyUSB0")).isEqualTo(3);

        assertThat(out.toString())
                .contains(
                        "921600 baud: nothing", "57600 baud: nothing", "1500000 baud: nothing", "38400 baud: nothing");
    }

    @Test
    void refusedStreamsHaveARemedy() throws Exception {
        int port = FreePorts.udp();
        LinkSettings target = new LinkSettings.UdpConnect("vehicle", "127.0.0.1", port, true);
        byte[] log = SystemTests.roverLog();
        try (AirVehicles vehicles = new AirVehicles()) {
            var unused = vehicles.px4(target, px4().linkBytesPerSecond(4000).build(), log);
            assertThat(unattended("--port", "udp:" + port)).isEqualTo(3);
            assertThat(out.toString()).contains("log stream refused: the vehicle sends too slowly", "MAV_1_RATE");
        }
        try (AirVehicles vehicles = new AirVehicles()) {
            var unused = vehicles.px4(target, px4().loggerRuns(false).build(), log);
            assertThat(unattended("--port", "udp:" + port, "--autopilot", "ardupilot"))
                    .isEqualTo(3);
            assertThat(out.toString())
                    .contains("did not answer MAV_CMD_LOGGING_START", "SDLOG_BACKEND", "not expected");
        }
        try (AirVehicles vehicles = new AirVehicles()) {
            vehicles.parkArduPilot(target, DataFlashBytes.make(9, 30_000, 4_000), false, AirVehicles.PERFECT, RATE);
            assertThat(unattended("--port", "udp:" + port)).isEqualTo(3);
            assertThat(out.toString()).contains("streams no log", "LOG_BACKEND_TYPE", "LOG_MAV_BUFSIZE");
        }
        assertThat(config()).doesNotExist();
    }

    @Test
    void anArmedVehicleIsNotAskedForItsLog() throws Exception {
        int port = FreePorts.udp();
        Future<PlannedVehicle.Report<VehicleCounters>> flight;
        try (AirVehicles vehicles = new AirVehicles()) {
            flight = vehicles.px4(
                    new LinkSettings.UdpConnect("vehicle", "127.0.0.1", port, true),
                    px4().startsArmed(true).build(),
                    SystemTests.roverLog());

            assertThat(unattended("--port", "udp:" + port)).isZero();
        }

        assertThat(out.toString()).contains("warning: the vehicle is armed: its log was not asked for");
        assertThat(flight.get().vehicle().sessions()).isZero();
    }

    @Test
    void consolesPermissionsAndOtherProgramsAreNamedBeforeThePortIsOpened() throws Exception {
        Path device = Files.createFile(root.resolve("dev/ttyAMA0"));
        Files.createSymbolicLink(root.resolve("dev/serial0"), device);
        Files.setPosixFilePermissions(device, PosixFilePermissions.fromString("rw-rw----"));
        Object gid = Files.getAttribute(device, "unix:gid");
        Files.writeString(root.resolve("etc/passwd"), "mavlogd:x:65000:65000::/var/lib/mavlogd:/usr/sbin/nologin\n");
        Files.writeString(root.resolve("etc/group"), "dialout:x:" + gid + ":someone\n");
        Files.createDirectories(root.resolve("proc/device-tree"));
        Files.writeString(root.resolve("proc/device-tree/model"), "Raspberry Pi 4 Model B\0");
        Files.writeString(root.resolve("proc/cmdline"), "console=tty1 console=serial0,115200 root=x\n");
        program(71, "agetty", device.toRealPath().toString());

        assertThat(unattended("--port", "/dev/serial0")).isEqualTo(3);

        assertThat(out.toString())
                .contains("/dev/serial0 is in use by agetty (process 71)")
                .contains(
                        "sudo systemctl disable --now serial-getty@ttyAMA0",
                        "sudo udevadm trigger --subsystem-match=tty")
                .contains("sudo raspi-config nonint do_serial_cons 1")
                .contains("sudo usermod -aG dialout mavlogd")
                .doesNotContain("Testing");

        Files.writeString(root.resolve("etc/group"), "dialout:x:" + gid + ":someone,mavlogd\n");
        Files.writeString(root.resolve("proc/cmdline"), "console=tty1\n");
        Files.writeString(root.resolve("proc/71/comm"), "ModemManager\n");
        assertThat(unattended("--port", "/dev/ttyAMA0")).isEqualTo(3);
        assertThat(out.toString())
                .contains("sudo systemctl disable --now ModemManager")
                .doesNotContain("usermod", "do_serial_cons");

        assertThat(unattended("--port", "/dev/ttyAMA7")).isEqualTo(3);
        assertThat(out.toString()).contains("there is no device /dev/ttyAMA7", "do_serial_hw 0");
        assertThat(config()).doesNotExist();
    }

    @Test
    void theProgramOnAUdpPortIsNamed() throws Exception {
        program(4711, "QGroundControl", "socket:[9876]");
        Files.writeString(
                root.resolve("proc/net/udp"),
                "  sl  local_address rem_address\n  10: 00000000:38D6 00000000:0000 07 00000000:00000000 00:00000000"
                        + " 00000000  1000        0 9876 2 0 0\n");

        assertThat(unattended("--port", "udp:14550")).isEqualTo(3);

        assertThat(out.toString()).contains("UDP port 14550 is in use by QGroundControl (process 4711)");
    }

    private void program(int pid, String name, String file) throws IOException {
        Path process = Files.createDirectories(root.resolve("proc/" + pid + "/fd"));
        Files.createSymbolicLink(process.resolve("5"), Path.of(file));
        Files.writeString(process.resolveSibling("comm"), name + "\n");
    }

    @Test
    void theRunningRecordersPortIsLeftToIt() throws Exception {
        int port = FreePorts.udp();
        int http = FreePorts.tcp();
        Path logs = directory.resolve("logs");
        try (RunningDaemon daemon =
                RunningDaemon.in(logs).udpListen("air", port).start()) {
            await("status server", () -> daemon.httpPort().isPresent());
            Files.writeString(
                    config(),
                    "[log]\ndirectory = \"" + logs + "\"\n[http]\nlisten = \"127.0.0.1:"
                            + daemon.httpPort().orElse(http)
                            + "\"\n[[link]]\nname = \"air\"\ntype = \"udp\"\nlisten = \"127.0.0.1:" + port
                            + "\"\n");
            DirectoryLock lock = DirectoryLock.take(logs);
            try (lock) {
                assertThat(unattended("--port", "udp:" + port, "--force"))
                        .as("%s %s", out, err)
                        .isEqualTo(1);
            }
        }

        assertThat(err.toString()).contains("the running recorder uses this port");
        assertThat(out.toString()).contains("link       air  ", "systemctl stop mavlogd");

        assertThat(config()).content().contains("air");
    }

    @Test
    void wrongUsageIsToldInOneLine() {
        for (List<String> words : List.of(
                List.of("--port", "udp:14999"), // no answer is possible
                List.of("--yes"), // no port is given, and none exists
                List.of("--yes", "--port", "nowhere"),
                List.of("--yes", "--port", "99999"),
                List.of("--yes", "--port", "udp:14999", "--baud", "7"),
                List.of("--yes", "--port", "udp:14999", "--log-dir", "logs"),
                List.of("--yes", "--port", "udp:14999", "--autopilot", "inav"))) {
            assertThat(init(null, words.toArray(String[]::new))).as("%s", words).isEqualTo(2);
            assertThat(err.toString().lines()).hasSize(1);
        }
        assertThat(init("", "--port", "udp:14999")).isEqualTo(1);
        assertThat(err.toString()).contains("the input ended");
    }
}
