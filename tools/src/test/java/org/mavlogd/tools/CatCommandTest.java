package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.JsonTree;
import org.mavlogd.logtools.Logs;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** {@code mavlogd cat}, and {@code export csv} to standard output, as users run them. */
class CatCommandTest {
    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();
    private final PrintStream before = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void catchWhatGoesAroundTheWriter() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restoreStandardOutput() {
        System.setOut(before);
    }

    private int run(Object... words) {
        printed.reset();
        return shell.run(words);
    }

    private List<String> lines() {
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private List<Map<String, Object>> objects() throws IOException {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (String line : lines()) {
            objects.add(JsonTree.read(line));
        }
        return objects;
    }

    private Path file(String name, MemorySink sink) throws IOException {
        return Files.write(directory.resolve(name), sink.toByteArray());
    }

    /**
     * A log with attitudes every 10 ms from 1 s on, of two instances in turn, a position in the middle, and UTC at the
     * end.
     */
    private Path flight() throws IOException {
        MemorySink sink = new MemorySink();
        try (ULogWriter log = new ULogWriter(sink, 1_000_000, WriterSettings.DEFAULT)) {
            log.format(TopicFormat.parse("attitude:uint64_t timestamp;float[4] q;uint8_t instance;char[8] text;"));
            log.format(TopicFormat.parse("rotor:float rpm;uint8_t id;"));
            log.format(
                    TopicFormat.parse("position:uint64_t timestamp;double lat;uint64_t big;int64_t low;rotor[2] r;"));
            List<TopicWriter> attitudes = List.of(log.subscribe("attitude", 0), log.subscribe("attitude", 1));
            TopicWriter position = log.subscribe("position", 0);
            for (int i = 0; i < 10; i++) {
                TopicWriter attitude = attitudes.get(i % 2);
                attitude.begin(1_000_000 + 10_000L * i)
                        .float32(attitude.column("q"), 0, 0.1f * i)
                        .float32(attitude.column("q"), 1, i == 3 ? Float.NaN : Float.NEGATIVE_INFINITY)
                        .integer(attitude.column("instance"), 7)
                        .text(attitude.column("text"), "=a\"\u001B\u00e9")
                        .write();
                if (i == 5) {
                    position.begin(1_055_000)
                            .float64(position.column("lat"), Double.parseDouble("2e23"))
                            .integer(position.column("big"), -1)
                            .integer(position.column("low"), Long.MIN_VALUE)
                            .float32(position.column("r[1].rpm"), 1e-7f)
                            .write();
                }
            }
            log.info(
                    Field.of(FieldType.UINT64, "boot_time_utc_us"),
                    new byte[] {0x00, (byte) 0xe7, 0x39, (byte) 0x84, 0x7a, 0x4d, 0x06, 0x00});
        }
        return file("flight.ulg", sink);
    }

    @Test
    void ndjsonHasTheFixedForm() throws IOException {
        Path log = flight();

        assertThat(run("cat", log, "--topic", "position", "--format", "ndjson")).isZero();
        assertThat(lines())
                .containsExactly(
                        "{\"t_us\":1055000,\"instance\":0,\"lat\":2.0E23,\"big\":18446744073709551615,"
                                + "\"low\":-9223372036854775808,\"r[0].rpm\":0.0,\"r[0].id\":0,\"r[1].rpm\":1.0E-7,\"r[1].id\":0}");

        assertThat(run("cat", log, "--topic", "attitude:1", "--format", "ndjson"))
                .isZero();
        assertThat(lines()).hasSize(5);
        assertThat(lines().get(1))
                .isEqualTo("{\"t_us\":1030000,\"instance\":1,\"q[0]\":0.3,\"q[1]\":null,\"q[2]\":0.0,\"q[3]\":0.0,"
                        + "\"instance_\":7,\"text\":\"=a\\\"\\u001B\\u00E9\"}");
        assertThat(shell.err()).isEmpty();
    }

    @Test
    void objectsOfSeveralTopicsNameTheirs() throws IOException {
        assertThat(run("cat", flight(), "--topic", "pos*,attitude:0", "--format", "ndjson", "--fields", "lat,q[0]"))
                .isZero();

        assertThat(lines())
                .hasSize(6)
                .contains(
                        "{\"t_us\":1000000,\"topic\":\"attitude\",\"instance\":0,\"q[0]\":0.0}",
                        "{\"t_us\":1055000,\"topic\":\"position\",\"instance\":0,\"lat\":2.0E23}");
    }

    @Test
    void csvIsOneTableOfAllInstances() throws IOException {
        Path log = flight();

        assertThat(run("cat", log, "--topic", "attitude", "--to", "+0.015")).isZero();
        assertThat(lines())
                .containsExactly(
                        "t_us,instance,q[0],q[1],q[2],q[3],instance,text",
                        "1000000,0,0.0,-inf,0.0,0.0,7,\"'=a\"\" \u00e9\"",
                        "1010000,1,0.1,-inf,0.0,0.0,7,\"'=a\"\" \u00e9\"");

        assertThat(run("cat", log, "--topic", "attitude,position")).isEqualTo(2);
        assertThat(shell.err()).contains("a table holds one topic").hasLineCount(1);
        assertThat(lines()).isEmpty();
    }

    @Test
    void fieldsTimesAndIntervalsChoose() throws IOException {
        Path log = flight();

        // Each instance has its own intervals.
        assertChosen(
                List.of("1000000,0,0.0", "1010000,1,0.1", "1060000,0,0.6", "1070000,1,0.7"),
                log,
                "--every",
                "50ms",
                "--topic",
                "attitude");
        assertChosen(List.of("1000000,0,0.0", "1060000,0,0.6"), log, "--every", "0.05s", "--topic", "attitude:0");
        assertChosen(List.of("1080000,0,0.8", "1090000,1,0.90000004"), log, "--from", "1.08", "--topic", "attitude");
        assertChosen(List.of("1080000,0,0.8", "1090000,1,0.90000004"), log, "--from", "+0.08", "--topic", "attitude");
        assertChosen(List.of("1010000,1,0.1"), log, "--to", "1.02", "--from", "1.01", "--topic", "attitude:1");

        assertThat(run("cat", log, "--topic", "position", "--fields", "r,la?")).isZero();
        assertThat(lines().get(0)).isEqualTo("t_us,instance,lat,r[0].rpm,r[0].id,r[1].rpm,r[1].id");
        assertThat(run("cat", log, "--topic", "position", "--fields", "r[1]")).isZero();
        assertThat(lines().get(0)).isEqualTo("t_us,instance,r[1].rpm,r[1].id");
        assertThat(run("cat", log, "--topic", "position", "--fields", "r*.rpm")).isZero();
        assertThat(lines().get(0)).isEqualTo("t_us,instance,r[0].rpm,r[1].rpm");
        assertThat(run("cat", log, "--topic", "attitude", "--fields", "timestamp"))
                .isZero();
        assertThat(lines()).hasSize(11).startsWith("t_us,instance", "1000000,0");
        for (String interval : List.of("0s", "-1s", "10", "0.0000001s", "1h", "ms")) {
            assertThat(run("cat", log, "--topic", "attitude", "--every", interval))
                    .as(interval)
                    .isEqualTo(2);
        }
    }

    private void assertChosen(List<String> rows, Path log, Object... options) throws IOException {
        List<Object> words = new ArrayList<>(List.of("cat", log, "--fields", "q[0]", "--format", "ndjson"));
        words.addAll(Arrays.asList(options));
        assertThat(run(words.toArray())).as(shell.err()).isZero();
        List<String> chosen = new ArrayList<>();
        for (Map<String, Object> object : objects()) {
            chosen.add(object.get("t_us") + "," + object.get("instance") + "," + object.get("q[0]"));
        }
        assertThat(chosen).as(Arrays.toString(options)).isEqualTo(rows);
    }

    @Test
    void timesInUtcChooseThoughTheLogTellsItOnlyAtItsEnd() throws IOException {
        Path log = flight();
        String from = "2026-03-20T20:27:41.085Z";

        assertThat(run("cat", log, "--topic", "attitude", "--from", from, "--fields", "q[0]"))
                .as(shell.err())
                .isZero();
        assertThat(lines()).containsExactly("t_us,instance,q[0]", "1090000,1,0.90000004");
        Path tables = directory.resolve("tables");
        assertThat(run("export", "csv", log, "-o", tables, "--topics", "att*:1", "--from", from, "--time", "utc"))
                .isZero();
        assertThat(Files.readAllLines(tables.resolve("attitude_1.csv"))).hasSize(2);
    }

    @Test
    void unknownNamesAreErrorsWithSuggestions() throws IOException {
        Path log = flight();

        assertThat(run("cat", log, "--topic", "atitude")).isEqualTo(1);
        assertThat(shell.err())
                .contains("no topic \"atitude\" (did you mean \"attitude\"?)")
                .hasLineCount(1);
        assertThat(lines()).isEmpty();
        assertThat(run("cat", log, "--topic", "attitude:5")).isEqualTo(1);
        assertThat(shell.err()).contains("did you mean \"attitude:").hasLineCount(1);
        assertThat(run("cat", log, "--topic", "position", "--fields", "lat,bigg"))
                .isEqualTo(1);
        assertThat(shell.err())
                .contains("no field \"bigg\" (did you mean \"big\"?)")
                .hasLineCount(1);
        assertThat(lines()).isEmpty();
        assertThat(run("cat", log, "--topic", "*", "--format", "ndjson", "--fields", "lat,bigg"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("no field \"bigg\"").hasLineCount(1);
        assertThat(run("cat", log)).isEqualTo(2);
        assertThat(run("cat", log, "--topic", "position", "--format", "xml")).isEqualTo(2);
    }

    @Test
    void standardOutputTakesOneTable() throws IOException {
        Path log = flight();

        assertThat(run("export", "csv", log, "-o", "-", "--topics", "position", "--time", "s"))
                .isZero();
        assertThat(lines())
                .containsExactly(
                        "timestamp_s,lat,big,low,r[0].rpm,r[0].id,r[1].rpm,r[1].id",
                        "1.055000,2.0E23,18446744073709551615,-9223372036854775808,0.0,0,1.0E-7,0");
        assertThat(shell.out()).isEmpty();

        assertThat(run("export", "csv", log, "-o", "-", "--topic", "attitude")).isEqualTo(1);
        assertThat(shell.err()).contains("2 are chosen: attitude:0, attitude:1").hasLineCount(1);
        assertThat(lines()).isEmpty();
        assertThat(run("export", "csv", log, "-o", "-")).isEqualTo(1);
        assertThat(shell.err()).contains("position:0").hasLineCount(1);
    }

    @Test
    void exportTakesSeveralTopicsAndTimes() throws IOException {
        Path log = flight();
        Path tables = directory.resolve("tables");

        assertThat(run(
                        "export",
                        "csv",
                        log,
                        "-o",
                        tables,
                        "--topics",
                        "pos*,attitude:1",
                        "--from",
                        "1.05",
                        "--to",
                        "1.07"))
                .isZero();
        assertThat(shell.out()).contains("2 files with 3 rows");
        assertThat(tables.resolve("attitude_1.csv")).isRegularFile();
        assertThat(tables.resolve("position_0.csv")).isRegularFile();
        assertThat(run("export", "csv", log, "-o", tables, "--topic", "attitude:0", "--topic", "attitude:1", "--force"))
                .isZero();
        assertThat(shell.out()).contains("2 files with 10 rows");

        Path none = directory.resolve("none");
        assertThat(run("export", "csv", log, "-o", none, "--topics", "attitude,positoin"))
                .isEqualTo(1);
        assertThat(shell.err())
                .contains("no topic \"positoin\" (did you mean \"position\"?)")
                .hasLineCount(1);
        assertThat(run("export", "csv", log, "-o", none, "--topics", "attitude", "--from", "99"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("no samples of attitude in this time").hasLineCount(1);
        assertThat(run("export", "csv", Logs.corner("golden", directory), "-o", none, "--time", "utc"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("has no UTC").hasLineCount(1);
        assertThat(none).doesNotExist();
    }

    @Test
    void followsALogUntilItIsFinished() throws IOException {
        byte[] log = Files.readAllBytes(flight());
        int half = log.length * 2 / 3;
        Path part = Files.write(directory.resolve("live.ulg.part"), Arrays.copyOf(log, half));
        CompletableFuture<Integer> code = CompletableFuture.supplyAsync(
                () -> run("cat", "--follow", part, "--topic", "attitude,lateer", "--format", "ndjson"));

        await().atMost(Duration.ofSeconds(60)).until(() -> lines().size() > 2);
        await().atMost(Duration.ofSeconds(60)).until(() -> shell.err().contains("no topic \"lateer\""));
        assertThat(code).isNotDone();
        int first = lines().size();
        Files.write(part, Arrays.copyOfRange(log, half, log.length), StandardOpenOption.APPEND);
        await().atMost(Duration.ofSeconds(60)).until(() -> lines().size() == 10);
        assertThat(first).isLessThan(10);
        assertThat(code).isNotDone();
        Files.move(part, directory.resolve("live.ulg"));

        // The topic for which the command waited did not come.
        assertThat(code).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(1);
        assertThat(run("cat", "--follow", directory.resolve("live.ulg"), "--topic", "attitude"))
                .isZero();
        assertThat(lines()).hasSize(11);
    }

    @Test
    void endsQuietlyWhenNobodyReadsOn() throws IOException {
        Path log = Logs.real("px4rs_6ba1abc7", directory);
        long[] taken = new long[1];
        System.setOut(new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                taken[0] += length;
                throw new IOException("Broken pipe");
            }
        }));

        int code = shell.run("cat", log, "--topic", "*", "--format", "ndjson");

        assertThat(taken[0]).isLessThan(200_000);
        assertThat(shell.err()).isIn("", "mavlogd cat: standard output: cannot be written" + System.lineSeparator());
        assertThat(code).isIn(0, 1); // 1 where standard output is no pipe
    }

    @Test
    void whatIsPrintedIsWhatWasWritten() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            RandomTopic topic = new RandomTopic(random);
            Path log = file("random.ulg", topic.sink);

            assertThat(run("cat", log, "--topic", "t", "--format", "ndjson")).isZero();
            assertThat(lines()).as("seed %d", seed).isEqualTo(topic.objects);
            for (String line : lines()) {
                assertIsJson(line);
            }
            assertThat(run("cat", log, "--topic", "t")).isZero();
            assertThat(lines().subList(1, lines().size())).as("seed %d", seed).isEqualTo(topic.rows);
        }
    }

    private static void assertIsJson(String line) throws IOException {
        JsonFactory strict = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser parser = strict.createParser(line)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            parser.skipChildren();
            assertThat(parser.nextToken()).isNull();
        }
    }

    /**
     * Samples of a topic with fields of random types, and the expected lines. Values are compared in Java's decimal
     * form.
     */
    private static final class RandomTopic {
        final MemorySink sink = new MemorySink();
        final List<String> objects = new ArrayList<>();
        final List<String> rows = new ArrayList<>();
        private final Random random;

        RandomTopic(Random random) throws IOException {
            this.random = random;
            List<Field> fields = new ArrayList<>(List.of(Field.of(FieldType.UINT64, "timestamp")));
            FieldType[] types = FieldType.values();
            for (int i = 0; i < 8; i++) {
                FieldType type = types[random.nextInt(types.length)];
                boolean isArray = type == FieldType.CHAR || random.nextInt(3) == 0;
                fields.add(isArray ? Field.array(type, 1 + random.nextInt(5), "f" + i) : Field.of(type, "f" + i));
            }
            try (ULogWriter log = new ULogWriter(sink, 1, WriterSettings.DEFAULT)) {
                log.format(new TopicFormat("t", fields));
                List<TopicWriter> topics = List.of(log.subscribe("t", 0), log.subscribe("t", 3));
                for (int i = 0; i < 30; i++) {
                    int which = random.nextInt(2);
                    sample(topics.get(which), 1_000L * i, 3 * which);
                }
            }
        }

        private void sample(TopicWriter topic, long timeUs, int instance) throws IOException {
            topic.begin(timeUs);
            StringBuilder object = new StringBuilder("{\"t_us\":" + timeUs + ",\"instance\":" + instance);
            StringBuilder row = new StringBuilder(timeUs + "," + instance);
            for (Column column : topic.layout().columns()) {
                if (column.type() == FieldType.CHAR) {
                    String text = "abcde".substring(0, random.nextInt(column.count() + 1));
                    topic.text(column, text);
                    object.append(",\"" + column.path() + "\":\"" + text + "\"");
                    row.append("," + text);
                } else if (!column.path().equals("timestamp")) {
                    for (int i = 0; i < column.count(); i++) {
                        String key = column.isArray() ? column.path() + "[" + i + "]" : column.path();
                        String value = set(topic, column, i);
                        boolean isFinite = !value.equals("NaN") && !value.endsWith("inf");
                        object.append(",\"" + key + "\":" + (isFinite ? value : "null"));
                        row.append("," + value);
                    }
                }
            }
            topic.write();
            objects.add(object + "}");
            rows.add(row.toString());
        }

        private String set(TopicWriter topic, Column column, int index) {
            long bits = random.nextLong();
            switch (column.type()) {
                case FLOAT -> {
                    float value = random.nextInt(10) == 0 ? Float.NaN : random.nextInt(1 << 20) / 1024f;
                    topic.float32(column, index, value);
                    return Float.toString(value);
                }
                case DOUBLE -> {
                    double value = random.nextInt(10) == 0 ? Double.NEGATIVE_INFINITY : random.nextInt() / 65536.0;
                    topic.float64(column, index, value);
                    return Double.isInfinite(value) ? "-inf" : Double.toString(value);
                }
                default -> {
                    int length = Byte.SIZE * column.type().length();
                    boolean isSigned = List.of(FieldType.INT8, FieldType.INT16, FieldType.INT32, FieldType.INT64)
                            .contains(column.type());
                    long value = column.type() == FieldType.BOOL
                            ? bits & 1
                            : isSigned
                                    ? bits << (64 - length) >> (64 - length)
                                    : bits << (64 - length) >>> (64 - length);
                    topic.integer(column, index, value);
                    return isSigned ? Long.toString(value) : Long.toUnsignedString(value);
                }
            }
        }
    }

    @Test
    void everyDamagedLogGivesAResultOrAnError() throws IOException {
        for (Map.Entry<String, byte[]> corner : Logs.corners().entrySet()) {
            Path log = Files.write(directory.resolve("corner.ulg"), corner.getValue());
            for (List<Object> words : List.<List<Object>>of(
                    List.of("cat", log, "--topic", "*", "--format", "ndjson"),
                    List.of("cat", log, "--topic", "*", "--format", "ndjson", "--every", "1s", "--from", "+0"),
                    List.of("cat", log, "--topic", "gyro"),
                    List.of("export", "csv", log, "--force", "--time", "s", "-o", directory.resolve("tables")))) {
                assertThat(run(words.toArray())).as(corner.getKey()).isIn(0, 1, 3);
                assertThat(shell.err().lines().count())
                        .as(corner.getKey() + shell.err())
                        .isLessThanOrEqualTo(1);
            }
        }
    }
}
