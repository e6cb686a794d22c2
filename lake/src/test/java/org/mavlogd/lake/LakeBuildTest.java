package org.mavlogd.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** Real logs become tables that DuckDB reads. */
class LakeBuildTest {
    @TempDir
    private Path directory = Path.of(".");

    private Path source = Path.of(".");
    private Path lake = Path.of(".");

    @BeforeEach
    void placeLogs() throws IOException {
        source = Files.createDirectories(directory.resolve("logs"));
        lake = directory.resolve("lake");
    }

    @Test
    void rowsAndSumsAreThoseThatUlogWriterReads() throws IOException, SQLException {
        FleetLogs.write(source);

        LakeBuild.Result result = FleetLogs.build(source, lake);

        assertThat(result.converted()).isEqualTo(FleetLogs.PX4.size() + 1);
        for (String name : FleetLogs.PX4) {
            Sums expected = Sums.of(FleetLogs.px4(name));
            assertThat(expected.byTopic).as(name).isNotEmpty();
            List<String> lines = new ArrayList<>();
            expected.byTopic.forEach((topic, sums) -> lines.add(topic + " " + sums[0] + " " + sums[1] + " " + sums[2]));
            assertThat(sums(expected.byTopic.keySet(), name))
                    .as("%s: rows, sum of times, sum of instances", name)
                    .isEqualTo(lines);
            assertThat(FleetLogs.ask(lake, "SELECT sum(samples) FROM logs WHERE log LIKE '" + name + "%'"))
                    .containsExactly(Long.toString(expected.rows()));
        }
    }

    private List<String> sums(Collection<String> topics, String log) throws IOException, SQLException {
        List<String> parts = new ArrayList<>();
        for (String topic : topics) {
            parts.add("SELECT " + Sql.text(topic) + ", count(*), sum(t_us), sum(instance) FROM "
                    + Sql.name("topic_" + topic) + " WHERE log LIKE '" + log + "%'");
        }
        return FleetLogs.ask(lake, String.join(" UNION ALL ", parts));
    }

    @Test
    void px4AndArduPilotAreSeenTogetherUnderCommonNames() throws IOException, SQLException {
        FleetLogs.write(source);
        FleetLogs.build(source, lake);

        assertThat(FleetLogs.ask(
                        lake,
                        "SELECT vehicle, bool_and(lat BETWEEN -90 AND 90 AND lon BETWEEN -180 AND 180), count(*) > 10"
                                + " FROM common_position GROUP BY vehicle ORDER BY count(*)"))
                .hasSizeGreaterThan(2)
                .contains("rover true true")
                .allMatch(line -> line.endsWith("true true"));
        assertThat(FleetLogs.ask(lake, "SELECT count(DISTINCT log) > 1, min(voltage_v) >= 0 FROM common_battery"))
                .containsExactly("true true");
        assertThat(FleetLogs.ask(lake, "SELECT count(*) > 0 FROM modes WHERE vehicle = 'rover' AND kind = 'mode'"))
                .containsExactly("true");
    }

    @Test
    void convertsEachLogOnceAndCopiesNever() throws IOException, SQLException {
        byte[] log = FleetLogs.px4("px4rs_esc_status_log");
        FleetLogs.put(source.resolve("a.ulg"), log);
        assertThat(FleetLogs.build(source, lake).converted()).isEqualTo(1);
        List<Path> before = files();

        FleetLogs.put(source.resolve("b.ulg"), log);
        LakeBuild.Result again = FleetLogs.build(source, lake);

        assertThat(again.converted() + again.replaced()).isZero();
        assertThat(again.unchanged()).isEqualTo(1);
        assertThat(again.copies()).isEqualTo(1);
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void logTakesTheRowsOverFromOneThatChangedMeanwhile() throws IOException, SQLException {
        byte[] log = FleetLogs.px4("px4rs_esc_status_log");
        FleetLogs.put(source.resolve("z.ulg"), log);
        FleetLogs.build(source, lake);
        FleetLogs.put(source.resolve("a.ulg"), log);
        FleetLogs.put(source.resolve("z.ulg"), FleetLogs.px4("pyulog_sample_log_small"));

        LakeBuild.Result result = FleetLogs.build(source, lake);

        assertThat(result.text()).isEqualTo("1 log converted, 1 replaced, 0 unchanged, 0 copies of others, 0 failed");
        assertThat(FleetLogs.ask(lake, "SELECT count(*), count(DISTINCT sha256) FROM logs"))
                .containsExactly("2 2");
    }

    @Test
    void equalLogsThatAreRefusedAreFailuresEach() throws IOException, SQLException {
        byte[] bad = new byte[1 << 20];
        for (int i = 0; i < 16; i++) {
            FleetLogs.put(source.resolve(i + ".ulg"), bad);
        }

        LakeBuild.Result result = FleetLogs.build(source, lake);

        assertThat(result.failed()).isEqualTo(16);
        assertThat(result.copies()).isZero();
        assertThat(FleetLogs.ask(lake, "SELECT count(*) FROM failures")).containsExactly("16");
    }

    @Test
    void correctedLogReplacesItsRowsAlsoOnAnotherDay() throws IOException, SQLException {
        Path file = source.resolve("a.ulg");
        FleetLogs.put(file, FleetLogs.px4("px4rs_esc_status_log"));
        FleetLogs.build(source, lake);
        FleetLogs.put(file, FleetLogs.px4("pyulog_sample_log_small"));

        LakeBuild.Result result = FleetLogs.build(source, lake);

        assertThat(result.replaced()).isEqualTo(1);
        Path fresh = directory.resolve("fresh");
        FleetLogs.build(source, fresh);
        assertThat(files(lake)).isEqualTo(files(fresh));
        assertThat(FleetLogs.ask(lake, "SELECT count(*) FROM logs")).containsExactly("1");
    }

    @Test
    void vanishedLogStays() throws IOException, SQLException {
        Path file = source.resolve("a.ulg");
        FleetLogs.put(file, FleetLogs.px4("px4rs_esc_status_log"));
        FleetLogs.build(source, lake);
        List<Path> before = files();
        Files.delete(file);

        FleetLogs.build(source, lake);

        assertThat(files()).isEqualTo(before);
    }

    @Test
    void refusedLogsAreRowsOfFailuresUntilTheyCanBeRead() throws IOException, SQLException {
        Path good = source.resolve("good.ulg");
        FleetLogs.put(good, FleetLogs.px4("px4rs_esc_status_log"));
        FleetLogs.put(source.resolve("it's bad.ulg"), "no log".getBytes(StandardCharsets.UTF_8));
        LakeBuild.Result first = FleetLogs.build(source, lake);
        assertThat(first.failed()).isEqualTo(1);
        assertThat(first.converted()).isEqualTo(1);
        assertThat(FleetLogs.ask(lake, "SELECT place, reason FROM failures").get(0))
                .contains("it's bad.ulg")
                .contains("not a ULog");

        // A valid log becomes invalid: its former contents stay in the lake.
        FleetLogs.put(good, new byte[100]);
        assertThat(FleetLogs.build(source, lake).failed()).isEqualTo(2);
        assertThat(FleetLogs.ask(lake, "SELECT count(*) FROM failures")).containsExactly("2");
        assertThat(FleetLogs.ask(lake, "SELECT count(*) FROM logs")).containsExactly("1");

        FleetLogs.put(good, FleetLogs.px4("pyulog_sample_log_small"));
        assertThat(FleetLogs.build(source, lake).replaced()).isEqualTo(1);
        assertThat(FleetLogs.ask(lake, "SELECT count(*) FROM failures")).containsExactly("1");
    }

    /** A single message with a wrong time does not make a log invalid. */
    @Test
    void timesThatNoTimestampCanHaveAreNull() throws IOException, SQLException {
        FleetLogs.write(source.resolve("a.ulg"), log -> {
            byte[] boot = ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(1_700_000_000_000_000L)
                    .array();
            log.info(Field.of(FieldType.UINT64, "boot_time_utc_us"), boot);
            log.format(TopicFormat.parse("t:uint64_t timestamp;float x;"));
            log.subscribe("t", 0).begin(Long.MAX_VALUE).write();
            log.dropout(5);
            for (long us : new long[] {0, Long.MAX_VALUE - 1_700_000_000_000_000L, Long.MAX_VALUE, Long.MIN_VALUE}) {
                log.loggedString(LogLevel.INFO, us, "text");
            }
        });

        assertThat(FleetLogs.build(source, lake).converted()).isEqualTo(1);
        assertThat(FleetLogs.ask(lake, "SELECT count(*), count(time), min(epoch_us(time)) FROM messages"))
                .containsExactly("4 1 1700000000000000");
        assertThat(FleetLogs.ask(lake, "SELECT count(*), count(time) FROM dropouts"))
                .containsExactly("1 0");
    }

    /** PX4 has a topic rpm, and ArduPilot has RPM. */
    @Test
    void topicsWhoseNamesDifferOnlyByCaseAreOneView() throws IOException, SQLException {
        FleetLogs.write(source.resolve("px4/a.ulg"), log -> {
            log.format(TopicFormat.parse("rpm:uint64_t timestamp;float indicated;"));
            log.subscribe("rpm", 0).begin(5).write();
        });
        FleetLogs.write(source.resolve("rover/a.ulg"), log -> {
            log.format(TopicFormat.parse("RPM:uint64_t timestamp;float rpm1;"));
            log.subscribe("RPM", 0).begin(6).write();
        });
        FleetLogs.build(source, lake);

        assertThat(FleetLogs.ask(lake, "SELECT vehicle, t_us, indicated, rpm1 FROM topic_rpm ORDER BY t_us"))
                .containsExactly("px4 5 0.0 null", "rover 6 null 0.0");
    }

    /** The names of directories give each row a vehicle and a date. */
    @Test
    void fieldsThatAreCalledLikeDirectoriesAreThereToo() throws IOException, SQLException {
        FleetLogs.write(source.resolve("boat/a.ulg"), log -> {
            log.format(TopicFormat.parse("t:uint64_t timestamp;uint8_t vehicle;uint32_t Date;"));
            TopicWriter topic = log.subscribe("t", 0);
            topic.begin(5)
                    .integer(topic.column("vehicle"), 7)
                    .integer(topic.column("Date"), 20260101)
                    .write();
        });
        FleetLogs.build(source, lake);

        assertThat(FleetLogs.ask(lake, "SELECT vehicle, date, vehicle_2, Date_2 FROM topic_t"))
                .containsExactly("boat null 7 20260101");
    }

    /** DuckDB takes these characters for patterns. */
    @Test
    void aLakeMayHaveAnyName() throws IOException, SQLException {
        lake = directory.resolve("a[b] *'ü?/lake [1]");
        Files.createDirectories(directory.resolve("ab ü1/lake 1"));
        for (int i = 0; i < 3; i++) {
            FleetLogs.known(source.resolve("boat/" + i + ".ulg"), i);
        }
        FleetLogs.build(source, lake);
        assertThat(FleetLogs.ask(
                        lake, "SELECT count(*), count(DISTINCT log), any_value(vehicle) FROM topic_battery_status"))
                .containsExactly("300 3 boat");

        try (LakeBuild build = new LakeBuild(lake, "test", Clock.systemUTC())) {
            assertThat(build.compact(2, 1)).isPositive();
        }
        FleetLogs.known(source.resolve("boat/1.ulg"), 5);
        FleetLogs.build(source, lake);

        assertThat(FleetLogs.ask(lake, "SELECT count(*), count(DISTINCT log) FROM topic_battery_status"))
                .containsExactly("300 3");
    }

    /** DuckDB and others would take it for the vehicle of all rows. */
    @Test
    void aLakeBelowADirectoryThatIsNamedLikeAPartitionIsRefused() throws IOException {
        FleetLogs.known(source.resolve("boat/1.ulg"), 1);
        for (String name : new String[] {"vehicle=9", "Date=2026-01-01", "a\\b"}) {
            assertThatThrownBy(() ->
                            FleetLogs.build(source, directory.resolve(name).resolve("lake")))
                    .hasMessageContaining("cannot be below a directory named \"" + name + '"');
            Path made = Files.createDirectories(directory.resolve(name).resolve("made/" + LakeFiles.OWN));
            assertThatThrownBy(() -> LakeViews.open(LakeFiles.parent(made), "SELECT 1"))
                    .hasMessageContaining("cannot be below");
        }
    }

    @Test
    void aTopicOfTooManyColumnsIsLeftOut() throws IOException, SQLException {
        Path log = source.resolve("a.ulg");
        FleetLogs.write(log, content -> {
            content.format(TopicFormat.parse("huge:uint64_t timestamp;uint8_t[9997] bytes;"));
            content.format(TopicFormat.parse("large:uint64_t timestamp;uint8_t[9995] bytes;char[20000] text;"));
            content.subscribe("huge", 0).begin(5).write();
            content.subscribe("large", 0).begin(6).write();
        });
        for (LakeBuild.Result result : List.of(FleetLogs.build(source, lake), FleetLogs.build(source, lake))) {
            assertThat(result.failed()).isZero();
        }

        assertThat(FleetLogs.ask(lake, "SELECT t_us, len(columns('bytes_9994')::VARCHAR) FROM topic_large"))
                .containsExactly("6 1");
        assertThat(FleetLogs.ask(lake, "SELECT place, reason, log IN (SELECT log FROM logs) FROM failures"))
                .containsExactly(
                        log + " topic \"huge\" has 10,001 columns; a Parquet file may have at most 10,000 true");

        // Refused, then corrected: there is one reason, and then none.
        Files.write(log, new byte[100]);
        assertThat(FleetLogs.build(source, lake).failed()).isEqualTo(1);
        assertThat(FleetLogs.ask(lake, "SELECT count(*), any_value(reason LIKE '%not a ULog%') FROM failures"))
                .containsExactly("1 true");
        FleetLogs.known(log, 1);
        FleetLogs.build(source, lake);
        assertThat(FleetLogs.ask(lake, "SELECT count(*) FROM failures")).containsExactly("0");
    }

    @Test
    void logThatIsGoneSinceItWasFoundIsLeftOut() throws IOException {
        assertThat(LogFolder.log(source, source.resolve("boat/gone.ulg"))).isEmpty();
    }

    @Test
    void refusesADirectoryWithOtherContentsAndASecondBuilder() throws IOException {
        Files.createDirectories(lake);
        Files.writeString(lake.resolve("letter.txt"), "dear");
        assertThatThrownBy(() -> FleetLogs.build(source, lake)).hasMessageContaining("not a lake");

        Path other = directory.resolve("other");
        try (LakeBuild first = new LakeBuild(other, "test", Clock.systemUTC())) {
            assertThat(first.problems()).isEmpty();
            assertThatThrownBy(() -> FleetLogs.build(source, other)).hasMessageContaining("another process");
        }
    }

    @Test
    void whatAKilledBuildLeftOutsideOfMemoryIsDeleted() throws IOException {
        FleetLogs.known(source.resolve("a.ulg"), 1);
        Path ofKilled = Files.createDirectories(LakeBuild.spill(lake).resolve("killed"));
        Files.writeString(ofKilled.resolve("duckdb_temp_block-1.block"), "rows");

        FleetLogs.build(source, lake);

        assertThat(ofKilled).doesNotExist();
    }

    @Test
    void namesOfLogsNeverMakePaths() {
        List<String> hostile =
                List.of("", ".", "..", "../../etc", "/etc", "a/b", "a\\b", "_x", "x\ny", "\0", "ü", "a".repeat(5000));

        assertThat(hostile.stream().map(LakeFiles::name))
                .allMatch(name -> name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{1,100}|-[0-9a-f]{12}"))
                .doesNotHaveDuplicates();
        assertThat(LakeFiles.name("vehicle_status")).isEqualTo("vehicle_status");
    }

    private List<Path> files() throws IOException {
        return files(lake);
    }

    private static List<Path> files(Path of) throws IOException {
        try (Stream<Path> all = Files.walk(of)) {
            return all.filter(file -> file.toString().endsWith(".parquet"))
                    .map(of::relativize)
                    .sorted()
                    .toList();
        }
    }

    /** Rows, sum of times and sum of instances of each topic. */
    private static final class Sums implements ULogHandler {
        private final Map<String, long[]> byTopic = new TreeMap<>();

        static Sums of(byte[] log) throws IOException {
            Sums sums = new Sums();
            ULogReader reader = new ULogReader(sums);
            reader.feed(log, 0, log.length);
            reader.finish();
            return sums;
        }

        @Override
        public void onSample(SampleView sample) {
            long[] sums = byTopic.computeIfAbsent(sample.topic().name(), none -> new long[3]);
            sums[0]++;
            sums[1] += sample.timestampUs();
            sums[2] += sample.topic().multiId();
        }

        long rows() {
            return new ArrayList<>(byTopic.values())
                    .stream().mapToLong(sums -> sums[0]).sum();
        }
    }
}
