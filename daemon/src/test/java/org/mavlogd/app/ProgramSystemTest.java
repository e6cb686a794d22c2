package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.vehicleInRealTime;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.whole.LogContent;

/** The program as users and systemd run it: arguments, signals, exit codes, and the files it leaves. */
@Timeout(120)
class ProgramSystemTest {
    private static final int POST_FLIGHT_BYTES = 10_000;
    private static final Duration BACK_AGAIN = PromisedTime.of(Duration.ofSeconds(2));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @BeforeEach
    void needsTheJar() {
        assumeTrue(ProgramProcess.isBuilt(), "daemon/target holds no program yet: run mvn package");
    }

    @Test
    void sigtermStopsTheVehicleAndFinishesTheLog() throws Exception {
        int port = FreePorts.udp();
        Path config = config(port);
        try (FlyingVehicle vehicle =
                fly(VehicleWire.udpTo(port), fastVehicle().loops(true).postFlightBytes(POST_FLIGHT_BYTES))) {
            for (int run = 1; run <= 2; run++) {
                int runs = run;
                try (ProgramProcess program = ProgramProcess.start(directory, "run", "--config", config.toString())) {
                    program.awaitReady();
                    await("data", () -> bytes(".part") > 300_000);

                    Duration ending = program.terminate();

                    assertThat(program.exitCode()).as(program.output()).isZero();
                    // Takes 1.7 s on an idle machine; systemd waits much longer.
                    assertThat(ending).isLessThan(PromisedTime.of(Duration.ofSeconds(3)));
                    assertThat(program.output()).contains("ready", "recording ", "log ended, stopped", "stopped");
                    assertThat(vehicle.sent()).hasSize(runs);
                    assertThat(vehicle.sent().get(run - 1).end()).isEqualTo("STOPPED");
                }
                assertThat(files()).hasSize(run);
                Path file = files().get(run - 1);
                LogContent log = LogContent.of(file.toString(), Files.readAllBytes(file));
                assertThat(file.toString()).matches(".*_sys001_00000" + run + "\\.ulg");
                assertThat(log.isComplete()).isTrue();
                assertThat(log.count('M')).isGreaterThan(100);
                assertThat(log.fromVehicle())
                        .isEqualTo(vehicle.sent().get(run - 1).bytes());
            }
        }
    }

    @Test
    void sigtermLosesNothingOfASerialPort() throws Exception {
        assumeTrue(
                PseudoTerminals.arePossible(), "socat is not installed (apt-get install socat): no serial port to try");
        Path device = directory.resolve("tty");
        Path config =
                Files.writeString(directory.resolve("mavlogd.toml"), """
                [log]
                directory = "%s"
                [http]
                listen = ""
                [[link]]
                name = "uart"
                type = "serial"
                device = "%s"
                baud = 921600
                """.formatted(directory.resolve("logs"), device));
        try (FlyingVehicle vehicle = fly(
                VehicleWire.pty(device),
                fastVehicle().loops(true).rateBytesPerSecond(200_000).postFlightBytes(POST_FLIGHT_BYTES))) {
            for (int run = 1; run <= 3; run++) {
                try (ProgramProcess program = ProgramProcess.start(directory, "run", "--config", config.toString())) {
                    program.awaitReady();
                    await("data", () -> bytes(".part") > 200_000);

                    program.terminate();

                    assertThat(program.exitCode()).as(program.output()).isZero();
                    assertThat(program.output()).contains("log ended, stopped").doesNotContain("device is gone");
                    assertThat(vehicle.sent())
                            .as("%s; the recorder said %s", vehicle, program.output())
                            .hasSize(run)
                            .last()
                            .matches(log -> log.end().equals("STOPPED"));
                }
                Path file = files().get(run - 1);
                LogContent log = LogContent.of(file.toString(), Files.readAllBytes(file));
                assertThat(log.isComplete()).isTrue();
                assertThat(log.count('O')).isZero();
                assertThat(log.fromVehicle())
                        .isEqualTo(vehicle.sent().get(run - 1).bytes());
            }
        }
    }

    @Test
    void keyThatCannotBeReadIsNoWrongConfiguration() throws Exception {
        Path config = config(FreePorts.udp());
        Files.writeString(
                config,
                "[signing]\nkey_file = \"" + directory.resolve("not-mounted/key") + "\"\n",
                StandardOpenOption.APPEND);

        ProgramProcess program = ProgramProcess.run(directory, "run", "--config", config.toString());

        assertThat(program.exitCode()).isEqualTo(1);
        assertThat(program.output()).contains("signing.key_file", "no such file");
    }

    @Test
    void nativeLibrariesAreNotTakenFromTheTemporaryDirectory() throws Exception {
        Path device = directory.resolve("tty");
        assumeTrue(
                PseudoTerminals.arePossible(), "socat is not installed (apt-get install socat): no serial port to try");
        Path config = Files.writeString(
                config(FreePorts.udp()),
                "[[link]]\nname = \"uart\"\ntype = \"serial\"\ndevice = \"" + device + "\"\nbaud = 921600\n",
                StandardOpenOption.APPEND);
        try (FlyingVehicle vehicle = fly(VehicleWire.pty(device), fastVehicle());
                ProgramProcess program = ProgramProcess.start(directory, "run", "--config", config.toString())) {
            assertThat(vehicle).isNotNull();
            program.awaitReady();
            await("port", () -> program.output().contains("link \"uart\": up"));

            // The project's directory may be on such a path.
            String built = Path.of("target").toAbsolutePath().toString();
            assertThat(program.libraries())
                    .anyMatch(path -> path.endsWith("/native/Linux/" + serialArchitecture() + "/libjSerialComm.so"))
                    .anyMatch(path -> path.contains("/native/META-INF/native/libnetty_transport_native_epoll"))
                    .allMatch(path -> !path.startsWith("/tmp/") || path.startsWith(built));
        }
    }

    private static String serialArchitecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "armv8_64" : "x86_64";
    }

    /** Each class costs memory, and CPU time in the first seconds of a flight. */
    @Test
    void recordingLoadsNoClassOfWhatIsNotUsed() throws Exception {
        int port = FreePorts.udp();
        Path config = Files.writeString(
                config(port),
                "[publish]\nsocket = \"" + directory.resolve("publish.sock") + "\"\n",
                StandardOpenOption.APPEND);
        Path loaded = directory.resolve("classes.txt");
        try (FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), fastVehicle().loops(true));
                ProgramProcess program = ProgramProcess.start(
                        directory,
                        Map.of(ProgramProcess.JAVA_OPTIONS, "-Xlog:class+load:file=" + loaded),
                        "run",
                        "--config",
                        config.toString())) {
            assertThat(vehicle).isNotNull();
            program.awaitReady();
            await("data", () -> bytes(".part") > 300_000);
            program.terminate();
        }

        assertThat(classes(loaded))
                .contains("org.mavlogd.record.Px4Recording", "org.mavlogd.store.Keeper$Command$Finish")
                // Java's own: events for its flight recorder, formatting with locales, comparison of records by method
                // handles.
                .doesNotContain(
                        "jdk.jfr.internal.MetadataRepository",
                        "java.util.Formatter",
                        "sun.util.locale.provider.LocaleProviderAdapter",
                        "java.lang.runtime.ObjectMethods",
                        // JSON that programs publish or request.
                        "com.fasterxml.jackson.core.JsonFactory")
                // Links, vehicles and sources that are not configured or not present.
                .noneMatch(name -> name.startsWith("com.fazecast."))
                .noneMatch(
                        name -> name.matches(
                                "org\\.mavlogd\\.(link\\.(Tcp|Serial|Multicast).*Link|mavlink\\.SpanChecksums|forward\\.Forwarder|signing\\.SigningAgent|fetch\\.FetchSession"
                                        + "|vehicle\\.ardupilot\\.ArduPilotLogSession|record\\.blocks\\.Block(Recording|Log)|local\\.(iio|gpsd|nmea|journal|syslog)\\.\\w+)"));
    }

    @Test
    void recordsWithTheHeapForSmallComputers() throws Exception {
        int port = FreePorts.udp();
        int httpPort = FreePorts.tcp();
        Path config = config(port, httpPort);
        try (FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), fastVehicle().loops(true));
                ProgramProcess program = ProgramProcess.start(
                        directory, Map.of("MAVLOGD_MEMORY", "small"), "run", "--config", config.toString())) {
            assertThat(vehicle).isNotNull();
            program.awaitReady();
            await("data", () -> bytes(".part") > 300_000);

            // With a heap of 24 MB instead of 40: see docs/configuration.md, "Memory".
            assertThat(memoryBudget(httpPort)).isBetween(5L << 20, 7L << 20);
            assertThat(program.terminate()).isLessThan(PromisedTime.of(Duration.ofSeconds(3)));
        }
    }

    private static long memoryBudget(int httpPort) throws IOException {
        try (InputStream in =
                URI.create("http://127.0.0.1:" + httpPort + "/status").toURL().openStream()) {
            String status = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Matcher budget = Pattern.compile("\"budget_bytes\"\\s*:\\s*(\\d+)").matcher(status);
            assertThat(budget.find()).as(status).isTrue();
            return Long.parseLong(budget.group(1));
        }
    }

    @Test
    void unknownMemorySizeEndsWith2AndNamesWhatIsAllowed() throws Exception {
        Path config = config(FreePorts.udp());
        try (ProgramProcess program = ProgramProcess.start(
                directory, Map.of("MAVLOGD_MEMORY", "tiny"), "run", "--config", config.toString())) {
            program.awaitEnd();

            assertThat(program.exitCode()).isEqualTo(2);
            assertThat(program.output()).contains("MAVLOGD_MEMORY is \"tiny\", allowed: small");
        }
    }

    private static List<String> classes(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.map(line -> line.substring(line.indexOf("] ", line.indexOf("class,load")) + 2))
                    .map(line -> line.substring(0, line.indexOf(' ')))
                    .toList();
        }
    }

    @Test
    void killedProgramGoesOnInTheSameFileWhileTheStreamLives() throws Exception {
        int port = FreePorts.udp();
        Path config = config(port);
        try (FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), vehicleInRealTime())) {
            long stored = 0;
            for (int kill = 0; kill < 2; kill++) {
                try (ProgramProcess program = ProgramProcess.start(directory, "run", "--config", config.toString())) {
                    program.awaitReady();
                    long before = stored;
                    long readyNs = System.nanoTime();
                    await("data", () -> bytes(".part") > before + 2000);
                    if (kill > 0) {
                        assertThat(Duration.ofNanos(System.nanoTime() - readyNs))
                                .isLessThan(BACK_AGAIN);
                    }
                    // The next run needs the note, which comes later on a slow disk.
                    await("more data", () -> bytes(".part") > before + 150_000 && !notes().isEmpty());
                    program.kill();
                    stored = bytes(".part");
                    assertThat(files())
                            .as(program.output())
                            .singleElement()
                            .asString()
                            .endsWith("_sys001_000001.ulg.part");
                }
                LogContent left = LogContent.of("left", Files.readAllBytes(files().get(0)));
                assertThat(left.gaps()).isEqualTo(kill);
            }
            try (ProgramProcess program = ProgramProcess.start(directory, "run", "--config", config.toString())) {
                program.awaitReady();
                long before = stored;
                await("data", () -> bytes(".part") > before + 45_000);
                assertThat(program.output()).contains("the log of the previous run continues");
                assertThat(program.terminate()).isLessThan(PromisedTime.of(Duration.ofSeconds(3)));
                assertThat(program.exitCode()).isZero();
            }

            assertThat(vehicle.sent().stream().map(SentLog::end)).containsExactly("STOPPED");
            assertThat(files()).singleElement().asString().endsWith("_sys001_000001.ulg");
            LogContent log = LogContent.of("log", Files.readAllBytes(files().get(0)));
            assertThat(log.isComplete()).isTrue();
            assertThat(log.gaps()).isEqualTo(2);
            // The recorder, its start time, and the names of tags.
            assertThat(log.messages().stream().filter(log::isRecorderInfo)).hasSize(3);
            assertThat(notes()).isEmpty();
        }
    }

    @Test
    void killedProgramFinishesTheLogOfAVehicleThatRebootedMeanwhile() throws Exception {
        int port = FreePorts.udp();
        Path config = config(port);
        try (FlyingVehicle vehicle = fly(
                VehicleWire.udpTo(port),
                fastVehicle().loops(true).rateBytesPerSecond(200_000).rebootNs(0))) {
            try (ProgramProcess program = ProgramProcess.start(directory, "run", "--config", config.toString())) {
                program.awaitReady();
                await("data", () -> bytes(".part") > 400_000);
                program.kill();
            }
            byte[] left =
                    LogContent.of("left", Files.readAllBytes(files().get(0))).fromVehicle();
            vehicle.order((px4, nowNs) -> px4.reboot(nowNs));
            await("reboot", () -> vehicle.sent().get(0).isEnded());

            try (ProgramProcess program = ProgramProcess.start(directory, "run", "--config", config.toString())) {
                program.awaitReady();
                await("second log", () -> vehicle.sent().size() == 2 && bytes("_000002.ulg.part") > 300_000);
                assertThat(program.terminate()).isLessThan(PromisedTime.of(Duration.ofSeconds(3)));
                assertThat(program.output()).contains("_000001.ulg: recovered after a crash: cut ", " of crash data");
            }

            assertThat(files()).hasSize(2);
            byte[] recovered = Files.readAllBytes(files().get(0));
            assertThat(files().get(0).toString()).endsWith("_sys001_000001.ulg");
            LogContent log = LogContent.of("recovered", recovered);
            assertThat(log.isComplete()).isTrue();
            // Except for the offset in the flag bits, all of it is there; the last log lines follow.
            assertThat(Arrays.copyOfRange(log.fromVehicle(), 59, left.length))
                    .isEqualTo(Arrays.copyOfRange(left, 59, left.length));
            assertThat(new String(recovered, StandardCharsets.UTF_8)).contains("[mavlogd] ready");
            LogContent second = LogContent.of("second", Files.readAllBytes(files().get(1)));
            assertThat(second.fromVehicle()).isEqualTo(vehicle.sent().get(1).bytes());
        }
    }

    @Test
    void secondProgramInTheSameDirectoryRefusesToStart() throws Exception {
        Path config = config(FreePorts.udp());
        try (ProgramProcess program = ProgramProcess.start(directory, "run", "--config", config.toString())) {
            program.awaitReady();
            Files.createFile(directory.resolve("logs/2026-11-21_14-03-59_sys001_000042.ulg.part"));

            ProgramProcess second = ProgramProcess.run(directory, "run", "--config", config.toString());

            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.output()).contains("is in use by another mavlogd");
            assertThat(files()).singleElement().asString().endsWith(".part");
        }
    }

    @Test
    void wrongConfigurationEndsWith78AndTellsAllProblems() throws Exception {
        Path config = Files.writeString(directory.resolve("wrong.toml"), """
                [log]
                mode = "sometimes"
                directroy = "/tmp"
                [[link]]
                name = "air"
                type = "udp"
                """);

        for (List<String> options : List.of(List.<String>of(), List.of("--check-config"))) {
            String[] arguments = Stream.concat(Stream.of("run", "--config", config.toString()), options.stream())
                    .toArray(String[]::new);
            ProgramProcess program = ProgramProcess.run(directory, arguments);

            assertThat(program.exitCode()).isEqualTo(78);
            assertThat(program.output().lines())
                    .anyMatch(line -> line.contains("wrong.toml:2:") && line.contains("log.mode"))
                    .anyMatch(line -> line.contains("wrong.toml:3:") && line.contains("directory"))
                    .anyMatch(line -> line.contains("link[1]") && line.contains("listen"));
            assertThat(program.output()).doesNotContain("Exception");
        }
    }

    @Test
    void missingConfigurationEndsWith78() throws Exception {
        ProgramProcess program = ProgramProcess.run(
                directory, "run", "--config", directory.resolve("nothing.toml").toString());

        assertThat(program.exitCode()).isEqualTo(78);
        assertThat(program.output()).contains("nothing.toml").doesNotContain("Exception");
    }

    @Test
    void rightConfigurationIsCheckedWithoutDoingAnything() throws Exception {
        ProgramProcess program = ProgramProcess.run(
                directory, "run", "--config", config(FreePorts.udp()).toString(), "--check-config");

        assertThat(program.exitCode()).isZero();
        assertThat(program.output()).contains("no problem found");
        assertThat(directory.resolve("logs")).doesNotExist();
    }

    @Test
    void unknownOptionEndsWith2AndASuggestion() throws Exception {
        ProgramProcess program = ProgramProcess.run(directory, "run", "--confg", "x");

        assertThat(program.exitCode()).isEqualTo(2);
        assertThat(program.output()).contains("--confg", "--config");
    }

    @Test
    void takenHttpPortKeepsNoLogFromBeingRecorded() throws Exception {
        int port = FreePorts.udp();
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Path config = config(port, taken.getLocalPort());
        try (taken;
                ProgramProcess program = ProgramProcess.start(directory, "run", "--config", config.toString());
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true))) {
            await("data", () -> bytes(".part") > 100_000);
            assertThat(vehicle.isStreaming()).isTrue();
            await(
                    "the report",
                    () -> program.output().contains("cannot listen on 127.0.0.1 port " + taken.getLocalPort()));
            assertThat(program.output()).contains("[http] listen").doesNotContain("Exception");

            taken.close();

            await("page", () -> program.output().contains("status at http://127.0.0.1:" + taken.getLocalPort()));
            assertThat(program.terminate()).isLessThan(PromisedTime.of(Duration.ofSeconds(5)));
            assertThat(program.exitCode()).isZero();
        }
    }

    private Path config(int port) throws IOException {
        return config(port, FreePorts.tcp());
    }

    private Path config(int port, int httpPort) throws IOException {
        return Files.writeString(
                directory.resolve("mavlogd.toml"), """
                [log]
                directory = "%s"
                [http]
                listen = "127.0.0.1:%d"
                [[link]]
                name = "air"
                type = "udp"
                listen = "127.0.0.1:%d"
                """.formatted(directory.resolve("logs"), httpPort, port));
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(directory.resolve("logs"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory.resolve("logs"))) {
            return files.filter(file -> !isHidden(file)).sorted().toList();
        }
    }

    private static boolean isHidden(Path file) {
        return String.valueOf(file.getFileName()).startsWith(".");
    }

    private List<Path> notes() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("logs"))) {
            return files.filter(file -> file.toString().endsWith(".state")).toList();
        }
    }

    private long bytes(String suffix) throws IOException {
        long sum = 0;
        for (Path file : files()) {
            sum += file.toString().endsWith(suffix) ? file.toFile().length() : 0;
        }
        return sum;
    }
}
