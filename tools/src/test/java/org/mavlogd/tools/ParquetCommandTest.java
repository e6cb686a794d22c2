package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.logtools.Logs;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** {@code mavlogd export parquet} as users run it; DuckDB reads the files independently. */
class ParquetCommandTest {
    private static final List<String> COLUMNS = List.of("log", "instance", "t_us", "time");

    private static final List<FieldType> TYPES = List.of(FieldType.values());

    private static Connection duckDb;

    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    @BeforeAll
    static void startDuckDb() throws SQLException {
        duckDb = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = duckDb.createStatement()) {
            statement.execute("set threads to 1");
            statement.execute("set TimeZone to 'UTC'");
        }
    }

    @AfterAll
    static void stopDuckDb() throws SQLException {
        duckDb.close();
    }

    /** Some real logs, or with {@code -Dparquet.logs=DIR} all logs of a directory. */
    static List<String> logs() throws IOException {
        String chosen = System.getProperty("parquet.logs", "");
        if (chosen.isEmpty()) {
            return List.of(
                    "mcap_ulog2mcap_test",
                    "px4rs_esc_status_log",
                    "pyulog_sample_appended_multiple",
                    "yule_powers",
                    "yule_trig_stats",
                    Logs.DAMAGED);
        }
        try (Stream<Path> files = Files.walk(Path.of(chosen))) {
            return files.map(Path::toString)
                    .filter(name -> name.matches(".*\\.(ulg|bin)(\\.gz)?"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("logs")
    void independentReaderReadsWhatIsInTheLog(String name) throws Exception {
        Path log =
                name.startsWith("/") ? ulog(Path.of(name)) : Files.write(directory.resolve("log.ulg"), Logs.real(name));
        Path out = directory.resolve("out");

        int code = shell.run("export", "parquet", log, "-o", out);

        assertThat(code)
                .as(shell.err())
                .isIn(name.startsWith("/") ? List.of(0, 1, 3) : List.of(name.equals(Logs.DAMAGED) ? 3 : 0));
        if (code != 1) {
            assertSame(ExpectedTables.of(Files.readAllBytes(log)), out, "log");
        }
    }

    /** A log as a plain ULog; one that cannot be converted is unchanged. */
    private Path ulog(Path log) throws IOException {
        Path ulog = directory.resolve("log.ulg");
        if (shell.run("convert", log, ulog) == 1) {
            byte[] bytes = Files.readAllBytes(log);
            if (log.toString().endsWith(".gz")) {
                bytes = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
            }
            Files.write(ulog, bytes);
        }
        return ulog;
    }

    static LongStream seeds() {
        long first = Long.getLong("parquet.seed", 1);
        return LongStream.range(first, first + Integer.getInteger("parquet.seeds", 25));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void independentReaderReadsAnyLog(long seed) throws Exception {
        byte[] bytes = randomLog(new Random(seed));
        Path log = Files.write(directory.resolve("Random.ULG"), bytes);
        Path out = directory.resolve("out");

        assertThat(shell.run("export", "parquet", log, "-o", out)).isZero();

        assertSame(ExpectedTables.of(bytes), out, "Random");
    }

    @Test
    void timesAreUtcWhenTheLogTellsItAndElseNull() throws Exception {
        Path out = directory.resolve("out");

        assertThat(shell.run("export", "parquet", Logs.real("mcap_ulog2mcap_test", directory), "-o", out))
                .isZero();

        assertThat(shell.out()).doesNotContain("no UTC").hasLineCount(1);
        String all = "'" + out + "/*.parquet'";
        assertThat(query("select min(epoch_us(time) - t_us) = max(epoch_us(time) - t_us), count(*) = count(time), "
                        + "min(time) between '2025-12-10 01:46:00+00' and '2025-12-10 01:47:31.9+00', any_value(typeof(time)) "
                        + "from read_parquet(" + all + ", union_by_name = true)"))
                .containsExactly("true true true TIMESTAMP WITH TIME ZONE");

        assertThat(shell.run("export", "parquet", Logs.real("px4rs_6ba1abc7", directory), "-o", out, "--force"))
                .isZero();
        assertThat(shell.out()).contains("the log has no UTC").hasLineCount(1);
        assertThat(query("select count(time), count(*) > 0 from '" + out + "/sensor_combined.parquet'"))
                .containsExactly("0 true");
    }

    @Test
    void timesThatDoNotFitAreNullAndTheOthersStay() throws Exception {
        MemorySink sink = new MemorySink();
        try (ULogWriter writer = writer(sink)) {
            writer.format(new TopicFormat("t", List.of(Field.of(FieldType.UINT64, "timestamp"))));
            writer.info(Field.of(FieldType.UINT64, "boot_time_utc_us"), long64(1_774_038_053_123_456L));
            TopicWriter topic = writer.subscribe("t", 0);
            for (long timeUs : new long[] {7, Long.MAX_VALUE, 3, Long.MAX_VALUE - 1, 5}) {
                topic.begin(timeUs).write();
            }
        }
        Path log = Files.write(directory.resolve("a.ulg"), sink.toByteArray());

        assertThat(shell.run("export", "parquet", log, "-o", directory)).isZero();

        assertThat(query("select t_us, epoch_us(time) from '" + directory + "/t.parquet'"))
                .containsExactly(
                        "3 1774038053123459",
                        "5 1774038053123461",
                        "7 1774038053123463",
                        (Long.MAX_VALUE - 1) + " null",
                        Long.MAX_VALUE + " null");
    }

    @Test
    void columnsHaveNamesThatSqlTakesAndUnits() throws Exception {
        MemorySink sink = new MemorySink();
        try (ULogWriter writer = writer(sink)) {
            writer.format(new TopicFormat(
                    "BARO",
                    List.of(
                            Field.of(FieldType.UINT64, "timestamp"),
                            Field.of(FieldType.UINT64, "Time"),
                            Field.of(FieldType.FLOAT, "Alt"),
                            Field.of(FieldType.FLOAT, "alt"),
                            Field.array(FieldType.FLOAT, 2, "q"))));
            writer.multiInfo("field_units", "BARO:Alt=m,q=0.01 degC");
            writer.multiInfo("field_units", "GPS:Alt=km");
            writer.subscribe("BARO", 0).begin(1).write();
        }
        Path log = Files.write(directory.resolve("a.ulg.part"), sink.toByteArray());

        assertThat(shell.run("export", "parquet", log, "-o", directory)).isZero();

        String file = "'" + directory + "/BARO.parquet'";
        assertThat(query("select column_name, column_type from (describe select * from " + file + ")"))
                .containsExactly(
                        "log VARCHAR",
                        "instance UTINYINT",
                        "t_us BIGINT",
                        "time TIMESTAMP WITH TIME ZONE",
                        "Time_2 UBIGINT",
                        "Alt FLOAT",
                        "alt_2 FLOAT",
                        "q_0 FLOAT",
                        "q_1 FLOAT");
        assertThat(query("select decode(key), decode(value) from parquet_kv_metadata(" + file + ")"))
                .containsExactlyInAnyOrder(
                        "topic BARO",
                        "field:Time_2 Time",
                        "field:alt_2 alt",
                        "unit:Alt m",
                        "unit:q_0 0.01 degC",
                        "unit:q_1 0.01 degC");
        assertThat(query("select log from " + file)).containsExactly("a");
    }

    @Test
    void unitsOfTheCompanionComputersTopicsAreThere() throws Exception {
        MemorySink sink = new MemorySink();
        try (ULogWriter writer = writer(sink)) {
            writer.format(new TopicFormat(
                    "winch", List.of(Field.of(FieldType.UINT64, "timestamp"), Field.of(FieldType.FLOAT, "load"))));
            writer.info(LocalMarks.UNITS + "winch", "load=kg");
            writer.subscribe("winch", 0).begin(1).write();
        }
        Path log = Files.write(directory.resolve("a.ulg"), sink.toByteArray());

        assertThat(shell.run("export", "parquet", log, "-o", directory)).isZero();

        assertThat(query("select decode(key), decode(value) from parquet_kv_metadata('" + directory
                        + "/winch.parquet')"))
                .containsExactlyInAnyOrder("topic winch", "unit:load kg");
    }

    @Test
    void aTopicWithoutTimeHasThatOfTheSampleBeforeWhicheverTopicsAreChosen() throws Exception {
        ByteBuffer log = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(log, 1_000_000);
        MessageEncoder.flagBits(log, 0);
        MessageEncoder.format(log, "timed:uint64_t timestamp;");
        MessageEncoder.format(log, "bare:uint8_t x;");
        MessageEncoder.subscription(log, 0, 0, "timed");
        MessageEncoder.subscription(log, 0, 1, "bare");
        for (long timeUs : new long[] {5_000_000, 6_000_000}) {
            log.putShort((short) 10).put((byte) 'D').putShort((short) 0).putLong(timeUs);
            log.putShort((short) 3).put((byte) 'D').putShort((short) 1).put((byte) 7);
        }
        Path file = Files.write(directory.resolve("a.ulg"), Arrays.copyOf(log.array(), log.position()));

        for (String topics : List.of("bare", "*")) {
            assertThat(shell.run("export", "parquet", file, "-o", directory, "--topics", topics, "--force"))
                    .isZero();

            assertThat(query("select t_us from '" + directory + "/bare.parquet'"))
                    .as(topics)
                    .containsExactly("5000000", "6000000");
        }
    }

    @Test
    void keepsWhatIsThereAndReportsDamage() throws IOException {
        Path log = Logs.corner("golden", directory);
        Path out = directory.resolve("new/out");

        assertThat(shell.run("export", "parquet", log, "-o", out)).isZero();
        assertThat(shell.out()).contains("2 files with 930 rows").hasLineCount(1);
        List<String> files = files(out);
        Files.writeString(out.resolve(files.get(0)), "precious");
        assertThat(shell.run("export", "parquet", log, "-o", out)).isEqualTo(1);
        assertThat(shell.err())
                .startsWith("mavlogd export parquet: ")
                .contains("exists already")
                .hasLineCount(1);
        assertThat(out.resolve(files.get(0))).hasContent("precious");
        assertThat(files(out)).isEqualTo(files);
        assertThat(shell.run("export", "parquet", log, "-o", out, "--force")).isZero();
        assertThat(files(out)).isEqualTo(files);

        Path none = directory.resolve("none");
        assertThat(shell.run("export", "parquet", directory.resolve("none.ulg"), "-o", none))
                .isEqualTo(1);
        assertThat(shell.err()).contains("none.ulg").hasLineCount(1);
        assertThat(none).doesNotExist();
    }

    @Test
    void topicOfTooManyColumnsIsLeftOutWithOneLine() throws IOException {
        MemorySink sink = new MemorySink();
        try (ULogWriter writer = writer(sink)) {
            writer.format(new TopicFormat(
                    "wide",
                    List.of(Field.of(FieldType.UINT64, "timestamp"), Field.array(FieldType.UINT8, 20_000, "a"))));
            writer.format(new TopicFormat("narrow", List.of(Field.of(FieldType.UINT64, "timestamp"))));
            TopicWriter wide = writer.subscribe("wide", 0);
            TopicWriter narrow = writer.subscribe("narrow", 0);
            wide.begin(2).write();
            narrow.begin(1).write();
        }
        Path log = Files.write(directory.resolve("a.ulg"), sink.toByteArray());
        Path out = directory.resolve("out");

        assertThat(shell.run("export", "parquet", log, "-o", out)).isEqualTo(3);
        assertThat(shell.err())
                .contains("a.ulg", "\"wide\"", "20,004 columns", "10,000", "left out")
                .hasLineCount(1);
        assertThat(files(out)).containsExactly("narrow.parquet");

        Path chosen = directory.resolve("chosen");
        assertThat(shell.run("export", "parquet", log, "-o", chosen, "--topics", "narrow"))
                .isZero();
        assertThat(files(chosen)).containsExactly("narrow.parquet");
    }

    @Test
    void topicsAreChosenByNameInstanceAndWildcard() throws IOException {
        Path log = Logs.real("mcap_ulog2mcap_test", directory);
        Path out = directory.resolve("out");

        assertThat(shell.run("export", "parquet", log, "-o", out, "--topics", "cpuload,vehicle_att*"))
                .isZero();
        assertThat(files(out))
                .contains("cpuload.parquet", "vehicle_attitude.parquet")
                .hasSizeBetween(2, 4);

        Path none = directory.resolve("none");
        assertThat(shell.run("export", "parquet", log, "-o", none, "--topics", "cpulod"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("no topic \"cpulod\"", "cpuload").hasLineCount(1);
        assertThat(none).doesNotExist();
    }

    @Test
    void helpTellsTheExitCodesAndWrongUsageIsReportedInOneLine() {
        assertThat(shell.run("export", "parquet", "--help")).isZero();
        assertThat(shell.out())
                .contains("Usage: mavlogd export parquet", "Exit codes:", "wrong usage")
                .contains("--output");
        assertThat(shell.run("export", "parquet", "a.ulg")).isEqualTo(2);
        assertThat(shell.err()).startsWith("mavlogd").contains("--help").hasLineCount(1);
    }

    private static void assertSame(Map<String, List<String>> expected, Path out, String log) throws Exception {
        assertThat(files(out)).containsExactlyElementsOf(new TreeMap<>(expected).keySet());
        for (Map.Entry<String, List<String>> table : expected.entrySet()) {
            String file = "'" + out.resolve(table.getKey()) + "'";
            assertThat(query("select * exclude (log, time) from " + file))
                    .as(table.getKey())
                    .isEqualTo(table.getValue());
            assertThat(query("select distinct log from " + file)).containsExactly(log);
        }
    }

    /** The rows in the form of {@link ExpectedTables}. */
    private static List<String> query(String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = duckDb.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    row.append(i == 1 ? "" : " ").append(ExpectedTables.value(result.getObject(i)));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    private static List<String> files(Path out) throws IOException {
        if (!Files.isDirectory(out)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(out)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** A log of topics with fields of all types, several instances, random bytes, and times in any order. */
    private static byte[] randomLog(Random random) throws IOException {
        MemorySink sink = new MemorySink();
        try (ULogWriter writer = writer(sink)) {
            Map<String, Integer> topics = new LinkedHashMap<>();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                topics.put("topic_" + i, 1 + random.nextInt(3));
                writer.format(new TopicFormat("topic_" + i, randomFields(random)));
            }
            List<TopicWriter> writers = new ArrayList<>();
            for (Map.Entry<String, Integer> topic : topics.entrySet()) {
                for (int instance = 0; instance < topic.getValue(); instance++) {
                    writers.add(writer.subscribe(topic.getKey(), instance * 85));
                }
            }
            boolean isMixed = random.nextBoolean();
            for (int i = 0; i < 50 + random.nextInt(400); i++) {
                sample(random, writers.get(random.nextInt(writers.size())), isMixed ? random.nextInt(300) : i);
            }
        }
        return sink.toByteArray();
    }

    /** Often repeats the previous sample, since columns of one value are encoded differently. */
    private static void sample(Random random, TopicWriter topic, long timeUs) throws IOException {
        byte[] fields = new byte[topic.layout().sizeWithoutPadding()];
        if (random.nextInt(4) == 0) {
            random.nextBytes(fields);
        }
        ByteBuffer.wrap(fields).order(ByteOrder.LITTLE_ENDIAN).putLong(timeUs);
        topic.writeRaw(fields, 0, fields.length);
    }

    private static List<Field> randomFields(Random random) {
        List<Field> fields = new ArrayList<>();
        fields.add(Field.of(FieldType.UINT64, "timestamp"));
        for (int i = random.nextInt(20); i > 0; i--) {
            FieldType type = TYPES.get(random.nextInt(TYPES.size()));
            String name = COLUMNS.get(random.nextInt(COLUMNS.size())) + i;
            fields.add(random.nextInt(3) == 0 ? Field.array(type, 1 + random.nextInt(40), name) : Field.of(type, name));
        }
        return fields;
    }

    private static ULogWriter writer(MemorySink sink) {
        return new ULogWriter(sink, 0, new WriterSettings(128 * 1024, 500_000, TimestampPolicy.COUNT_AND_KEEP));
    }

    private static byte[] long64(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }
}
