package org.mavlogd.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.logtools.Logs;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

public class CsvExportTest {
    @TempDir
    private Path directory = Path.of(".");

    private CsvExport.Result export(Path log) throws IOException {
        return export(log, CsvExport.Times.US);
    }

    private CsvExport.Result export(Path log, CsvExport.Times times) throws IOException {
        CsvExport.Choice choice = new CsvExport.Choice(TopicChoice.all(), TimeRange.ALL, times);
        try (CsvExport export = new CsvExport(directory.resolve("tables"), OutputFile.Existing.REPLACE, choice)) {
            return export.export(log, Progress.NONE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mcap_ulog2mcap_test", "px4rs_esc_status_log", "yule_trig_stats"})
    void cellsHaveTheValuesThatTheReaderGives(String name) throws IOException {
        Path log = Logs.real(name, directory);
        Expected expected = new Expected();
        ULogReader.read(log, expected);

        CsvExport.Result result = export(log);

        assertThat(result.files()).isEqualTo(expected.rows.size());
        for (Map.Entry<String, List<List<Object>>> table : expected.rows.entrySet()) {
            Path file = directory.resolve("tables").resolve(table.getKey().replace(':', '_') + ".csv");
            List<List<String>> rows = Csv.parse(Files.readString(file));
            assertThat(rows.get(0)).as(table.getKey()).isEqualTo(expected.headers.get(table.getKey()));
            assertThat(rows).hasSize(1 + table.getValue().size());
            for (int i = 0; i < table.getValue().size(); i++) {
                assertSame(table.getKey(), table.getValue().get(i), rows.get(i + 1));
            }
        }
    }

    @Test
    void everyTypeIsWrittenSoThatItReadsAsTheSame() throws IOException {
        Path log = directory.resolve("types.ulg");
        try (FileSink sink = FileSink.create(log)) {
            ULogWriter writer = new ULogWriter(sink, 1, WriterSettings.DEFAULT);
            writer.format(TopicFormat.parse("inner:uint64_t timestamp;float f;"));
            writer.format(TopicFormat.parse("t:uint64_t timestamp;int8_t i;uint64_t u;int64_t l;double d;float[2] f;"
                    + "char[12] s;bool b;inner[2] n;"));
            var topic = writer.subscribe("t", 0);
            topic.begin(5)
                    .integer(topic.column("i"), -128)
                    .integer(topic.column("u"), -1)
                    .integer(topic.column("l"), Long.MIN_VALUE)
                    .float64(topic.column("d"), 1e-300)
                    .text(topic.column("s"), "a,\"b\"\nc")
                    .float32(topic.column("n[1].f"), Float.POSITIVE_INFINITY)
                    .write();
            writer.close();
        }

        export(log);

        assertThat(Files.readString(directory.resolve("tables/t_0.csv")))
                .isEqualTo("timestamp,i,u,l,d,f[0],f[1],s,b,n[0].timestamp,n[0].f,n[1].timestamp,n[1].f\n"
                        + "5,-128,18446744073709551615,-9223372036854775808,1.0E-300,0.0,0.0,\"a,\"\"b\"\"\nc\",0,"
                        + "0,0.0,0,inf\n");
    }

    @Test
    void noTextFromTheLogBecomesAFormula() throws IOException {
        List<String> texts = List.of("=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "a=1", "'x", "-", "", "1;=2");
        Path log = directory.resolve("formulas.ulg");
        try (FileSink sink = FileSink.create(log)) {
            ULogWriter writer = new ULogWriter(sink, 1, WriterSettings.DEFAULT);
            writer.format(TopicFormat.parse("t:uint64_t timestamp;char[12] s;float f;int32_t i;"));
            var topic = writer.subscribe("t", 0);
            for (String text : texts) {
                topic.begin(5)
                        .text(topic.column("s"), text)
                        .float32(topic.column("f"), -1.5f)
                        .integer(topic.column("i"), -7)
                        .write();
            }
            writer.close();
        }

        export(log);

        List<List<String>> rows = Csv.parse(Files.readString(directory.resolve("tables/t_0.csv")));
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            boolean isGuarded = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
            assertThat(rows.get(i + 1)).containsExactly("5", (isGuarded ? "'" : "") + text, "-1.5", "-7");
        }
        assertThat(Files.readString(directory.resolve("tables/t_0.csv"))).contains("\"1;=2\"");
    }

    @Test
    void namesOfColumnsBecomeNoFormulasEither() throws IOException {
        CsvText row = new CsvText(CsvText.Texts.EXACT);
        new SampleColumns(List.of(
                        new Column("=cmd", FieldType.FLOAT, 0, 2, true), new Column("@x", FieldType.CHAR, 8, 4, true)))
                .names()
                .forEach(row::text);

        assertThat(new String(row.bytes(), 0, row.length(), StandardCharsets.UTF_8))
                .isEqualTo("'=cmd[0],'=cmd[1],'@x");
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void veryManyFieldsOfOneNameTakeNoLongerThanOthers() throws IOException {
        ByteBuffer log = ByteBuffer.allocate(200_000).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(log, 0);
        MessageEncoder.flagBits(log, 0);
        MessageEncoder.format(log, "part:" + "bool a;".repeat(4096));
        MessageEncoder.format(log, "t:uint64_t timestamp;" + "part x;".repeat(15));
        MessageEncoder.subscription(log, 0, 0, "t");
        MessageEncoder.data(log, 0, new byte[8 + 15 * 4096], 0, 8 + 15 * 4096);
        Path file = Files.write(directory.resolve("many.ulg"), Arrays.copyOf(log.array(), log.position()));

        assertThat(export(file).rows()).isEqualTo(1);
    }

    @Test
    void timesAreInMicrosecondsSecondsOrUtc() throws IOException {
        Path log = directory.resolve("times.ulg");
        long bootUtcUs = 1_774_038_460_000_000L; // 2026-03-20T20:27:40Z
        try (FileSink sink = FileSink.create(log)) {
            ULogWriter writer = new ULogWriter(sink, 1, WriterSettings.DEFAULT);
            writer.format(TopicFormat.parse("t:uint64_t timestamp;bool b;"));
            var topic = writer.subscribe("t", 0);
            for (long us : new long[] {0, 7, 1_500_000, 86_400_000_001L}) {
                topic.begin(us).write();
            }
            // This info is only known at the end.
            writer.info(
                    Field.of(FieldType.UINT64, "boot_time_utc_us"),
                    ByteBuffer.allocate(8)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(bootUtcUs)
                            .array());
            writer.close();
        }

        export(log, CsvExport.Times.S);
        assertThat(directory.resolve("tables/t_0.csv"))
                .hasContent("timestamp_s,b\n0.000000,0\n0.000007,0\n1.500000,0\n86400.000001,0\n");
        export(log, CsvExport.Times.UTC);
        assertThat(directory.resolve("tables/t_0.csv")).hasContent("""
                        timestamp_utc,b
                        2026-03-20T20:27:40.000000Z,0
                        2026-03-20T20:27:40.000007Z,0
                        2026-03-20T20:27:41.500000Z,0
                        2026-03-21T20:27:40.000001Z,0
                        """);
    }

    @Test
    void rowsOfNumbersAllocateNothing() throws IOException {
        Path log = directory.resolve("numbers.ulg");
        try (FileSink sink = FileSink.create(log)) {
            ULogWriter writer = new ULogWriter(sink, 1, WriterSettings.DEFAULT);
            writer.format(TopicFormat.parse("t:uint64_t timestamp;float[8] f;double d;int64_t i;uint8_t[4] b;"));
            var topic = writer.subscribe("t", 0);
            for (int i = 0; i < 50_000; i++) {
                topic.begin(1_000L * i)
                        .float32(topic.column("f"), i % 8, i / 7f)
                        .float64(topic.column("d"), i / 3d);
                topic.write();
            }
            writer.close();
        }
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        for (CsvExport.Times times : CsvExport.Times.values()) {
            if (times == CsvExport.Times.UTC) {
                continue; // this form allocates a text for each second
            }
            export(log, times);
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());

            export(log, times);

            long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            // Opening some 100 files allocates; the 50,000 rows must not.
            assertThat(bytes).as(times.name()).isLessThan(50_000L * 40);
        }
    }

    @Test
    void namesFromTheLogStayInsideTheDirectory() throws IOException {
        Path log = directory.resolve("names.ulg");
        List<String> names = List.of("../../evil", "a/b", "a_b", "A_B", "/etc/passwd", "-rf", "x".repeat(200));
        try (FileSink sink = FileSink.create(log)) {
            ULogWriter writer = new ULogWriter(sink, 1, WriterSettings.DEFAULT);
            List<String> legal =
                    names.stream().map(name -> name.replace('.', '-')).toList();
            for (String name : legal) {
                writer.format(TopicFormat.parse(name + ":uint64_t timestamp;"));
            }
            for (String name : legal) {
                writer.subscribe(name, 0).begin(7).write();
            }
            writer.close();
        }

        assertThat(export(log).files()).isEqualTo(names.size());

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(Path::getFileName).map(String::valueOf))
                    .containsExactlyInAnyOrder("names.ulg", "tables");
        }
        try (Stream<Path> files = Files.list(directory.resolve("tables"))) {
            assertThat(files.map(Path::getFileName).map(String::valueOf))
                    .containsExactlyInAnyOrder(
                            "--_--_evil_0.csv",
                            "a_b_0.csv",
                            "a_b_0-2.csv",
                            "A_B_0-3.csv",
                            "_etc_passwd_0.csv",
                            "-rf_0.csv",
                            "x".repeat(100) + "_0.csv");
        }
    }

    @Test
    void nothingIsLeftWhenTheLogIsRefused() throws IOException {
        Path noLog = Files.writeString(directory.resolve("no.ulg"), "not a log, but long enough to be one");

        assertThatThrownBy(() -> export(noLog)).isInstanceOf(ULogException.class);

        assertThat(directory.resolve("tables")).doesNotExist();
    }

    private static void assertSame(String topic, List<Object> expected, List<String> cells) {
        assertThat(cells).as(topic).hasSameSizeAs(expected);
        for (int i = 0; i < cells.size(); i++) {
            Object value = expected.get(i);
            String cell = cells.get(i).replace("inf", "Infinity");
            boolean same = value instanceof Float number
                    ? Float.compare(Float.parseFloat(cell), number) == 0
                    : value instanceof Double number
                            ? Double.compare(Double.parseDouble(cell), number) == 0
                            : cells.get(i).equals(value);
            assertThat(same).as("%s: %s is %s", topic, cells.get(i), value).isTrue();
        }
    }

    /** Header and values of each topic, read column by column. */
    private static final class Expected implements ULogHandler {
        final Map<String, List<String>> headers = new LinkedHashMap<>();
        final Map<String, List<List<Object>>> rows = new LinkedHashMap<>();

        @Override
        public void onSample(SampleView sample) {
            List<String> header = new ArrayList<>(List.of("timestamp"));
            List<Object> row = new ArrayList<>(List.of(Long.toUnsignedString(sample.timestampUs())));
            for (Column column : sample.topic().layout().orElseThrow().columns()) {
                if (column.path().equals("timestamp")) {
                    continue;
                }
                boolean isText = column.type() == FieldType.CHAR;
                for (int i = 0; i < (isText ? 1 : column.count()); i++) {
                    header.add(column.path() + (column.isArray() && !isText ? "[" + i + "]" : ""));
                    row.add(value(sample, column, i));
                }
            }
            headers.put(sample.topic().toString(), header);
            rows.computeIfAbsent(sample.topic().toString(), t -> new ArrayList<>())
                    .add(row);
        }

        private static Object value(SampleView sample, Column column, int i) {
            return switch (column.type()) {
                case CHAR -> sample.text(column);
                case FLOAT -> (float) sample.number(column, i);
                case DOUBLE -> sample.number(column, i);
                case UINT64 -> Long.toUnsignedString(sample.integer(column, i));
                default -> Long.toString(sample.integer(column, i));
            };
        }
    }

    /** Reads tables with quoted cells. */
    public static final class Csv {
        private Csv() {}

        public static List<List<String>> parse(String text) {
            List<List<String>> rows = new ArrayList<>();
            List<String> row = new ArrayList<>();
            StringBuilder cell = new StringBuilder();
            boolean quoted = false;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (quoted && c == '"' && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                    cell.append(c);
                    i++;
                } else if (c == '"') {
                    quoted = !quoted;
                } else if (!quoted && (c == ',' || c == '\n')) {
                    row.add(cell.toString());
                    cell.setLength(0);
                    if (c == '\n') {
                        rows.add(row);
                        row = new ArrayList<>();
                    }
                } else {
                    cell.append(c);
                }
            }
            assertThat(cell.toString().getBytes(StandardCharsets.UTF_8)).isEmpty();
            return rows;
        }
    }
}
