package org.mavlogd.lake;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Files of the lake with the rows of several logs of a day. They are merged from files with the same columns, types and
 * units, by DuckDB in memory, and compared with these before these are deleted. Owned by one thread.
 */
final class DayFiles implements Closeable {
    /** Memory of DuckDB, in addition to Java's heap. */
    private static final String MEMORY = "384MB";

    /** A multiple of DuckDB's vectors, close to the row groups of a single log's files. */
    private static final int GROUP_ROWS = 102_400;

    /** The column with the file of a row. No field of a log has this name; ArduPilot has a field FileName. */
    private static final String FILE = Sql.name("file name");

    private final Path lake;
    private @Nullable Connection connection;

    DayFiles(Path lake) {
        this.lake = lake;
    }

    /** Starts DuckDB, which most builds do not need here. */
    private Statement statement() throws IOException, SQLException {
        Connection open = connection;
        if (open == null) {
            open = DuckDb.open(LakeBuild.spill(lake), "memory_limit = '" + MEMORY + "'", "threads = 1");
            connection = open;
        }
        return open.createStatement();
    }

    /** Groups files that can be merged: those with the same names, types and metadata of columns. */
    List<List<String>> alike(List<String> files) throws IOException {
        Map<String, StringBuilder> kinds = new TreeMap<>();
        files.forEach(file -> kinds.put(lake.resolve(file).toString(), new StringBuilder()));
        describe(kinds, "SELECT file_name, name, type || coalesce(logical_type, '') FROM parquet_schema(");
        describe(kinds, "SELECT file_name, key::VARCHAR, value::VARCHAR FROM parquet_kv_metadata(");
        Map<String, List<String>> byKind = new LinkedHashMap<>();
        for (String file : files) {
            String kind = String.valueOf(kinds.get(lake.resolve(file).toString()));
            byKind.computeIfAbsent(kind, none -> new ArrayList<>()).add(file);
        }
        return List.copyOf(byKind.values());
    }

    private void describe(Map<String, StringBuilder> kinds, String select) throws IOException {
        try (Statement statement = statement();
                ResultSet rows = statement.executeQuery(select + "["
                        + kinds.keySet().stream()
                                .map(file -> Sql.path(Path.of(file)))
                                .collect(Collectors.joining(", ")) + "])")) {
            while (rows.next()) {
                StringBuilder kind = kinds.get(rows.getString(1));
                if (kind != null) {
                    kind.append(rows.getString(2))
                            .append(' ')
                            .append(rows.getString(3))
                            .append('\n');
                }
            }
        } catch (SQLException e) {
            throw failure(lake, e);
        }
    }

    /**
     * Writes the rows of several files to one, those of the earliest log first.
     *
     * @param files from one group of {@link #alike}, relative to the lake
     */
    void merge(List<String> files, Path target) throws IOException {
        write(ordered(files), "", target);
    }

    /**
     * Writes the rows of a file without those of one log.
     *
     * @param staging directory for the new file
     * @return the new file, relative to the lake
     */
    String without(String log, String file, Path staging) throws IOException {
        String name = LakeFiles.parent(Path.of(file)) + "/" + LakeFiles.dayFile(List.of(file, log));
        write(List.of(file), " WHERE log <> " + Sql.text(log), staging.resolve(name));
        return name;
    }

    private List<String> ordered(List<String> files) throws IOException {
        List<String> columns = columns(read(files));
        String time = columns.contains("t_us") ? "min(coalesce(epoch_us(time), t_us))" : "any_value(" + FILE + ")";
        Map<String, String> byPath = new HashMap<>();
        files.forEach(file -> byPath.put(lake.resolve(file).toString(), file));
        List<String> ordered = new ArrayList<>();
        try (Statement statement = statement();
                ResultSet rows =
                        statement.executeQuery("SELECT " + FILE + " FROM " + read(files, ", filename = 'file name'")
                                + " GROUP BY " + FILE + " ORDER BY " + time + ", " + FILE)) {
            while (rows.next()) {
                ordered.add(byPath.get(rows.getString(1)));
            }
        } catch (SQLException e) {
            throw failure(lake.resolve(files.get(0)), e);
        }
        return ordered;
    }

    private List<String> columns(String from) throws IOException {
        List<String> names = new ArrayList<>();
        try (Statement statement = statement();
                ResultSet rows = statement.executeQuery("SELECT * FROM " + from + " LIMIT 0")) {
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                names.add(rows.getMetaData().getColumnName(i));
            }
        } catch (SQLException e) {
            throw failure(lake, e);
        }
        return names;
    }

    private void write(List<String> files, String where, Path target) throws IOException {
        Files.createDirectories(LakeFiles.parent(target));
        String from = read(files) + where;
        try (Statement statement = statement()) {
            statement.execute("COPY (SELECT * FROM " + from + ") TO " + Sql.text(target.toString())
                    + " (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE " + GROUP_ROWS
                    + metadata(files.get(0), statement)
                    + ")");
            String before = content(from, statement);
            String after = content("read_parquet(" + Sql.path(target) + ", hive_partitioning = false)", statement);
            if (!before.equals(after)) {
                throw new FileSystemException(
                        target.toString(), null, "has other rows than the files that it is made of");
            }
        } catch (SQLException e) {
            throw failure(target, e);
        }
    }

    /** A fingerprint of the rows: their number, and a sum independent of their order. */
    private static String content(String from, Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery(
                "SELECT count(*), sum(hash(row)::HUGEINT) FROM (SELECT * FROM " + from + ") AS row")) {
            rows.next();
            return rows.getString(1) + " " + rows.getString(2);
        }
    }

    /** Metadata of a file's columns, such as units. */
    private String metadata(String file, Statement statement) throws SQLException {
        List<String> pairs = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(
                "SELECT decode(key), decode(value) FROM parquet_kv_metadata(" + Sql.path(lake.resolve(file)) + ")")) {
            while (rows.next()) {
                pairs.add(Sql.text(rows.getString(1)) + ": " + Sql.text(rows.getString(2)));
            }
        }
        return pairs.isEmpty() ? "" : ", KV_METADATA {" + String.join(", ", pairs) + "}";
    }

    private String read(List<String> files) {
        return read(files, "");
    }

    private String read(List<String> files, String options) {
        return "read_parquet(["
                + files.stream().map(file -> Sql.path(lake.resolve(file))).collect(Collectors.joining(", "))
                + "], hive_partitioning = false" + options + ")";
    }

    private static FileSystemException failure(Path file, SQLException cause) {
        FileSystemException failure = new FileSystemException(file.toString(), null, cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    @Override
    public void close() throws IOException {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            throw new IOException("DuckDB does not end: " + e.getMessage(), e);
        }
    }
}
