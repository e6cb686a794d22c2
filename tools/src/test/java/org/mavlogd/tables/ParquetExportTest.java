package org.mavlogd.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** Limits that usual logs do not reach. */
class ParquetExportTest {
    private static final int ROWS = 1000;

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void topicOfVeryManyRowGroupsContinuesInFurtherFilesInOrder() throws Exception {
        Path log = Files.write(directory.resolve("a.ulg"), log());
        // 5 columns: row groups of 100 rows, 4 of them in a file
        ParquetExport.Limits limits = new ParquetExport.Limits(100, 1 << 20, 20);

        ParquetExport.Result result = export(log, limits);

        assertThat(result.files()).isEqualTo(3);
        assertThat(result.rows()).isEqualTo(ROWS);
        assertThat(times("t", "t-2", "t-3"))
                .isEqualTo(LongStream.range(0, ROWS).boxed().toList());
    }

    /** In containers all processes may have the same id. */
    @Test
    void filesThatAKilledProcessOfThisNumberLeftAreNotUsed() throws Exception {
        Path log = Files.write(directory.resolve("a.ulg"), log());
        Path out = Files.createDirectories(directory.resolve("out"));
        for (String name : List.of("rows_0.tmp", "merged_0.tmp", "t.parquet")) {
            Files.write(out.resolve("." + name + "." + ProcessHandle.current().pid() + ".part"), new byte[100_000]);
        }

        export(log, ParquetExport.Limits.DEFAULT);

        assertThat(times("t")).isEqualTo(LongStream.range(0, ROWS).boxed().toList());
    }

    @Test
    void topicOfTooManyColumnsIsLeftOutAndTheOthersAreWritten() throws Exception {
        MemorySink sink = new MemorySink();
        try (ULogWriter writer = new ULogWriter(sink, 0, WriterSettings.DEFAULT)) {
            writer.format(TopicFormat.parse("huge:uint64_t timestamp;float[9997] values;"));
            writer.format(TopicFormat.parse("t:uint64_t timestamp;float value;"));
            writer.subscribe("huge", 0).begin(1).write();
            writer.subscribe("huge", 1).begin(2).write();
            writer.subscribe("t", 0).begin(3).write();
        }
        Path log = Files.write(directory.resolve("a.ulg"), sink.toByteArray());

        try (ParquetExport export =
                new ParquetExport(directory.resolve("out"), OutputFile.Existing.REFUSE, "test", TopicChoice.all())) {
            assertThat(export.export(log, Progress.NONE).files()).isEqualTo(1);

            assertThat(export.leftOut())
                    .containsExactly("topic \"huge\" has 10,001 columns; a Parquet file may have at most 10,000");
        }
        assertThat(times("t")).containsExactly(3L);
    }

    /** The clock of some computers counts from 1970, and may be fast. */
    @Test
    void clockThatStartsBefore1970HasUtc() throws Exception {
        long utcUs = 1_774_038_460_000_000L;
        MemorySink sink = new MemorySink();
        try (ULogWriter writer = new ULogWriter(sink, utcUs, WriterSettings.DEFAULT)) {
            writer.format(TopicFormat.parse("vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;"));
            TopicWriter gps = writer.subscribe("vehicle_gps_position", 0);
            gps.begin(utcUs + 150_000)
                    .integer(gps.column("time_utc_usec"), utcUs)
                    .write();
        }
        Path log = Files.write(directory.resolve("a.ulg"), sink.toByteArray());

        assertThat(export(log, ParquetExport.Limits.DEFAULT).isUtc()).isTrue();

        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select epoch_us(time) from '" + directory.resolve("out/vehicle_gps_position.parquet") + "'")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getLong(1)).isEqualTo(utcUs);
        }
    }

    private ParquetExport.Result export(Path log, ParquetExport.Limits limits) throws Exception {
        try (ParquetExport export = new ParquetExport(
                directory.resolve("out"), OutputFile.Existing.REFUSE, "test", TopicChoice.all(), limits)) {
            return export.export(log, Progress.NONE);
        }
    }

    private List<Long> times(String... files) throws Exception {
        List<Long> times = new ArrayList<>();
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement()) {
            for (String file : files) {
                try (ResultSet rows = statement.executeQuery(
                        "select t_us from '" + directory.resolve("out").resolve(file) + ".parquet'")) {
                    while (rows.next()) {
                        times.add(rows.getLong(1));
                    }
                }
            }
        }
        return times;
    }

    /** The youngest sample comes first. */
    private static byte[] log() throws Exception {
        MemorySink sink = new MemorySink();
        WriterSettings settings = new WriterSettings(128 * 1024, 500_000, TimestampPolicy.COUNT_AND_KEEP);
        try (ULogWriter writer = new ULogWriter(sink, 0, settings)) {
            writer.format(new TopicFormat(
                    "t", List.of(Field.of(FieldType.UINT64, "timestamp"), Field.of(FieldType.FLOAT, "value"))));
            TopicWriter topic = writer.subscribe("t", 0);
            for (int i = ROWS - 1; i >= 0; i--) {
                topic.begin(i).write();
            }
        }
        return sink.toByteArray();
    }
}
