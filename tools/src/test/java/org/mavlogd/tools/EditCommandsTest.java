package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.logtools.Logs;

/** {@code mavlogd cut}, {@code filter} and {@code merge} as users run them. */
class EditCommandsTest {
    private static final String SMALL = "pyulog_sample_log_small";
    private static final int SMALL_SAMPLES = 14_604;

    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    private Path out() {
        return directory.resolve("out.ulg");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> paths = Files.list(directory)) {
            return paths.map(path -> String.valueOf(path.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    private int samples(Path log) {
        assertThat(shell.run("check", log)).as(shell.out()).isZero();
        return Integer.parseInt(
                shell.out().replaceAll("(?s).* ([0-9,]+) data message.*", "$1").replace(",", ""));
    }

    @Test
    void cutAndMergeAreOppositesThatLeaveNothingBehind() throws IOException {
        Path log = Logs.real(SMALL, directory);
        Path one = directory.resolve("one.ulg");
        Path two = directory.resolve("two.ulg");

        assertThat(shell.run("cut", log, "--to", "+2", "-o", one))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).startsWith(one + ": 4,219 samples, ").hasLineCount(1);
        assertThat(shell.run("cut", log, "--from", "+2.000001", "-o", two)).isZero();
        assertThat(samples(one) + samples(two)).isEqualTo(SMALL_SAMPLES);

        assertThat(shell.run("merge", two, "-o", out(), one)).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains(": 14,604 samples, ")
                .contains("; 2 logs")
                .hasLineCount(1);
        assertThat(samples(out())).isEqualTo(SMALL_SAMPLES);
        assertThat(files()).containsExactly("one.ulg", "out.ulg", SMALL + ".ulg", "two.ulg");
    }

    @Test
    void filterKeepsTheTopicsThatAreNamed() throws IOException {
        Path log = Logs.real(SMALL, directory);

        assertThat(shell.run("filter", log, "--topics", "battery_status,vehicle_gps*", "-o", out()))
                .isZero();
        assertThat(shell.out()).contains("; 3 topics").hasLineCount(1);
        assertThat(shell.run("info", out())).isZero();
        assertThat(shell.out())
                .contains("Vehicle      PX4")
                .contains("battery_status")
                .contains("vehicle_gps_position")
                .doesNotContain("sensor_combined");
    }

    @Test
    void aTopicThatIsNotThereIsNamedWithTheNextBest() throws IOException {
        Path log = Logs.real(SMALL, directory);

        assertThat(shell.run("filter", log, "--topics", "batery_status", "-o", out()))
                .isEqualTo(1);
        assertThat(shell.err())
                .contains("no topic \"batery_status\" (did you mean \"battery_status\"?)")
                .hasLineCount(1);
        assertThat(out()).doesNotExist();
    }

    @Test
    void standardInputAndOutputWork() throws IOException {
        byte[] log = Logs.real(SMALL);

        for (List<String> command : List.of(
                List.of("cut", "-", "--from", "+1", "-o", "-"), List.of("filter", "-", "--topics", "*", "-o", "-"))) {
            ByteArrayOutputStream piped = new ByteArrayOutputStream();
            InputStream in = System.in;
            PrintStream out = System.out;
            System.setIn(new ByteArrayInputStream(log));
            System.setOut(new PrintStream(piped, true, StandardCharsets.UTF_8));
            try {
                assertThat(shell.run(command.toArray())).as(shell.err()).isZero();
            } finally {
                System.setIn(in);
                System.setOut(out);
            }
            assertThat(shell.out()).isEmpty();
            assertThat(samples(Files.write(out(), piped.toByteArray()))).isGreaterThan(1000);
        }
    }

    @Test
    void logsOfAnyKindAreTaken() throws IOException {
        Path zipped = directory.resolve("zipped.ulg.gz");
        try (GZIPOutputStream gzip = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            gzip.write(Logs.real(SMALL));
        }
        Path arduPilot = Files.write(
                directory.resolve("ardupilot.bin"),
                DataFlashBuilder.aLog()
                        .fmt(1, "AAA", "Qc", "TimeUS,V")
                        .record("AAA", 1_000_000L, 12_345)
                        .record("AAA", 2_000_000L, 5)
                        .toByteArray());

        assertThat(shell.run("cut", zipped, "--to", "+2", "-o", out())).isZero();
        assertThat(samples(out())).isEqualTo(4219);
        assertThat(shell.run("cut", arduPilot, "--from", "1.5", "-o", out(), "--force"))
                .as(shell.err())
                .isZero();
        assertThat(samples(out())).isEqualTo(1);
        assertThat(shell.run("filter", arduPilot, "--topics", "AAA", "-o", out(), "--force"))
                .isZero();
        assertThat(samples(out())).isEqualTo(2);
        assertThat(shell.run("merge", "--align", "boot", zipped, arduPilot, "-o", out(), "--force"))
                .as(shell.err())
                .isZero();
        assertThat(samples(out())).isEqualTo(SMALL_SAMPLES + 2);
    }

    @Test
    void damagedLogsGiveTheRestAndSaySo() throws IOException {
        byte[] log = Logs.real(SMALL);
        Arrays.fill(log, 500_000, 503_000, (byte) 0);
        Path damaged = Files.write(directory.resolve("damaged.ulg"), log);
        Path other = Logs.real(SMALL, directory);

        for (List<Object> command : List.<List<Object>>of(
                List.of("cut", damaged, "--from", "+0"),
                List.of("filter", damaged, "--topics", "*"),
                List.of("merge", damaged, other))) {
            List<Object> words = new ArrayList<>(command);
            words.addAll(List.of("-o", out(), "--force"));

            assertThat(shell.run(words.toArray())).as(command.toString()).isEqualTo(3);

            assertThat(shell.err())
                    .contains("damaged: ")
                    .containsPattern(" damaged in 1 place, at byte 500,0[0-9]{2}\n")
                    .hasLineCount(1);
            assertThat(samples(out())).isGreaterThan(SMALL_SAMPLES - 100);
        }
    }

    @Test
    void aTimeThatEndsBeforeItStartsIsWrongUsage() throws IOException {
        Path log = Logs.real(SMALL, directory);

        for (List<Object> command : List.<List<Object>>of(
                List.of("cut", log, "-o", out()),
                List.of("cat", log, "--topic", "*", "--format", "ndjson"),
                List.of("messages", log),
                List.of("export", "csv", log, "-o", out()))) {
            for (List<String> times : List.of(
                    List.of("50", "49.9"),
                    List.of("+2", "+1"),
                    List.of("2026-03-20T20:28:14Z", "2026-03-20T20:28:13.999999Z"))) {
                List<Object> words = new ArrayList<>(command);
                words.addAll(List.of("--from", times.get(0), "--to", times.get(1)));

                assertThat(shell.run(words.toArray())).as(words.toString()).isEqualTo(2);

                assertThat(shell.err()).contains(": --from is later than --to").hasLineCount(1);
            }
        }
    }

    /** Every log that was streamed, or that ended with a loss of power, ends like this. */
    @Test
    void aLastMessageThatIsCutOffIsNoDamage() throws IOException {
        byte[] log = Logs.real(SMALL);
        Path cut = Files.write(directory.resolve("cut.ulg"), Arrays.copyOf(log, log.length - 5));
        Path other = Logs.real(SMALL, directory);

        for (List<Object> command : List.<List<Object>>of(
                List.of("cut", cut, "--from", "+0"),
                List.of("filter", cut, "--topics", "*"),
                List.of("merge", cut, other),
                List.of("merge", other, cut))) {
            List<Object> words = new ArrayList<>(command);
            words.addAll(List.of("-o", out(), "--force"));

            assertThat(shell.run(words.toArray())).as(command.toString()).isZero();

            assertThat(shell.err()).isEmpty();
            assertThat(shell.run("check", out())).isZero();
        }
    }

    @Test
    void everyDamagedLogOfTheCorpusGivesALogOrAnError() throws IOException {
        for (Map.Entry<String, byte[]> corner : Logs.corners().entrySet()) {
            Path log = Files.write(directory.resolve("corner.ulg"), corner.getValue());
            Path copy = Files.write(directory.resolve("copy.ulg"), corner.getValue());
            for (List<Object> command : List.<List<Object>>of(
                    List.of("cut", log, "--from", "+0"),
                    List.of("filter", log, "--topic", "*"),
                    List.of("merge", "--align", "boot", log, copy))) {
                List<Object> words = new ArrayList<>(command);
                words.addAll(List.of("-o", out()));

                int code = shell.run(words.toArray());

                String at = corner.getKey() + " " + command + ": " + shell.out() + shell.err();
                assertThat(code).as(at).isIn(0, 1, 3);
                assertThat(Files.exists(out())).as(at).isEqualTo(code != 1);
                if (code == 1) {
                    assertThat(shell.err()).as(at).hasLineCount(1);
                } else {
                    assertThat(shell.run("check", out())).as(at + shell.out()).isZero();
                    Files.delete(out());
                }
            }
        }
    }

    @Test
    void whatIsThereIsKeptUnlessForced() throws IOException {
        Path log = Logs.real(SMALL, directory);
        Files.writeString(out(), "precious");

        assertThat(shell.run("cut", log, "--to", "+2", "-o", out())).isEqualTo(1);
        assertThat(shell.err()).contains(out() + ": exists already").hasLineCount(1);
        assertThat(shell.run("filter", log, "--topics", "*", "-o", out())).isEqualTo(1);
        assertThat(shell.run("merge", log, directory.resolve("none.ulg"), "-o", out()))
                .isEqualTo(1);
        assertThat(shell.err()).contains("none.ulg: no such file").hasLineCount(1);
        assertThat(out()).hasContent("precious");
        assertThat(shell.run("cut", log, "--to", "+2", "-o", log, "--force")).isEqualTo(2);
        assertThat(shell.err()).contains("LOG and OUT are the same file").hasLineCount(1);
        assertThat(shell.run("cut", log, "--to", "+2", "-o", out(), "--force")).isZero();
        assertThat(samples(out())).isEqualTo(4219);
    }

    @Test
    void wrongUsageIsToldInOneLine() throws IOException {
        Path log = Logs.real(SMALL, directory);

        assertThat(shell.run("cut", log, "-o", out())).isEqualTo(2);
        assertThat(shell.err())
                .contains("a time is missing: --from TIME, --to TIME or both")
                .hasLineCount(1);
        assertThat(shell.run("cut", log, "--from", "soon", "-o", out())).isEqualTo(2);
        assertThat(shell.run("cut", log, "--from", "5000", "-o", out())).isEqualTo(1);
        assertThat(shell.err()).contains("nothing of this time").hasLineCount(1);
        assertThat(shell.run("merge", log, log, "-o", out())).isEqualTo(2);
        assertThat(shell.err()).contains("is named twice").hasLineCount(1);
        assertThat(shell.run("merge", log, "-", "-o", out())).isEqualTo(2);
        assertThat(shell.err()).contains("standard input cannot be merged").hasLineCount(1);
        assertThat(out()).doesNotExist();
    }
}
