package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.dataflash.Captures;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.logtools.Logs;

/** The ways to name a log, and the accepted forms of logs, are the same for each command. */
class LogNamesTest {
    private static final String OLD = "2026-11-20_09-12-40_sys001_000041.ulg";
    private static final String BIN = "2026-11-21_14-03-59_sys001_000042.bin";
    private static final String NEW = "2026-11-21_14-03-59_sys001_000042_000043.ulg";
    private static final String LOG = "pyulog_sample_log_small";

    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    private static byte[] dataFlash() {
        return DataFlashBuilder.aLog()
                .fmt(1, "AAA", "Qc", "TimeUS,V")
                .record("AAA", 1_000L, 12_345)
                .record("AAA", 2_000L, 5)
                .toByteArray();
    }

    private Path file(String name, byte[] bytes) throws IOException {
        return Files.write(directory.resolve(name), bytes);
    }

    private int runWithInput(byte[] input, Object... words) {
        return runWithInput(new ByteArrayInputStream(input), words);
    }

    private int runWithInput(InputStream input, Object... words) {
        InputStream before = System.in;
        System.setIn(input);
        try {
            return shell.run(words);
        } finally {
            System.setIn(before);
        }
    }

    /** The output of a command, with LOG instead of the log's name. */
    private String output(Path log) {
        return shell.out().replace(log.toString(), "LOG");
    }

    @Test
    void standardInputIsReadForOneLogOnly() throws IOException {
        byte[] log = Logs.real(LOG);

        assertThat(runWithInput(log, "params", "-", "--diff", "-")).isEqualTo(1);
        assertThat(shell.err())
                .endsWith("standard input: can be only one of the logs" + System.lineSeparator())
                .hasLineCount(1);
        assertThat(runWithInput(log, "check", "-", "-")).isEqualTo(1);
        assertThat(shell.out()).startsWith("standard input: intact").hasLineCount(1);
        assertThat(shell.err())
                .contains("standard input: can be only one of the logs")
                .hasLineCount(1);
        assertThat(runWithInput(log, "params", file("a.ulg", log), "--diff", "-"))
                .isZero();
    }

    /** Joins two gzip files like {@code cat}; in a pipe the second part may arrive later. */
    @Test
    void allPartsOfAGzipFileAreRead() throws IOException {
        byte[] log = Logs.real(LOG);
        shell.run("check", file("a.ulg", log));
        String expected = output(directory.resolve("a.ulg"));
        InputStream pipe = new SequenceInputStream(
                new ByteArrayInputStream(gzip(Arrays.copyOf(log, 1000))),
                new ByteArrayInputStream(gzip(Arrays.copyOfRange(log, 1000, log.length))));

        assertThat(runWithInput(pipe, "check", "-")).as(shell.err()).isZero();

        assertThat(shell.out().replace("standard input", "LOG")).isEqualTo(expected);
    }

    @Test
    void contentAndNotTheNameTellsTheKindOfLog() throws IOException {
        byte[] ulog = Logs.real(LOG);
        Path plain = file("a.ulg", ulog);
        shell.run("info", plain);
        String expected = output(plain);

        for (Path other : List.of(
                file("a.bin", ulog), file("a.ulg.part", ulog), file("a", gzip(ulog)), file("a.bin.part", gzip(ulog)))) {
            assertThat(shell.run("info", other)).as(shell.err()).isZero();
            assertThat(output(other)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"log.bin", "log.bin.part", "log.ulg", "log"})
    void everyCommandReadsALogOfArduPilot(String name) throws IOException {
        for (byte[] bytes : List.of(dataFlash(), gzip(dataFlash()))) {
            Path log = file(name, bytes);
            Path tables = directory.resolve(name + bytes.length);

            assertThat(shell.run("check", log)).as(shell.err()).isZero();
            assertThat(shell.out()).contains("intact").contains("2 data messages");
            assertThat(shell.run("info", log)).isZero();
            assertThat(shell.out()).contains("1 with 2 messages");
            assertThat(shell.run("export", "csv", log, "-o", tables)).isZero();
            assertThat(tables.resolve("AAA_0.csv")).hasContent("timestamp,V\n1000,12345\n2000,5\n");
            assertThat(shell.run("recover", "--force", log, directory.resolve("out.ulg")))
                    .isZero();
            assertThat(shell.run("convert", "--force", log, directory.resolve("converted.ulg")))
                    .isZero();
            assertThat(directory.resolve("converted.ulg")).hasSameBinaryContentAs(directory.resolve("out.ulg"));
        }
    }

    @Test
    void aLogOfArduPilotSaysTheSameWhetherReadOrConverted() throws IOException {
        Path bin = file("s4.bin", Captures.log("s4_logdownload.log_data.bin"));
        Path ulog = directory.resolve("s4.ulg");
        assertThat(shell.run("convert", bin, ulog)).isZero();
        shell.run("info", "--json", ulog);
        String converted = shell.out();

        assertThat(shell.run("info", "--json", bin)).isZero();

        assertThat(shell.out()
                        .replaceFirst("\"truncated_bytes\" : 4", "\"truncated_bytes\" : 0")
                        .replaceFirst("\"first_damage_at\" : 335868", "\"first_damage_at\" : null"))
                .isEqualTo(converted);
    }

    @Test
    void damageInALogOfArduPilotIsReported() throws IOException {
        byte[] bytes = Captures.log("s4_logdownload.log_data.bin");
        Arrays.fill(bytes, 100_000, 100_500, (byte) 0);
        Path log = file("damaged.bin", bytes);

        assertThat(shell.run("check", log)).isEqualTo(3);
        assertThat(shell.out())
                .contains("damaged in 1 place, 4 bytes of a message that was cut off, the first at byte 99,9");
        assertThat(shell.run("recover", log, directory.resolve("out.ulg"))).isEqualTo(3);
        assertThat(shell.err()).contains("damaged in 1 place, 4 bytes of a message that was cut off");
    }

    @Test
    void aLogOfArduPilotWithoutItsFirstBytesIsRecognised() throws IOException {
        byte[] bytes = Captures.log("s4_logdownload.log_data.bin");
        Path log = file("late.log", Arrays.copyOfRange(bytes, 1, bytes.length));

        assertThat(shell.run("check", log)).isEqualTo(3);
        assertThat(shell.out()).contains("damaged in 1 place").contains("data messages");
    }

    @Test
    void standardInputIsALog() throws IOException {
        for (byte[] bytes : List.of(Logs.real(LOG), gzip(Logs.real(LOG)), dataFlash(), gzip(dataFlash()))) {
            assertThat(runWithInput(bytes, "check", "-")).as(shell.err()).isZero();
            assertThat(shell.out()).startsWith("standard input: intact (").doesNotContain(" 0 data messages");
        }
        for (String command : List.of("check", "info", "messages", "params")) {
            assertThat(runWithInput("no log".getBytes(StandardCharsets.US_ASCII), command, "-"))
                    .isEqualTo(1);
            assertThat(shell.err())
                    .startsWith("mavlogd " + command + ": standard input: ")
                    .hasLineCount(1);
        }
    }

    @Test
    void noCopyOfStandardInputIsLeftBehind() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        List<String> before = copies(temporary);

        assertThat(runWithInput(dataFlash(), "convert", "-", directory.resolve("out.ulg")))
                .as(shell.err())
                .isZero();
        byte[] bad = Arrays.copyOf(new byte[] {(byte) 0xA3, (byte) 0x95}, 5000);
        assertThat(runWithInput(bad, "check", "-")).isEqualTo(1);

        assertThat(copies(temporary)).isSubsetOf(before);
    }

    private static List<String> copies(Path temporary) throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.map(Path::toString)
                    .filter(name -> name.contains("mavlogd-") && name.endsWith(".log"))
                    .toList();
        }
    }

    @Test
    void damagedGzipIsAClearError() throws IOException {
        byte[] packed = gzip(Logs.real(LOG));
        Path cut = file("cut.ulg.gz", Arrays.copyOf(packed, packed.length / 2));
        Path head = file("head.ulg.gz", Arrays.copyOf(packed, 5));
        byte[] broken = packed.clone();
        Arrays.fill(broken, packed.length / 2, packed.length / 2 + 100, (byte) 0x55);

        for (Path bad : List.of(cut, head, file("broken.ulg.gz", broken))) {
            assertThat(shell.run("check", bad)).isEqualTo(1);
            assertThat(shell.err())
                    .startsWith("mavlogd check: " + bad + ": its gzip data is damaged or cut off after ")
                    .hasLineCount(1);
        }
    }

    @Test
    void aRecordedLogIsFoundByItsName() throws IOException {
        file(OLD, Logs.real("yule_powers"));
        file(BIN, dataFlash());
        file(NEW + ".part", Logs.real(LOG));

        assertThat(shell.run("check", "--dir", directory, OLD)).as(shell.err()).isZero();
        assertThat(shell.out()).startsWith(directory.resolve(OLD) + ": intact");
        assertThat(shell.run("check", OLD.replace(".ulg", ""), "--dir", directory))
                .isZero();
        assertThat(shell.run("check", "--dir", directory, NEW)).isZero();
        assertThat(shell.out()).startsWith(directory.resolve(NEW + ".part") + ": ");
        assertThat(shell.run("check", "--dir", directory, BIN)).isZero();
        assertThat(shell.out()).startsWith(directory.resolve(BIN) + ": intact");
    }

    @Test
    void theConfigurationNamesTheDirectory() throws IOException {
        file(OLD, Logs.real(LOG));
        Path config = Files.writeString(
                directory.resolve("mavlogd.toml"),
                "[log]\ndirectory = \"" + directory
                        + "\"\n[[link]]\nname = \"a\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14550\"\n");

        assertThat(shell.run("check", "--config", config, "LAST"))
                .as(shell.err())
                .isZero();
        assertThat(shell.run("check", "--config", directory.resolve("none.toml"), "LAST"))
                .isEqualTo(1);
        assertThat(shell.err())
                .contains("LAST: there is no such file, and the log directory is not known")
                .contains("--dir")
                .hasLineCount(1);
        assertThat(shell.run("check", "--config", config, "--dir", directory, "LAST"))
                .isEqualTo(2);
    }

    @Test
    void lastCountsLogsAndNotTheirFiles() throws IOException {
        file(OLD, Logs.real("yule_powers"));
        file(BIN, dataFlash());
        file(NEW, Logs.real(LOG));

        assertThat(shell.run("check", "--dir", directory, "LAST")).isZero();
        assertThat(shell.out()).startsWith(directory.resolve(NEW) + ": ");
        assertThat(shell.run("check", "--dir", directory, "LAST~0")).isZero();
        assertThat(shell.run("check", "--dir", directory, "LAST~1")).isZero();
        assertThat(shell.out()).startsWith(directory.resolve(OLD) + ": ");
        assertThat(shell.run("check", "--dir", directory, "LAST~2")).isEqualTo(1);
        assertThat(shell.err()).contains("has only 2 logs").hasLineCount(1);
        assertThat(shell.run("logs", "keep", "LAST~1", "--dir", directory)).isZero();
        assertThat(shell.out()).contains(OLD + ": kept");
    }

    @Test
    void aFetchedLogIsFoundByItsName() throws IOException {
        String name = "2026-11-20_12-34-56_sys001_log00042_5.ulg";
        Files.createDirectory(directory.resolve("fetched"));
        file("fetched/" + name, Logs.real(LOG));

        assertThat(shell.run("check", "--dir", directory, name)).as(shell.err()).isZero();
        assertThat(shell.out()).startsWith(directory.resolve("fetched").resolve(name) + ": intact");
    }

    @Test
    void anUnknownNameGetsASuggestion() throws IOException {
        file(OLD, Logs.real(LOG));

        assertThat(shell.run("check", "--dir", directory, OLD.replace("41", "14")))
                .isEqualTo(1);
        assertThat(shell.err())
                .contains("no such log in " + directory + " (did you mean \"" + OLD + "\"?)")
                .hasLineCount(1);
        String stem = OLD.replace(".ulg", "");
        assertThat(shell.run("check", "--dir", directory, stem.replace("41", "14")))
                .isEqualTo(1);
        assertThat(shell.err()).contains(" (did you mean \"" + stem + "\"?)").hasLineCount(1);
        assertThat(shell.run("info", directory.resolve(OLD.replace("41.ulg", "41.ulh"))))
                .isEqualTo(1);
        assertThat(shell.err())
                .contains("no such file or directory (did you mean \"" + OLD + "\"?)")
                .hasLineCount(1);
        assertThat(shell.run("info", "--dir", directory, "nothing-like-it")).isEqualTo(1);
        assertThat(shell.err()).doesNotContain("did you mean").hasLineCount(1);
        assertThat(shell.run("info", "--dir", directory.resolve("none"), "LAST"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("no such directory").hasLineCount(1);
    }
}
