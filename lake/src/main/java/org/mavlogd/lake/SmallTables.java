package org.mavlogd.lake;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** Writes the tables other than samples, with DuckDB in memory. Owned by one thread. */
final class SmallTables implements Closeable {
    /** Memory of DuckDB, in addition to Java's heap. */
    private static final String MEMORY = "64MB";

    /**
     * A table with its columns as declared for DuckDB. Times are microseconds UTC or null, and are written as
     * timestamps.
     */
    enum Table {
        LOGS("""
                log VARCHAR, vehicle VARCHAR, source VARCHAR, sha256 VARCHAR, bytes BIGINT, autopilot VARCHAR,
                vehicle_kind VARCHAR, hardware VARCHAR, software VARCHAR, recorder VARCHAR,
                start_us BIGINT, duration_us BIGINT, start TIMESTAMPTZ, armed_us BIGINT, distance_m DOUBLE,
                max_speed_m_s DOUBLE, max_height_m DOUBLE, samples BIGINT, parameters BIGINT, messages BIGINT,
                dropouts BIGINT, dropout_ms BIGINT, damaged_places BIGINT, damaged_bytes BIGINT, damage VARCHAR"""),
        PARAMS(
                "log VARCHAR, t_us BIGINT, time TIMESTAMPTZ, name VARCHAR, value DOUBLE, type VARCHAR, is_change BOOLEAN"),
        MESSAGES("log VARCHAR, t_us BIGINT, time TIMESTAMPTZ, level VARCHAR, kind VARCHAR, tag INTEGER, text VARCHAR"),
        DROPOUTS("log VARCHAR, t_us BIGINT, time TIMESTAMPTZ, duration_ms BIGINT"),
        MODES("log VARCHAR, t_us BIGINT, time TIMESTAMPTZ, duration_us BIGINT, kind VARCHAR, name VARCHAR"),
        BATTERIES("log VARCHAR, battery VARCHAR, used_mah DOUBLE, used_percent DOUBLE, min_voltage_v DOUBLE"),
        FAILURES("log VARCHAR, source VARCHAR, place VARCHAR, reason VARCHAR, time TIMESTAMPTZ");

        private final String columns;

        Table(String columns) {
            this.columns = columns;
        }

        String columns() {
            return columns;
        }

        /** Name of its directory. */
        String directory() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Connection connection;

    /** @param spill directory for rows that do not fit in memory */
    SmallTables(Path spill) throws IOException {
        connection = DuckDb.open(spill, "memory_limit = '" + MEMORY + "'", "threads = 1");
        try (Statement statement = connection.createStatement()) {
            for (Table table : Table.values()) {
                statement.execute("CREATE TABLE " + table.directory() + " ("
                        + table.columns.replace("TIMESTAMPTZ", "BIGINT") + ")");
            }
        } catch (SQLException e) {
            throw new IOException("DuckDB does not start: " + e.getMessage(), e);
        }
    }

    /** Writes rows as a file; the values have the types of the columns. */
    void write(Table table, List<@Nullable Object[]> rows, Path file) throws IOException {
        Files.createDirectories(LakeFiles.parent(file));
        try (Statement statement = connection.createStatement()) {
            // Also those that an error left.
            statement.execute("DELETE FROM " + table.directory());
            append(table.directory(), rows);
            statement.execute("COPY (SELECT " + selected(table) + " FROM " + table.directory() + ") TO "
                    + Sql.text(file.toString()) + " (FORMAT parquet, COMPRESSION zstd)");
        } catch (SQLException e) {
            FileSystemException failure = new FileSystemException(file.toString(), null, e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    private static String selected(Table table) {
        StringBuilder columns = new StringBuilder();
        for (String column : table.columns.split(",\\s*", -1)) {
            String name = column.substring(0, column.indexOf(' '));
            columns.append(columns.length() == 0 ? "" : ", ");
            columns.append(column.endsWith("TIMESTAMPTZ") ? "make_timestamptz(" + name + ") AS " + name : name);
        }
        return columns.toString();
    }

    private void append(String table, List<@Nullable Object[]> rows) throws SQLException {
        try (DuckDBAppender appender = connection.unwrap(DuckDBConnection.class).createAppender("main", table)) {
            for (@Nullable Object[] row : rows) {
                appender.beginRow();
                for (@Nullable Object value : row) {
                    append(appender, value);
                }
                appender.endRow();
            }
        }
    }

    private static void append(DuckDBAppender appender, @Nullable Object value) throws SQLException {
        if (value == null) {
            appender.appendNull();
        } else if (value instanceof Long number) {
            appender.append(number.longValue());
        } else if (value instanceof Integer number) {
            appender.append(number.intValue());
        } else if (value instanceof Double number) {
            appender.append(number.doubleValue());
        } else if (value instanceof Boolean flag) {
            appender.append(flag.booleanValue());
        } else if (value instanceof String text) {
            appender.append(text);
        } else {
            throw new IllegalArgumentException("no column is of " + value.getClass());
        }
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IOException("DuckDB does not end: " + e.getMessage(), e);
        }
    }
}
