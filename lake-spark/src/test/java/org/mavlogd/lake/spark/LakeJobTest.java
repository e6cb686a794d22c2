package org.mavlogd.lake.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs become the same lake as with {@code mavlogd lake build}, or tables of Iceberg, with Spark in this process. */
class LakeJobTest {
    @TempDir
    private static Path warehouse = Path.of(".");

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static SparkSession session;

    @TempDir
    private Path directory = Path.of(".");

    private Path source = Path.of(".");
    private Path lake = Path.of(".");

    @BeforeAll
    static void startSpark() {
        session = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.sql.caseSensitive", "true")
                .config("spark.sql.session.timeZone", "UTC")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.sql.catalog.fleet", "org.apache.iceberg.spark.SparkCatalog")
                .config("spark.sql.catalog.fleet.type", "hadoop")
                .config("spark.sql.catalog.fleet.warehouse", warehouse.toUri().toString())
                .getOrCreate();
    }

    @AfterAll
    static void stopSpark() {
        session.stop();
    }

    @BeforeEach
    void placeLogs() throws IOException {
        source = Files.createDirectories(directory.resolve("logs of all"));
        lake = directory.resolve("lake");
    }

    @Test
    void makesTheSameLakeAsTheSingleMachine() throws IOException, SQLException {
        Fleet.write(source);

        BuildResult result = run("");

        assertThat(result.converted()).isEqualTo(Fleet.LOGS);
        assertThat(result.problems()).isEmpty();
        Path expected = Lakes.build(source, directory.resolve("expected"));
        assertThat(Lakes.files(lake)).isEqualTo(Lakes.files(expected)).hasSizeGreaterThan(100);
        Map<String, List<String>> sums = Lakes.sums(expected);
        assertThat(Lakes.sums(lake)).isEqualTo(sums);
        assertThat(sums.keySet()).contains("logs", "params", "topic_battery_status", "topic_GPS");
        // Each tool accepts the other's lake as its own.
        assertThat(run("").unchanged()).isEqualTo(Fleet.LOGS);
        Lakes.build(source, lake);
        assertThat(Lakes.sums(lake)).isEqualTo(sums);
    }

    @Test
    void refusedLogsAreRowsOfFailuresUntilTheyCanBeRead() throws IOException, SQLException {
        Fleet.put(source.resolve("good.ulg"), Fleet.px4("px4rs_esc_status_log"));
        Path bad = source.resolve("it's bad.ulg");
        Fleet.put(bad, "no log".getBytes(StandardCharsets.UTF_8));
        Fleet.put(source.resolve("short.bin.gz"), new byte[] {31});

        BuildResult first = run("");

        assertThat(first.converted()).isEqualTo(1);
        assertThat(first.problems()).hasSize(2);
        assertThat(Lakes.ask(lake, "SELECT place, reason FROM failures ORDER BY place"))
                .hasSize(2)
                .anySatisfy(row -> assertThat(row)
                        .contains("it's%20bad.ulg")
                        .contains("not a ULog")
                        .doesNotContain("log.ulg"));
        Fleet.put(bad, Fleet.px4("pyulog_sample_log_small"));
        BuildResult second = run("");
        assertThat(second.converted()).isEqualTo(1);
        assertThat(second.problems()).hasSize(1);
        assertThat(Lakes.ask(lake, "SELECT count(*) FROM failures")).containsExactly("1");
    }

    @Test
    void logThatWasRefusedForATimeIsNoCopyOfItself() throws IOException, SQLException {
        Path file = source.resolve("a.ulg");
        Fleet.put(file, Fleet.px4("pyulog_sample_log_small"));
        run("");
        Fleet.put(file, "no log".getBytes(StandardCharsets.UTF_8));
        assertThat(run("").problems()).hasSize(1);
        Fleet.put(file, Fleet.px4("pyulog_sample_log_small"));

        BuildResult result = run("");

        assertThat(result.copies()).isZero();
        assertThat(result.replaced()).isEqualTo(1);
        assertThat(Lakes.ask(lake, "SELECT count(*) FROM failures")).containsExactly("0");
        assertThat(Lakes.ask(lake, "SELECT count(*) FROM logs")).containsExactly("1");
        assertThat(run("").unchanged()).isEqualTo(1);
    }

    @Test
    void correctedLogReplacesItsRowsAndCopiesComeInOnce() throws IOException, SQLException {
        Path file = source.resolve("a.ulg");
        Fleet.put(file, Fleet.px4("px4rs_esc_status_log"));
        run("");
        Fleet.put(file, Fleet.px4("pyulog_sample_log_small"));
        Fleet.put(source.resolve("b/copy.ulg"), Fleet.px4("pyulog_sample_log_small"));

        BuildResult result = run("");

        assertThat(result.replaced() + result.converted() + result.copies()).isEqualTo(2);
        assertThat(result.copies()).isEqualTo(1);
        if (result.replaced() == 1) {
            Files.delete(source.resolve("b/copy.ulg"));
            Path fresh = Lakes.build(source, directory.resolve("fresh"));
            assertThat(Lakes.files(lake)).isEqualTo(Lakes.files(fresh));
            assertThat(Lakes.sums(lake)).isEqualTo(Lakes.sums(fresh));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatADeadJobBeganIsCompletedAndWhatItLeftIsDeleted(boolean isBySpark) throws IOException, SQLException {
        Fleet.write(source);
        run("");
        Map<String, List<String>> expected = Lakes.sums(lake);
        List<Path> files = Lakes.files(lake);
        String log = Lakes.ask(lake, "SELECT log FROM logs WHERE log LIKE '%esc_status%'")
                .get(0);
        Path own = lake.resolve("_mavlogd");
        Path staged = own.resolve("staging/" + log + ".dead-7");
        // As if the process had ended after the entry was written and half of the files were moved.
        int moved = 0;
        for (Path file : files) {
            if (file.getFileName().toString().startsWith(log) && (moved++ % 2 == 0 || file.startsWith("logs"))) {
                Files.createDirectories(staged.resolve(file).getParent());
                Files.move(lake.resolve(file), staged.resolve(file));
            }
        }
        Files.move(own.resolve("ledger/" + log), own.resolve("ledger/" + log + ".dead-7.next"));
        Fleet.put(own.resolve("staging/other.dead-8/logs/date=2026-01-01/other.parquet"), new byte[10]);
        assertThat(Lakes.sums(lake)).isNotEqualTo(expected);

        if (isBySpark) {
            assertThat(run("").unchanged()).isEqualTo(Fleet.LOGS);
        } else {
            Lakes.build(source, lake);
        }

        assertThat(Lakes.sums(lake)).isEqualTo(expected);
        assertThat(Lakes.files(lake)).isEqualTo(files);
        assertThat(own.resolve("staging")).doesNotExist();
        assertThat(own.resolve("ledger/" + log)).exists();
    }

    @Test
    void refusesDirectoriesThatAreNoLake() throws IOException {
        Fleet.put(lake.resolve("letter.txt"), new byte[1]);
        assertThatThrownBy(() -> run("")).hasMessageContaining("not a lake");
        assertThatThrownBy(() -> LakeJob.main(new String[] {"x", "--to"})).hasMessageContaining("--to needs a value");
        assertThatThrownBy(() -> LakeJob.main(new String[] {"x"})).hasMessageContaining("--to is missing");
        assertThatThrownBy(() -> LakeJob.main(new String[] {"x", "--to", "y", "--catalog", "a;b"}))
                .hasMessageContaining("a;b is not NAME");
    }

    @Test
    void tablesOfACatalogueHaveTheSameRowsAndFollowCorrections() throws IOException, SQLException {
        Path file = source.resolve("a/1.ulg");
        Fleet.put(file, Fleet.px4("pyulog_sample_appended_multiple"));
        Fleet.put(source.resolve("a/2.ulg"), Fleet.px4("yule_powers"));
        Fleet.put(source.resolve("b/bad.ulg"), new byte[100]);
        BuildResult result = run("fleet.first");
        assertThat(result.converted()).isEqualTo(2);
        assertThat(result.problems()).hasSize(1);
        Map<String, List<String>> expected = Lakes.sums(Lakes.build(source, directory.resolve("expected")));
        assertThat(Lakes.sums(session, "fleet.first", expected.keySet())).isEqualTo(expected);
        assertThatThrownBy(() -> run("")).hasMessageContaining("not a lake of this kind");

        Fleet.put(file, Fleet.px4("yule_trig_stats"));
        Fleet.put(source.resolve("b/bad.ulg"), yuleOfAnotherVehicle());
        BuildResult second = run("fleet.first");

        assertThat(second.replaced()).isEqualTo(1);
        assertThat(second.converted()).isEqualTo(1);
        Map<String, List<String>> corrected = Lakes.sums(Lakes.build(source, directory.resolve("corrected")));
        assertThat(Lakes.sums(session, "fleet.first", corrected.keySet())).isEqualTo(corrected);
        assertThat(session.sql("SELECT * FROM fleet.first.failures").collectAsList())
                .isEmpty();
        assertThat(session.sql("SELECT count(*) FROM fleet.first.topic_wind_estimate WHERE log LIKE '1-%'")
                        .first()
                        .getLong(0))
                .isZero();
        assertThat(run("fleet.first").unchanged()).isEqualTo(3);
    }

    @Test
    void batchThatWasAppendedHalfIsCompletedWithoutDoubles() throws IOException, SQLException {
        Fleet.put(source.resolve("a/1.ulg"), Fleet.px4("yule_trig_stats"));
        Fleet.put(source.resolve("a/2.ulg"), Fleet.px4("yule_powers"));
        session.sql("CREATE NAMESPACE fleet.third");
        // The third table cannot accept the rows, and comes last.
        session.sql("CREATE TABLE fleet.third.logs (log STRING) USING iceberg");
        assertThatThrownBy(() -> run("fleet.third")).hasMessageContaining("fleet");
        assertThat(session.sql("SHOW TABLES IN fleet.third").count()).isGreaterThan(1);
        session.sql("DROP TABLE fleet.third.logs");

        BuildResult result = run("fleet.third");

        assertThat(result.unchanged()).isEqualTo(2);
        Map<String, List<String>> expected = Lakes.sums(Lakes.build(source, directory.resolve("expected")));
        assertThat(Lakes.sums(session, "fleet.third", expected.keySet())).isEqualTo(expected);
    }

    private static byte[] yuleOfAnotherVehicle() throws IOException {
        return ChangedLog.of(Fleet.px4("yule_powers"), 7);
    }

    @Test
    void columnsWhoseTypeCannotBeWidenedGetTheirOwn() throws IOException {
        List<String> files = List.of(
                parquet("1", "CAST(1 AS FLOAT) AS x, CAST(2 AS TINYINT) AS y, 'a' AS z"),
                parquet("2", "CAST(3 AS DOUBLE) AS x, CAST(4 AS BIGINT) AS y, 'b' AS new"),
                parquet("3", "'text' AS x, CAST(5 AS TINYINT) AS y, 'c' AS Z"));
        IcebergAppend append = new IcebergAppend(session, "fleet.second");
        for (String file : files) {
            append.append("topic_t", List.of(file), append.schemas(List.of(file)));
        }

        Dataset<Row> rows = session.sql("SELECT * FROM fleet.second.topic_t");

        assertThat(rows.columns())
                .contains("x", "x__string", "y", "z", "Z", "new")
                .doesNotContain("y__byte");
        assertThat(rows.selectExpr("sum(x)", "sum(y)", "max(x__string)", "max(z)", "max(Z)", "count(vehicle)")
                        .first()
                        .mkString(" "))
                .isEqualTo("4.0 11 text a c 3");
    }

    private String parquet(String name, String columns) {
        String place =
                directory.resolve(name + "/topics/t/vehicle=v/date=2026-01-02").toString();
        session.sql("SELECT 'l" + name + "' AS log, " + columns)
                .coalesce(1)
                .write()
                .parquet(place);
        return session.read().parquet(place).inputFiles()[0];
    }

    @Test
    void taskThatFailsEachTimeIsNamed() throws IOException {
        JavaSparkContext context = new JavaSparkContext(session.sparkContext());
        List<RemoteLog> logs = Stream.of("a", "b", "c")
                .map(name -> new RemoteLog("/" + name, "file:///" + name, "", 1, 1, ""))
                .toList();
        Exception failure = catchThrowableOfType(
                Exception.class,
                () -> context.parallelize(logs, logs.size()).foreach(log -> {
                    if (log.path().equals("/b")) {
                        throw new IllegalStateException("memory is gone");
                    }
                }));

        ClusterConversion.Lost lost = ClusterConversion.lost(logs, failure);

        assertThat(lost.log().path()).isEqualTo("/b");
        assertThat(lost.reason()).contains("ended 1 times").contains("memory is gone");
        assertThatThrownBy(() -> ClusterConversion.lost(logs, new IllegalStateException("cancelled")))
                .isInstanceOf(IOException.class)
                .hasMessage("cancelled");
    }

    @Test
    void anErrorWhileALogIsConvertedRefusesIt() throws IOException {
        Path file = source.resolve("a.ulg");
        Fleet.put(file, Fleet.px4("px4rs_esc_status_log"));
        Configuration configuration = session.sparkContext().hadoopConfiguration();
        LogTask task = new LogTask(
                RemoteLog.in(source.toString(), configuration).get(0),
                lake.resolve("staging").toUri().toString(),
                "test",
                "test",
                configuration);

        Outcome outcome = task.run(directory, failing(new StackOverflowError()));

        assertThat(outcome.kind()).isEqualTo(Outcome.Kind.REFUSED);
        assertThat(outcome.problem()).contains("a.ulg: internal error").contains("StackOverflowError");
        OutOfMemoryError full = new OutOfMemoryError("Java heap space");
        assertThatThrownBy(() -> task.run(directory, failing(full))).isSameAs(full);
    }

    /** Logs of the lake that cannot be asked for. */
    private static Map<String, String> failing(Error error) {
        return new HashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            public boolean containsKey(Object key) {
                throw error;
            }
        };
    }

    private BuildResult run(String catalog) throws IOException {
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return LakeJob.run(session, source.toString(), lake.toString(), catalog, out);
    }
}
