package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.record.MergedLog;

/** The examples of docs/examples publish to a recorder, whose log then contains their data. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishExamplesSystemTest {
    private static final Path EXAMPLES = Path.of(System.getProperty("basedir", "."), "..", "docs", "examples")
            .toAbsolutePath()
            .normalize();

    /** Messages like those that rosidl generates for Python, and the node's output for them. */
    private static final String WITHOUT_ROS = """
            import math, sys
            sys.path.insert(0, sys.argv[1])
            import ros2_publish as node

            class Message:
                def __init__(self, types, **values):
                    self.types = types
                    self.__dict__.update(values)
                def get_fields_and_field_types(self):
                    return self.types

            class Scalar:  # as of numpy
                def item(self):
                    return 2.5

            stamp = Message({"sec": "int32", "nanosec": "uint32"}, sec=7, nanosec=9)
            header = Message({"stamp": "builtin_interfaces/Time", "frame_id": "string"}, stamp=stamp, frame_id="rope")
            message = Message(
                {"header": "std_msgs/Header", "load": "double", "moving": "boolean", "mode": "octet",
                 "covariance": "float[3]", "history": "sequence<double>", "parts": "a_msgs/Part[2]"},
                header=header, load=math.nan, moving=True, mode=b"\\x05",
                covariance=[Scalar(), Scalar(), Scalar()], history=[1.0], parts=[stamp, stamp])
            topic = node.topic_name("/boat/winch-2")
            print(node.topic_name("/2nd"))
            print(node.define_line(topic, message))
            print(node.sample_line(topic, message, int(sys.argv[3])))
            publisher = node.Publisher(sys.argv[2])
            publisher.send(node.define_line(topic, message))
            publisher.send(node.sample_line(topic, message, int(sys.argv[3])))
            nobody = node.Publisher(sys.argv[2] + ".nobody")
            nobody.send("x")
            assert (publisher.lost, nobody.lost) == (0, 1)
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path logs;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path socket() {
        return directory.resolve("p.sock");
    }

    private RunningDaemon recorder() {
        RunningDaemon recorder =
                RunningDaemon.in(logs).standaloneAfterS(0).publishing(socket()).start();
        await("the socket", () -> Files.exists(socket()));
        return recorder;
    }

    private static void assumeInstalled(String program) {
        boolean found = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
        Assumptions.assumeTrue(found, program + " is not installed: the test of its example is skipped");
    }

    /** Runs a command, which must end with 0, and returns its output. */
    private String run(Object... command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(Stream.of(command).map(Object::toString).toList()).redirectErrorStream(true);
        builder.environment().put("MAVLOGD_SOCKET", socket().toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().merge("PATH", directory.toString(), (path, first) -> first + ":" + path);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    /** Installs the command of the program, made of the classes under test. */
    private void installCommand() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path command = Files.writeString(
                directory.resolve("mavlogd"),
                "#!/bin/sh\nexec '" + java + "' -Xshare:auto -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path") + "' org.mavlogd.tools.Main \"$@\"\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
    }

    private void checkLog(RunningDaemon recorder, List<Float> loads) throws Exception {
        recorder.stop();
        List<MergedLog.Sample> samples = new ArrayList<>();
        List<MergedLog.Text> texts = new ArrayList<>();
        List<Optional<String>> units = new ArrayList<>();
        for (Path file : recorder.files()) {
            MergedLog log = MergedLog.of(Files.readAllBytes(file));
            samples.addAll(log.samples("winch"));
            texts.addAll(log.texts());
            units.add(Optional.ofNullable(log.units().get("winch")));
        }
        assertThat(samples)
                .extracting(sample -> Float.intBitsToFloat(sample.firstInt()))
                .containsExactlyElementsOf(loads);
        assertThat(texts).extracting(MergedLog.Text::text).contains("winch starts");
        assertThat(units).contains(Optional.of("load_kg=kg"));
    }

    @Test
    void shellScriptPublishes() throws Exception {
        installCommand();
        try (RunningDaemon recorder = recorder()) {
            assertThat(run("sh", EXAMPLES.resolve("publish.sh"), 3)).isEmpty();
            checkLog(recorder, List.of(12.0f, 12.1f, 12.2f));
        }
    }

    @Test
    void pythonProgramPublishes() throws Exception {
        assumeInstalled("python3");
        try (RunningDaemon recorder = recorder()) {
            assertThat(run("python3", EXAMPLES.resolve("publish.py"), 3))
                    .contains("'define': 'winch'", "'id': 1")
                    .doesNotContain("error");
            checkLog(recorder, List.of(12.4f, 12.5f, 12.6f));
        }
    }

    @Test
    void programInCPublishes() throws Exception {
        assumeInstalled("cc");
        Path program = directory.resolve("publish");
        String said = run(
                "cc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, EXAMPLES.resolve("publish.c"));
        assertThat(said).isEmpty();
        try (RunningDaemon recorder = recorder()) {
            assertThat(run(program, 3))
                    .contains("\"define\":\"winch\"", "\"id\":1")
                    .doesNotContain("error");
            checkLog(recorder, List.of(12.4f, 12.5f, 12.6f));
        }
    }

    @Test
    void ros2NodePublishesWhatItHears() throws Exception {
        assumeInstalled("python3");
        try (RunningDaemon recorder = recorder()) {
            Path test = Files.writeString(directory.resolve("without_ros.py"), WITHOUT_ROS);
            List<String> lines = run("python3", test, EXAMPLES, socket(), System.nanoTime())
                    .lines()
                    .toList();
            assertThat(lines.get(0)).isEqualTo("ros_2nd");
            assertThat(lines.get(1))
                    .isEqualTo("{\"define\": \"boat_winch_2\", \"fields\": {\"header_stamp_sec\": \"int32_t\", "
                            + "\"header_stamp_nanosec\": \"uint32_t\", \"header_frame_id\": \"char[64]\", "
                            + "\"load\": \"double\", \"moving\": \"bool\", \"mode\": \"uint8_t\", "
                            + "\"covariance\": \"float[3]\"}}");
            assertThat(lines.get(2)).contains("\"load\": NaN").contains("\"covariance\": [2.5, 2.5, 2.5]");
            await(
                    "the sample is in the log",
                    () -> recorder.get("/metrics")
                            .text()
                            .lines()
                            .anyMatch(line -> line.startsWith("mavlogd_merge_stored_samples_total{")
                                    && line.contains("publish")
                                    && !line.endsWith(" 0.0")));
            recorder.stop();

            List<MergedLog.Sample> samples = new ArrayList<>();
            for (Path file : recorder.files()) {
                samples.addAll(MergedLog.of(Files.readAllBytes(file)).samples("boat_winch_2"));
            }
            assertThat(samples).extracting(MergedLog.Sample::firstInt).containsExactly(7);
        }
    }

    @Test
    void everyExampleIsInTheDocumentation() throws IOException {
        String document = Files.readString(EXAMPLES.resolve("../publishing.md"));
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(document)
                        .as(String.format(Locale.ROOT, "docs/publishing.md links to %s", file.getFileName()))
                        .contains("(examples/" + file.getFileName() + ")");
            }
        }
    }
}
