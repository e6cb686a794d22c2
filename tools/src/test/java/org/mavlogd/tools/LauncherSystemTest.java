package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.SystemTests.await;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/**
 * Commands, mainly those that open links, started by {@code scripts/mavlogd} from the built jars as users do, without
 * the options of the tests.
 */
@Timeout(120)
class LauncherSystemTest {
    private static final String LOG = "../simulator/src/demo/11_rover_ackermann.ulg.gz";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endsWhatItStarted() throws InterruptedException {
        for (Process process : processes) {
            process.destroy();
        }
        for (Process process : processes) {
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
        }
    }

    private Process start(File output, String... command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private String run(String... words) throws IOException, InterruptedException {
        File output = directory.resolve("output").toFile();
        List<String> command = new ArrayList<>(List.of("../scripts/mavlogd"));
        command.addAll(Arrays.asList(words));
        Process process = start(output, command.toArray(String[]::new));
        int code = process.waitFor();
        String text = Files.readString(output.toPath());
        assertThat(code).as(text).isZero();
        return text;
    }

    @Test
    void initFetchAndSimulateOpenSerialPorts() throws Exception {
        assumeTrue(
                PseudoTerminals.arePossible(), "socat is not installed (apt-get install socat): no serial port to try");
        Path vehicleEnd = directory.resolve("tty-vehicle");
        Path ourEnd = directory.resolve("tty-ours");
        processes.add(PseudoTerminals.connected(vehicleEnd, ourEnd));
        File vehicle = directory.resolve("vehicle").toFile();
        start(
                vehicle,
                "../scripts/mavlogd",
                "simulate",
                "px4",
                "--log",
                LOG,
                "--to",
                "serial:" + vehicleEnd + ":921600",
                "--loop");
        await("vehicle", () -> Files.readString(vehicle.toPath()).contains("up at"));

        Path config = directory.resolve("mavlogd.toml");
        String said = run(
                "init",
                "--autopilot",
                "px4",
                "--port",
                ourEnd.toString(),
                "--baud",
                "921600",
                "--log-dir",
                directory.toString(),
                "--yes",
                "--config",
                config.toString());
        assertThat(said).contains("Found PX4 (system id 1)");
        assertThat(config).content().contains(ourEnd.toString());
        assertThat(run("fetch", "--link", "serial:" + ourEnd + ":921600", "--list"))
                .contains("1 log,");
    }

    /** Java loads libraries by absolute paths only. */
    @Test
    void startedByARelativePathItFindsItsLibraries() throws Exception {
        File output = directory.resolve("output").toFile();
        String script = "root=$(cd .. && pwd) && mkdir \"$1/installed\" && cd \"$1/installed\""
                + " && cp \"$root/scripts/mavlogd\" \"$root/config/jvm.options\" ."
                + " && ln -s \"$(ls -t \"$root\"/tools/target/mavlogd-tools-*.jar | grep -v -- -tests | head -n 1)\" mavlogd-tools.jar"
                + " && ln -s \"$(ls -t \"$root\"/daemon/target/mavlogd-*.jar | grep -v -- -tests | head -n 1)\" mavlogd.jar"
                + " && ln -s \"$root/tools/target/lib\" lib && ln -s \"$root/tools/target/native\" native"
                + " && cd .. && installed/mavlogd export mcap \"$root/simulator/src/demo/11_rover_ackermann.ulg.gz\" -o a.mcap";

        Process tool = start(output, "sh", "-c", script, "sh", directory.toString());

        assertThat(tool.waitFor()).as(Files.readString(output.toPath())).isZero();
        assertThat(directory.resolve("a.mcap")).isNotEmptyFile();
    }

    /** Each takes time, and a small log is shown in 0.15 s only without them. */
    @Test
    void infoOfALogLoadsNoClassOfWhatItDoesNotNeed() throws Exception {
        Path loaded = directory.resolve("classes");
        File output = directory.resolve("output").toFile();
        String script = "gzip -dc " + LOG + " > \"$1/a.ulg\" && JDK_JAVA_OPTIONS=-Xlog:class+load:file=" + loaded
                + " ../scripts/mavlogd info \"$1/a.ulg\"";

        Process tool = start(output, "sh", "-c", script, "sh", directory.toString());

        assertThat(tool.waitFor()).as(Files.readString(output.toPath())).isZero();
        assertThat(output).content().contains("Dropouts");
        assertThat(loaded)
                .content()
                .contains("org.mavlogd.survey.SurveyText ")
                // The parser of command lines, Java's logging, tables of languages.
                .doesNotContain(
                        "picocli.CommandLine$Model$OptionSpec ",
                        "java.util.logging.LogManager$LoggerContext ",
                        "sun.util.locale.provider.LocaleProviderAdapter ");
    }

    /** Exit code 3 would mean that the log is damaged and the rest was printed. */
    @Test
    void toolsThatRunOutOfMemoryFail() throws Exception {
        Path log = directory.resolve("a.ulg");
        try (FileSink sink = FileSink.create(log);
                ULogWriter writer = new ULogWriter(sink, 0, WriterSettings.DEFAULT)) {
            writer.format(TopicFormat.parse("t:uint64_t timestamp;"));
            writer.subscribe("t", 0).begin(1).write();
            for (int i = 0; i < 100_000; i++) {
                writer.parameter("P" + i % 16_000 + "x".repeat(230), i);
            }
        }
        File output = directory.resolve("output").toFile();

        Process tool = start(output, "../scripts/mavlogd", "params", "--format", "json", log.toString());

        assertThat(tool.waitFor()).isEqualTo(1);
        assertThat(output).content().startsWith("mavlogd params: out of memory").hasLineCount(1);
    }

    /** Java would decode file names as ASCII, and not find the file. */
    @ParameterizedTest
    @ValueSource(strings = {"C", "", "xx_XX.UTF-8"})
    void filesOfAnyNameAreFoundInAnyLocale(String locale) throws Exception {
        File output = directory.resolve("output").toFile();
        String script = "gzip -dc " + LOG + " > \"$1/$(printf 'm\\303\\274ll').ulg\" && LANG= LC_CTYPE= LC_ALL="
                + locale + " ../scripts/mavlogd check \"$1\"/m*.ulg";

        Process tool = start(output, "sh", "-c", script, "sh", directory.toString());

        assertThat(tool.waitFor()).as(Files.readString(output.toPath())).isZero();
        assertThat(output).content(StandardCharsets.UTF_8).contains("m\u00fcll.ulg: intact");
    }
}
