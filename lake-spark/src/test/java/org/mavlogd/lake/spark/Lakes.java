package org.mavlogd.lake.spark;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.mavlogd.lake.LakeCommand;
import picocli.CommandLine;

/** Lakes made on a single machine, for comparison, and the contents of lakes. */
final class Lakes {
    private Lakes() {}

    /** Builds with {@code mavlogd lake build}. */
    static Path build(Path source, Path lake) {
        StringWriter out = new StringWriter();
        int code = command(out, "build", source.toString(), "--to", lake.toString());
        if (code != 0 && code != 3) {
            throw new IllegalStateException(code + ": " + out);
        }
        return lake;
    }

    /** Lines of the answer of {@code mavlogd lake query}, without the first. */
    static List<String> ask(Path lake, String sql) {
        StringWriter out = new StringWriter();
        int code = command(out, "query", "--lake", lake.toString(), sql);
        if (code != 0) {
            throw new IllegalStateException(code + ": " + out);
        }
        return out.toString().lines().skip(1).toList();
    }

    private static int command(StringWriter out, String... arguments) {
        return new CommandLine(new LakeCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(arguments);
    }

    static List<Path> files(Path lake) throws IOException {
        try (Stream<Path> all = Files.walk(lake)) {
            return all.filter(
                            file -> file.toString().endsWith(".parquet") && !file.startsWith(lake.resolve("_mavlogd")))
                    .map(lake::relativize)
                    .sorted()
                    .toList();
        }
    }

    /**
     * Rows and sums of the numbers by table. For a table of samples, all rows in its files, also those without a log.
     */
    static Map<String, List<String>> sums(Path lake) throws IOException, SQLException {
        Map<String, List<String>> sums = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            // Not in the working directory.
            statement.execute("SET temp_directory = '" + lake.resolveSibling("spill") + "'");
            for (Path table : tables(lake)) {
                String name = (table.startsWith(lake.resolve("topics")) ? "topic_" : "") + table.getFileName();
                try (ResultSet rows = statement.executeQuery("SELECT " + sum(name) + " FROM read_parquet('" + table
                        + "/**/*.parquet', union_by_name = true, hive_partitioning = true)")) {
                    rows.next();
                    List<String> values = new ArrayList<>();
                    for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                        values.add(String.valueOf(rows.getObject(i)));
                    }
                    sums.put(name, values);
                }
            }
        }
        return sums;
    }

    private static List<Path> tables(Path lake) throws IOException {
        List<Path> tables = new ArrayList<>();
        try (Stream<Path> top = Files.list(lake);
                Stream<Path> topics = Files.list(lake.resolve("topics"))) {
            Stream.concat(top.filter(path -> path.toString().matches(".*/(?!topics)[a-z]+")), topics)
                    .forEach(tables::add);
        }
        tables.removeIf(table -> {
            try (Stream<Path> inside = Files.walk(table)) {
                return inside.noneMatch(file -> file.toString().endsWith(".parquet"));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        return tables;
    }

    static Map<String, List<String>> sums(SparkSession session, String namespace, Collection<String> tables) {
        Map<String, List<String>> sums = new TreeMap<>();
        for (String table : tables) {
            Row row = session.sql("SELECT " + sum(table) + " FROM " + namespace + ".`" + table + "`")
                    .first();
            List<String> values = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                values.add(String.valueOf(row.get(i)));
            }
            sums.put(table, values);
        }
        return sums;
    }

    private static String sum(String table) {
        return switch (table) {
            case "logs" ->
                "count(*), count(DISTINCT log), sum(bytes), sum(samples), count(DISTINCT vehicle),"
                        + " sum(CASE WHEN CAST(date AS STRING) LIKE '2%' THEN 1 ELSE 0 END)";
            case "batteries" -> "count(*), count(DISTINCT log), count(DISTINCT vehicle)";
            case "failures" -> "count(*), count(DISTINCT log)";
            case "params", "messages", "dropouts", "modes" -> "count(*), count(DISTINCT log), sum(t_us), count(time)";
            default -> "count(*), count(DISTINCT log), sum(t_us), count(time), sum(instance), count(vehicle)";
        };
    }
}
