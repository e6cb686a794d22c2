import io.trino.server.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts Trino in this process, on loopback, makes a table of its Hive connector for each topic of a lake, asks it the questions on standard
 * input, a line each, and writes the answers: {@code Trino VERSION WORK LAKE SCHEMA ANSWERS}. {@code SCHEMA} is as in {@code questions.mjs};
 * the plugin is in {@code WORK/plugin}. A program of one file: {@code scripts/test-lake-readers} runs it.
 */
final class Trino {
    private static final int PORT = 28_080;

    /** Of the types that DuckDB names, those that Trino names otherwise; it has no unsigned ones. */
    private static final Map<String, String> TYPES = Map.of(
            "BLOB", "varbinary",
            "FLOAT", "real",
            "UTINYINT", "smallint",
            "USMALLINT", "integer",
            "UINTEGER", "bigint",
            "UBIGINT", "bigint",
            "TIMESTAMP WITH TIME ZONE", "timestamp(6)",
            "TIMESTAMP", "timestamp(6)");

    private Trino() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream answers = new PrintStream(arguments[4], StandardCharsets.UTF_8); // System.out becomes its log
        int code = 1;
        try {
            ask(arguments, answers);
            code = 0;
        } catch (Exception e) {
            e.printStackTrace();
        }
        answers.close();
        Runtime.getRuntime().halt(code); // its threads would stay
    }

    private static void ask(String[] arguments, PrintStream answers) throws Exception {
        String version = arguments[0];
        Path work = Path.of(arguments[1]);
        start(work, version);
        try (Connection trino = DriverManager.getConnection("jdbc:trino://127.0.0.1:" + PORT + "/hive", "test", null);
                Statement statement = trino.createStatement()) {
            statement.execute("CREATE SCHEMA hive.lake");
            makeTables(statement, Path.of(arguments[2]), Path.of(arguments[3]));
            BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String question = questions.readLine(); question != null; question = questions.readLine()) {
                try (ResultSet answer = statement.executeQuery(question)) {
                    answer.next();
                    answers.println(answer.getString(1));
                }
            }
        }
    }

    private static void start(Path work, String version) throws Exception {
        Path etc = Files.createDirectories(work.resolve("etc"));
        Path catalogs = Files.createDirectories(etc.resolve("catalog"));
        Files.writeString(catalogs.resolve("hive.properties"), """
                connector.name=hive
                hive.metastore=file
                hive.metastore.catalog.dir=file://%s
                hive.timestamp-precision=MICROSECONDS
                hive.parquet.time-zone=UTC
                """.formatted(Files.createDirectories(work.resolve("metastore"))));
        Path config = Files.writeString(etc.resolve("config.properties"), """
                node.environment=test
                node.bind-ip=127.0.0.1
                node.internal-address=127.0.0.1
                coordinator=true
                node-scheduler.include-coordinator=true
                http-server.http.port=%d
                discovery.uri=http://127.0.0.1:%d
                catalog.config-dir=%s
                plugin.dir=%s
                """.formatted(
                        PORT, PORT, catalogs, work.resolve("plugin")));
        System.setProperty("config", config.toString());
        new Server().start(version);
    }

    private static void makeTables(Statement statement, Path lake, Path schema) throws Exception {
        Map<String, StringBuilder> columns = new LinkedHashMap<>();
        for (String line : Files.readAllLines(schema)) {
            List<String> cells = List.of(line.split(",", 3));
            String column = cells.get(1);
            // The last two: they are in the names of the directories.
            if (!column.equals("vehicle") && !column.equals("date")) {
                columns.computeIfAbsent(cells.get(0), topic -> new StringBuilder())
                        .append('"' + column + "\" " + TYPES.getOrDefault(cells.get(2), cells.get(2)) + ", ");
            }
        }
        for (Map.Entry<String, StringBuilder> topic : columns.entrySet()) {
            String create = "CREATE TABLE hive.lake.\"" + topic.getKey() + "\" (" + topic.getValue()
                    + "vehicle varchar, \"date\" date) WITH (external_location = 'file://"
                    + lake.resolve("topics").resolve(topic.getKey())
                    + "', format = 'PARQUET', partitioned_by = ARRAY['vehicle', 'date'])";
            System.err.println(create);
            statement.execute(create);
            statement.execute(
                    "CALL hive.system.sync_partition_metadata('lake', '" + topic.getKey().toLowerCase(java.util.Locale.ROOT)
                            + "', 'FULL')");
        }
    }
}
