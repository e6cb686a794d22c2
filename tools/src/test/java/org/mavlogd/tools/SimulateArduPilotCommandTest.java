package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.simulate.MovedLog;

/** {@code mavlogd simulate ardupilot}, and the demo that uses it. */
@Timeout(120)
class SimulateArduPilotCommandTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("..");
    private static final int BLOCK = 200;

    private final Shell shell = new Shell("simulate", "ardupilot");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void helpNamesEveryOption() {
        assertThat(shell.run("--help")).isZero();

        assertThat(shell.out())
                .contains("--log", "--to", "--loop", "--end-with-log", "--armed", "--no-log-disarmed", "--no-backend")
                .contains("--buffer", "--mavlink1", "--boot-text", "--rate", "--loss", "--arm-at", "--reboot-at")
                .contains("1 to 53 (default: 8)", "Exit codes", "Examples");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --buffer 0       | --buffer is 0, and must be 1 to 53
            --buffer 54      | --buffer is 54, and must be 1 to 53
            --system-id 0    | --system-id is 0, and must be 1 to 255
            --system-id 256  | --system-id is 256, and must be 1 to 255
            --telemetry 1001 | --telemetry is 1001, and must be 0 to 1000
            --rate -1        | --rate is -1, and must be 0 to 1000000
            --arm-at -2      | --arm-at is -2, and must be 0 to 1000000000
            --loss 101       | 101
            --buffer x       | 'x' is not an int
            --nonsense       | --nonsense
            """)
    void aWrongValueIsOneLineThatNamesIt(String option, String message) {
        List<String> words = new ArrayList<>(List.of("--log", "a.bin", "--to", "udp:127.0.0.1:9"));
        words.addAll(List.of(option.split(" ", -1)));

        assertThat(shell.run(words.toArray())).isEqualTo(2);
        assertThat(shell.err().lines().toList()).singleElement().asString().contains(message);
    }

    @Test
    void whatIsNoLogIsSaid() throws IOException {
        Path noLog = Files.writeString(directory.resolve("no.bin"), "this is no log at all");

        assertThat(shell.run("--log", noLog.toString(), "--to", "udp:127.0.0.1:9"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("no.bin").contains("no message of a DataFlash log");
    }

    @Test
    void withoutARecorderItSaysSo() throws IOException {
        int port = FreePorts.udp();
        assertThat(shell.run("--log", log().toString(), "--to", "udp:127.0.0.1:" + port, "--duration", "0.5"))
                .isEqualTo(1);

        assertThat(shell.out()).startsWith("simulate: logs 0, blocks 0,");
        assertThat(shell.err()).contains("no recorder asked for the stream at udp:127.0.0.1:" + port);
    }

    /** Uses the vehicle's default buffer. */
    @Test
    void tellsWhatWasSentAndAcknowledged() throws Exception {
        int port = FreePorts.udp();
        Path log = log();
        try (RunningDaemon daemon =
                RunningDaemon.in(directory).udpListen("air", port).start()) {
            assertThat(shell.run(
                            "--log",
                            log.toString(),
                            "--to",
                            "udp:127.0.0.1:" + port,
                            "--end-with-log",
                            "--arm-at",
                            "1",
                            "--telemetry",
                            "20"))
                    .as(shell.err())
                    .isZero();
            assertThat(daemon.vehicles()).hasSize(1);
        }

        byte[] file = Files.readAllBytes(only(".bin"));
        byte[] bytes = Files.readAllBytes(log);
        long blocks = bytes.length / BLOCK;
        assertThat(shell.out())
                .startsWith("simulate: logs 1, blocks " + blocks + ", repeated ")
                .contains("acknowledged " + blocks + ",", "messages dropped by the vehicle 0", "arming refused 0");
        assertThat(file)
                .hasSize((int) blocks * BLOCK)
                .isEqualTo(Arrays.copyOf(MovedLog.like(bytes, file), file.length));
    }

    /** Records the vehicle of {@code scripts/demo --vehicle rover-ardupilot}. */
    @Test
    void theDemosRoverIsRecorded() throws Exception {
        String demo = Files.readString(ROOT.resolve("scripts/demo"));
        Matcher line =
                Pattern.compile("rover-ardupilot\\) set -- ardupilot (.*) ;;").matcher(demo);
        assertThat(line.find()).isTrue();
        List<String> words = new ArrayList<>();
        for (String word : line.group(1).split(" ", -1)) {
            words.add(word.startsWith("test-data/") ? ROOT.resolve(word).toString() : word);
        }
        int port = FreePorts.udp();
        words.addAll(List.of("--to", "udp:127.0.0.1:" + port, "--duration", "4"));
        try (RunningDaemon daemon =
                RunningDaemon.in(directory).udpListen("air", port).start()) {
            assertThat(shell.run(words.toArray())).as(shell.err()).isZero();
            assertThat(daemon.vehicles()).hasSize(1);
        }

        // How much there is depends on when the recorder first heard it.
        assertThat(Files.size(only(".bin"))).isGreaterThan(10_000);
        assertThat(Files.size(only(".ulg"))).isGreaterThan(10_000);
    }

    @Test
    void theDemoNamesItsVehicles() throws Exception {
        Process demo = new ProcessBuilder(ROOT.resolve("scripts/demo").toString(), "--vehicle", "boat")
                .redirectErrorStream(true)
                .start();
        String said = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(demo.waitFor(50, TimeUnit.SECONDS)).isTrue();
        assertThat(demo.exitValue()).isEqualTo(2);
        assertThat(said).contains("usage: scripts/demo [--vehicle rover-px4|rover-ardupilot] [--seconds N]");
    }

    private Path log() throws IOException {
        return Files.write(directory.resolve("drive.log"), DataFlashBytes.make(3, 24_000, 6_000));
    }

    private Path only(String kind) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> found = files.filter(path -> path.toString().endsWith(kind)
                            && !String.valueOf(path.getFileName()).startsWith("."))
                    .toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }
}
