package org.mavlogd.logtools;

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
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** Limits that ordinary logs do not reach. */
class ParquetExportTest {
    private static final int ROWS = 1000;

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void topicOfVeryManyRowGroupsContinuesInFurtherFilesInOrder() throws Exception {
        Path log = Files.write(directory.resolve("a.ulg"), log());
        // 5 columns: row groups of 100 rows, 4 of them in a file
        ParquetExport.Limits limits = new ParquetExport.Limits(100, 1 << 20, 20);

        ParquetExport.Result result;
        try (ParquetExport export = new ParquetExport(
                directory.resolve("out"), OutputFile.Existing.REFUSE, "test", TopicChoice.all(), limits)) {
            result = export.export(log, Progress.NONE);
        }

        assertThat(result.files()).isEqualTo(3);
        assertThat(result.rows()).isEqualTo(ROWS);
        List<Long> times = new ArrayList<>();
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement()) {
            for (String file : List.of("t", "t-2", "t-3")) {
                try (ResultSet rows = statement.executeQuery(
                        "select t_us from '" + directory.resolve("out").resolve(file) + ".parquet'")) {
                    while (rows.next()) {
                        times.add(rows.getLong(1));
                    }
                }
            }
        }
        assertThat(times).isEqualTo(LongStream.range(0, ROWS).boxed().toList());
    }

    /** The newest sample first. */
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
