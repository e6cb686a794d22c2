package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.app.DirectoryLock;
import org.mavlogd.logtools.Logs;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FileDisk;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** The commands on log files as users run them: arguments in, exit code, lines and files out. */
class LogCommandsTest {
    private static final List<String> FIELDS = List.of(
            "version",
            "start_us",
            "end_us",
            "size",
            "formats",
            "topics",
            "info",
            "parameters",
            "parameter_changes",
            "default_parameters",
            "dropouts",
            "logged_strings",
            "tagged_strings",
            "sync",
            "appended_sections",
            "truncated_bytes",
            "damaged_spans",
            "damaged_bytes",
            "unknown_messages");

    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    static List<String> realLogs() {
        return Stream.concat(Logs.REAL.stream(), Stream.of(Logs.DAMAGED)).toList();
    }

    @ParameterizedTest
    @MethodSource("realLogs")
    void infoCountsWhatAnEstablishedReaderCounts(String name) throws IOException {
        Path log = Logs.real(name, directory);

        assertThat(shell.run("info", "--json", log)).isZero();

        Map<String, Object> info = json(shell.out());
        assertThat(info).containsKeys(FIELDS.toArray(String[]::new));
        assertThat(info.get("size")).isEqualTo(Files.size(log));
        assertThat(totals(info)).isEqualTo(expectedTotals(name));
        Map<String, String> topics = new LinkedHashMap<>();
        for (Object topic : (List<?>) Objects.requireNonNull(info.get("topics"))) {
            Map<?, ?> t = (Map<?, ?>) topic;
            topics.put(
                    t.get("name") + ":" + t.get("multi_id"),
                    t.get("messages") + " " + t.get("first_us") + " " + t.get("last_us"));
            assertThat(((Number) Objects.requireNonNull(t.get("bytes"))).longValue())
                    .isPositive();
            assertThat(t.get("msg_id")).isInstanceOf(Long.class);
        }
        assertThat(topics).isEqualTo(expectedTopics(name));
    }

    @ParameterizedTest
    @MethodSource("realLogs")
    void infoForPeopleFitsATerminalAndNamesEveryTopic(String name) throws IOException {
        Path log = Logs.real(name, directory);

        assertThat(shell.run("info", "--all-topics", log)).isZero();

        List<String> lines = shell.out().lines().skip(1).toList();
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
        for (String topic : expectedTopics(name).keySet()) {
            String shown = topic.endsWith(":0") ? topic.substring(0, topic.length() - 2) : topic;
            assertThat(lines).anyMatch(line -> line.startsWith("  " + shown + " "));
        }
    }

    @Test
    void infoForPeopleListsTheLargestTopicsAndCountsTheOthers() throws IOException {
        Path log = Path.of(
                System.getProperty("basedir", "."), "..", "simulator", "src", "demo", "11_rover_ackermann.ulg.gz");
        Path unpacked = directory.resolve("rover.ulg");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(log))) {
            Files.copy(in, unpacked);
        }

        assertThat(shell.run("info", unpacked)).isZero();

        assertThat(shell.out()).contains("sensor_combined").contains("smaller topics; --all-topics lists them");
        assertThat(shell.out()).doesNotContain("home_position");
    }

    @Test
    void infoForPeopleTellsVehicleTimesTextsAndCrash() throws IOException {
        assertThat(shell.run("info", Logs.real("pyulog_sample_appended_multiple", directory)))
                .isZero();
        assertThat(shell.out())
                .contains("PX4 quadrotor on PX4FMU_V4PRO")
                .contains("branch ulog_crash_dump")
                .contains("WARNING   [commander_tests] Not ready to fly")
                .contains("Appended     3 sections")
                .contains("System fault Occurred on: 2000-01-01-00:00:36");

        assertThat(shell.run("info", Logs.corner("golden", directory))).isZero();
        assertThat(shell.out()).contains("SYS_A                5 -> 7").contains("Dropouts     1, 25 ms");
    }

    @Test
    void checkTellsWholeFromDamagedFromCutFromNoLog() throws IOException {
        Path whole = Logs.real("yule_trig_stats", directory);
        Path damaged = Logs.real(Logs.DAMAGED, directory);
        Path cut = Logs.corner("d01_trunc_hdr", directory);
        Path refused = Logs.corner("a09_incompat_byte7", directory);
        Path noLog = Files.writeString(directory.resolve("no.ulg"), "this is no log at all, only text");
        Path empty = Files.createFile(directory.resolve("empty.ulg"));

        assertThat(shell.run("check", whole)).isZero();
        assertThat(shell.out()).startsWith(whole + ": intact (").hasLineCount(1);
        assertThat(shell.run("check", damaged)).isEqualTo(3);
        assertThat(shell.out()).contains("damaged: 711.0 KB damaged in 1 place").hasLineCount(1);
        assertThat(shell.run("check", cut)).isEqualTo(3);
        assertThat(shell.out()).contains("cut off");
        for (Path bad : List.of(refused, noLog, empty, directory, directory.resolve("missing.ulg"))) {
            for (String command : List.of("check", "info")) {
                assertThat(shell.run(command, bad)).as("%s %s", command, bad).isEqualTo(1);
                assertThat(shell.err())
                        .startsWith("mavlogd " + command + ": " + bad + ": ")
                        .hasLineCount(1);
                assertThat(shell.out()).isEmpty();
            }
        }
        assertThat(shell.run("info", damaged)).isZero();
        assertThat(shell.run("info", cut)).isZero();

        assertThat(shell.run("check", whole, damaged, cut)).isEqualTo(3);
        assertThat(shell.run("check", damaged, noLog, whole)).isEqualTo(1);
        assertThat(shell.out()).hasLineCount(2);
        assertThat(shell.run("check", "--json", whole, noLog, damaged)).isEqualTo(1);
        assertThat(shell.out().lines().map(LogCommandsTest::json).map(result -> result.get("result")))
                .containsExactly("intact", "refused", "damaged");
        assertThat(json(shell.out().lines().findFirst().orElseThrow())).containsKeys(FIELDS.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void recoveredLogIsWhole(long seed) throws IOException {
        byte[] log = Logs.real("mcap_ulog2mcap_test");
        Path damaged = Files.write(directory.resolve("damaged.ulg"), damage(log, seed));
        Path recovered = directory.resolve("recovered.ulg");

        assertThat(shell.run("recover", damaged, recovered)).as("seed %d", seed).isEqualTo(3);
        assertThat(shell.err()).contains("lost: ").hasLineCount(1);
        assertThat(shell.run("check", recovered))
                .as("seed %d: %s", seed, shell.out())
                .isZero();
        assertThat(shell.run("recover", recovered, directory.resolve("again.ulg")))
                .isZero();
        assertThat(Files.mismatch(recovered, directory.resolve("again.ulg"))).isEqualTo(-1);
        assertThat(shell.run("info", "--json", recovered)).isZero();
        Map<String, Object> info = json(shell.out());
        boolean isCut = seed % 4 == 3;
        assertThat((Long) info.get("data_messages")).isBetween(isCut ? 1000L : 4000L, 4272L);
        assertThat(shell.run("info", "--json", damaged)).isZero();
        assertThat(json(shell.out())).containsEntry("data_messages", info.get("data_messages"));
        assertThat((Long)
                        Objects.requireNonNull(((Map<?, ?>) Objects.requireNonNull(info.get("dropouts"))).get("count")))
                .isPositive();
        assertThat(filesIn(directory)).containsExactlyInAnyOrder("damaged.ulg", "recovered.ulg", "again.ulg");
    }

    static Set<String> corners() throws IOException {
        return Logs.corners().keySet();
    }

    @ParameterizedTest
    @MethodSource("corners")
    void recoverAgreesWithCheck(String name) throws IOException {
        Path log = Logs.corner(name, directory);
        Path recovered = directory.resolve("recovered.ulg");

        int checked = shell.run("check", log);
        int code = shell.run("recover", log, recovered);

        assertThat(code).as(shell.out() + shell.err()).isEqualTo(checked);
        assertThat(recovered.toFile().exists()).isEqualTo(code != 1);
        if (code != 1) {
            assertThat(shell.run("check", recovered))
                    .as(shell.out() + shell.err())
                    .isZero();
        }
    }

    @Test
    void recoverOfAWholeLogLosesNothing() throws IOException {
        Path log = Logs.real("px4rs_6ba1abc7", directory);
        Path out2 = directory.resolve("out.ulg");

        assertThat(shell.run("recover", log, out2)).isZero();

        assertThat(shell.out()).contains("nothing lost").hasLineCount(1);
        assertThat(Files.mismatch(log, out2)).isEqualTo(-1);
    }

    @Test
    void recoverReplacesOnlyWhenForced() throws IOException {
        Path log = Logs.real("yule_trig_stats", directory);
        Path existing = Files.writeString(directory.resolve("out.ulg"), "precious");
        Path noLog = Files.writeString(directory.resolve("no.ulg"), "this is no log at all, only text");

        assertThat(shell.run("recover", log, existing)).isEqualTo(1);
        assertThat(shell.err())
                .isEqualTo("mavlogd recover: " + existing + ": exists already; --force replaces it"
                        + System.lineSeparator());
        assertThat(existing).hasContent("precious");
        assertThat(shell.run("recover", noLog, existing, "--force")).isEqualTo(1);
        assertThat(existing).hasContent("precious");
        assertThat(shell.run("recover", log, directory.resolve("missing/out.ulg")))
                .isEqualTo(1);
        assertThat(shell.run("recover", log, directory, "--force")).isEqualTo(1);
        assertThat(shell.run("recover", log, log, "--force")).isEqualTo(2);
        assertThat(shell.run("recover", "--force", log, existing)).isZero();
        assertThat(Files.mismatch(log, existing)).isEqualTo(-1);
        assertThat(filesIn(directory)).containsExactlyInAnyOrder("yule_trig_stats.ulg", "out.ulg", "no.ulg");
    }

    @Test
    void appendedSectionsAreShown() throws IOException {
        Path log = Logs.corner("golden", directory);
        Path crash = Files.writeString(directory.resolve("crash.txt"), "line one\n" + "x".repeat(100_000));

        assertThat(shell.run("append", log, "--message", "error:7", "Zündung aus"))
                .isZero();
        assertThat(shell.run("append", log, "--crash-text", crash)).isZero();
        assertThat(shell.run("append", "--message", "Notice", "end", log)).isZero();

        assertThat(shell.run("info", "--json", log)).isZero();
        Map<String, Object> info = json(shell.out());
        assertThat(info)
                .containsEntry("appended_sections", 3L)
                .containsEntry("tagged_strings", 7L)
                .containsEntry("logged_strings", 7L)
                .containsEntry("damaged_spans", 0L);
        assertThat((Map<?, ?>) info.get("multi_info"))
                .asString()
                .contains("hardfault_plain={lists=1, pieces=2, bytes=100009}");
        assertThat(shell.run("info", log)).isZero();
        assertThat(shell.out())
                .contains("ERROR     [7] Zündung aus")
                .contains("    line one")
                .contains("NOTICE    end");
        assertThat(shell.run("check", log)).isZero();

        byte[] before = Files.readAllBytes(log);
        assertThat(shell.run("append", log, "--message", "info", "no room")).isEqualTo(1);
        assertThat(shell.err()).contains("all three appended sections").hasLineCount(1);
        assertThat(log).hasBinaryContent(before);
    }

    @Test
    void appendRefusesALogThatIsBeingWritten() throws Exception {
        String name = "2026-11-21_14-03-59_sys001_000042.ulg.part";
        Path log = directory.resolve(name);
        FileDisk disk = new FileDisk(directory);
        try (Disk.Output output = disk.create(name)) {
            output.write(ByteBuffer.wrap(Files.readAllBytes(Logs.corner("golden", directory))));
            byte[] before = Files.readAllBytes(log);

            assertThat(shell.run("append", log, "--message", "info", "too early"))
                    .isEqualTo(1);

            assertThat(shell.err()).contains("is writing this log").hasLineCount(1);
            assertThat(Files.readAllBytes(log)).isEqualTo(before);
        }
        try (DirectoryLock lock = DirectoryLock.take(directory)) {
            assertThat(lock).isNotNull();
            assertThat(shell.run("append", log, "--message", "info", "a recorder may mend it"))
                    .isEqualTo(1);
        }
        assertThat(shell.run("append", log, "--message", "info", "left by a run that is over"))
                .isZero();
    }

    @Test
    void appendFindsARecordedLogByItsName() throws IOException {
        Path log = directory.resolve("2026-11-21_14-03-59_sys001_000042.ulg");
        Files.move(Logs.corner("golden", directory), log);

        assertThat(shell.run("append", "LAST", "--message", "info", "a", "--dir", directory))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).startsWith(log + ": appended");
        assertThat(shell.run(
                        "append", "2026-11-21_14-03-59_sys001_000042", "--message", "info", "b", "--dir", directory))
                .isZero();
        assertThat(shell.run("append", "LAST~1", "--message", "info", "c", "--dir", directory))
                .isEqualTo(1);
        assertThat(shell.run("append", "-", "--message", "info", "d")).isEqualTo(2);
        assertThat(shell.err()).contains("standard input cannot be appended to").hasLineCount(1);
        Path bin = Files.write(directory.resolve("a.bin"), new byte[] {(byte) 0xA3, (byte) 0x95, (byte) 0x80, 0});
        assertThat(shell.run("append", bin, "--message", "info", "e")).isEqualTo(1);
        assertThat(shell.err()).hasLineCount(1);
    }

    @Test
    void appendRefusesWhatItCannotDo() throws IOException {
        Path log = Logs.corner("golden", directory);
        byte[] before = Files.readAllBytes(log);
        Path old = Logs.corner("a03_v1_nob", directory);
        Path empty = Files.createFile(directory.resolve("empty.txt"));

        assertThat(shell.run("append", log, "--message", "loud", "text")).isEqualTo(2);
        assertThat(shell.err())
                .contains("\"loud\" is not a level; levels are emergency, alert")
                .hasLineCount(1);
        assertThat(shell.run("append", log, "--message", "info:65536", "text")).isEqualTo(2);
        assertThat(shell.run("append", log, "--message", "info:", "text")).isEqualTo(2);
        assertThat(shell.run("append", log, "--message", "info", "")).isEqualTo(2);
        assertThat(shell.run("append", log, "--message", "info", "x".repeat(70_000)))
                .isEqualTo(2);
        assertThat(shell.run("append", log, "--message", "info")).isEqualTo(2);
        assertThat(shell.run("append", log, "--message", "info", "x", "--message", "info", "y"))
                .isEqualTo(2);
        assertThat(shell.run("append", log)).isEqualTo(2);
        assertThat(shell.run("append", log, "--crash-text", empty, "--message", "info", "x"))
                .isEqualTo(2);
        assertThat(shell.run("append", log, "--crash-text", empty)).isEqualTo(1);
        assertThat(shell.err()).isEqualTo("mavlogd append: " + empty + ": is empty" + System.lineSeparator());
        assertThat(shell.run("append", log, "--crash-text", directory.resolve("missing")))
                .isEqualTo(1);
        assertThat(shell.run("append", old, "--message", "info", "text")).isEqualTo(1);
        assertThat(shell.err()).contains("flag bits").hasLineCount(1);
        assertThat(log).hasBinaryContent(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "info",
                "check",
                "recover a.ulg",
                "info a.ulg b.ulg",
                "info --jsom a.ulg",
                "export",
                "export csv a.ulg",
                "export csv -o x",
                "export kml a.ulg",
                "append",
                "nonsense"
            })
    void wrongUsageIsToldInOneLine(String words) {
        assertThat(shell.run((Object[]) words.split(" "))).isEqualTo(2);
        assertThat(shell.err()).startsWith("mavlogd").contains("--help").hasLineCount(1);
        assertThat(shell.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"info", "check", "recover", "append", "export csv"})
    void helpTellsTheExitCodes(String command) {
        assertThat(shell.run(Stream.concat(Arrays.stream(command.split(" ")), Stream.of("--help"))
                        .toArray()))
                .isZero();
        assertThat(shell.out())
                .contains("Usage: mavlogd " + command)
                .contains("Exit codes:")
                .contains("wrong usage");
    }

    @Test
    void exportTellsWhatItWroteAndKeepsWhatIsThere() throws IOException {
        Path log = Logs.corner("golden", directory);
        Path tables = directory.resolve("tables");

        assertThat(shell.run("export", "csv", log, "-o", tables)).isZero();
        assertThat(shell.out()).contains("4 files with 930 rows");
        assertThat(filesIn(tables)).containsExactlyInAnyOrder("gyro_0.csv", "gyro_1.csv", "gyro_2.csv", "status_0.csv");
        Files.writeString(tables.resolve("gyro_1.csv"), "precious");
        assertThat(shell.run("export", "csv", log, "-o", tables)).isEqualTo(1);
        assertThat(shell.err())
                .startsWith("mavlogd export csv: ")
                .contains("exists already")
                .hasLineCount(1);
        assertThat(tables.resolve("gyro_1.csv")).hasContent("precious");
        assertThat(filesIn(tables)).hasSize(4);
        assertThat(shell.run("export", "csv", log, "-o", tables, "--topic", "gyro", "--force"))
                .isZero();
        assertThat(shell.out()).contains("3 files with 900 rows");

        assertThat(shell.run("export", "csv", log, "-o", directory.resolve("none"), "--topic", "gyr"))
                .isEqualTo(1);
        assertThat(shell.err())
                .contains("no topic \"gyr\" (did you mean \"gyro\"?)")
                .hasLineCount(1);
        assertThat(directory.resolve("none")).doesNotExist();
        assertThat(shell.run("export", "csv", log, "-o", log)).isEqualTo(1);
        assertThat(shell.err()).contains("not a directory");
        assertThat(shell.run("export", "csv", Logs.real(Logs.DAMAGED, directory), "-o", directory.resolve("d")))
                .isEqualTo(3);
        assertThat(shell.err()).contains("damaged in 1 place").hasLineCount(1);
    }

    @Test
    void failedExportLeavesNothing() throws IOException {
        Path log = Files.write(directory.resolve("wide.ulg"), logWithTopics(1025));
        Path kept = Files.createDirectory(directory.resolve("kept"));

        assertThat(shell.run("export", "csv", log, "-o", directory.resolve("a/b/c")))
                .isEqualTo(1);
        assertThat(shell.err()).contains("more than 1024 topics").hasLineCount(1);
        assertThat(shell.run("export", "csv", log, "-o", kept)).isEqualTo(1);

        assertThat(filesIn(directory)).containsExactlyInAnyOrder("wide.ulg", "kept");
        assertThat(filesIn(kept)).isEmpty();
        assertThat(shell.run("export", "csv", log, "-o", log.resolve("x"))).isEqualTo(1);
        assertThat(shell.err()).contains("not a directory").hasLineCount(1);
    }

    /** A log with this many topics, each with one sample. */
    private static byte[] logWithTopics(int count) throws IOException {
        MemorySink sink = new MemorySink();
        ULogWriter log = new ULogWriter(sink, 0, WriterSettings.DEFAULT);
        for (int i = 0; i < count; i++) {
            log.format(TopicFormat.parse("t" + i + ":uint64_t timestamp;"));
        }
        for (int i = 0; i < count; i++) {
            log.subscribe("t" + i, 0).begin(i).write();
        }
        log.close();
        return sink.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("realLogs")
    void exportedTimesAreThoseThatAnEstablishedReaderGives(String name) throws IOException {
        Path tables = directory.resolve("tables");
        shell.run("export", "csv", Logs.real(name, directory), "-o", tables);

        Map<String, String> crcs = new LinkedHashMap<>();
        for (String topic : expectedTopics(name).keySet()) {
            Path table = tables.resolve(topic.replaceAll("[:/]", "_") + ".csv");
            crcs.put(topic, crcOfTimes(table));
        }

        assertThat(crcs).isEqualTo(expectedCrcs(name));
        assertThat(filesIn(tables)).hasSize(crcs.size());
    }

    /** Applies one of four kinds of damage after the definitions, by the seed. */
    private static byte[] damage(byte[] log, long seed) {
        Random random = new Random(seed);
        byte[] bytes = log.clone();
        int definitions = log.length / 3;
        int at = definitions + random.nextInt(log.length - definitions - 20_000);
        switch ((int) (seed % 4)) {
            case 0 -> Arrays.fill(bytes, at, at + 4096, (byte) 0);
            case 1 -> {
                byte[] noise = new byte[8192];
                random.nextBytes(noise);
                System.arraycopy(noise, 0, bytes, at, noise.length);
            }
            case 2 -> {
                System.arraycopy(log, at + 5000, bytes, at, log.length - at - 5000);
                bytes = Arrays.copyOf(bytes, log.length - 5000);
            }
            default -> bytes = Arrays.copyOf(bytes, at);
        }
        return bytes;
    }

    private static List<String> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }

    private static String crcOfTimes(Path table) throws IOException {
        List<String> rows = Files.readAllLines(table);
        assertThat(rows.get(0)).startsWith("timestamp");
        ByteBuffer times = ByteBuffer.allocate(Long.BYTES * (rows.size() - 1)).order(ByteOrder.LITTLE_ENDIAN);
        rows.stream().skip(1).forEach(row -> times.putLong(Long.parseUnsignedLong(row.replaceFirst(",.*", ""))));
        CRC32 crc = new CRC32();
        crc.update(times.flip());
        return String.format("%08x", crc.getValue());
    }

    private static String totals(Map<String, Object> info) {
        Map<?, ?> dropouts = (Map<?, ?>) Objects.requireNonNull(info.get("dropouts"));
        return Stream.of(
                        info.get("formats"),
                        info.get("parameters"),
                        info.get("parameter_changes"),
                        info.get("default_parameters_system"),
                        info.get("default_parameters_setup"),
                        dropouts.get("count"),
                        dropouts.get("total_ms"),
                        info.get("logged_strings"),
                        info.get("tagged_strings"),
                        info.get("sync"),
                        info.get("data_messages"))
                .map(String::valueOf)
                .reduce((a, b) -> a + " " + b)
                .orElseThrow();
    }

    private static String expectedTotals(String name) throws IOException {
        return Logs.expected().stream()
                .filter(line -> line.startsWith("log " + name + " "))
                .map(line -> line.split(" ", 3)[2])
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, String> expectedTopics(String name) throws IOException {
        Map<String, String> topics = new LinkedHashMap<>();
        expectedRows(name).forEach(row -> topics.put(row[1], row[2] + " " + row[3] + " " + row[4]));
        return topics;
    }

    private static Map<String, String> expectedCrcs(String name) throws IOException {
        Map<String, String> crcs = new LinkedHashMap<>();
        expectedRows(name).forEach(row -> crcs.put(row[1], row[5]));
        return crcs;
    }

    private static List<String[]> expectedRows(String name) throws IOException {
        List<String[]> rows = new ArrayList<>();
        boolean here = false;
        for (String line : Logs.expected()) {
            if (line.startsWith("log ")) {
                here = line.startsWith("log " + name + " ");
            } else if (here) {
                rows.add(line.split(" ", -1));
            }
        }
        return rows;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> json(String text) {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            parser.nextToken();
            return (Map<String, Object>) Objects.requireNonNull(value(parser));
        } catch (IOException e) {
            throw new AssertionError(text, e);
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> map = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName();
                    parser.nextToken();
                    map.put(key, value(parser));
                }
                return map;
            }
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(parser));
                }
                return list;
            }
            case VALUE_NUMBER_INT -> {
                return parser.getLongValue();
            }
            default -> {
                return parser.getText();
            }
        }
    }
}
