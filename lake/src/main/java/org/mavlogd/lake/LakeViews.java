package org.mavlogd.lake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables of a lake as views in DuckDB: one for each topic and each other table, and some with PX4's and ArduPilot's
 * data under common names. Only views named in the query are created, because each reads the schemas of its files. Rows
 * of topics are visible once their log's row is in {@code logs}.
 */
final class LakeViews {
    /** A make's part of a view with common names: the topic, the expressions, and the columns that they need. */
    private record Part(String topic, String expressions, Set<String> needed) {}

    private static final Pattern DECLARED = Pattern.compile("(?m)^-- (topic_[a-z0-9_]+)\\(([a-z0-9_, ]+)\\)\\s*$");
    private static final List<String> BY_DATE = List.of("date");
    private static final List<String> BY_VEHICLE = List.of("vehicle", "date");
    private static final String HEAD = "log, vehicle, date, instance, t_us, time, ";
    private static final List<Part> POSITION = List.of(
            new Part("vehicle_global_position", "lat, lon, CAST(alt AS DOUBLE) AS alt_m", Set.of("lat", "lon", "alt")),
            new Part(
                    "GPS",
                    "Lat / 1e7::DOUBLE AS lat, Lng / 1e7::DOUBLE AS lon, Alt / 100.0::DOUBLE AS alt_m",
                    Set.of("lat", "lng", "alt")));
    private static final List<Part> GPS = List.of(
            new Part(
                    "vehicle_gps_position",
                    "latitude_deg AS lat, longitude_deg AS lon, CAST(satellites_used AS INTEGER) AS satellites, CAST(hdop AS DOUBLE) AS hdop",
                    Set.of("latitude_deg", "longitude_deg", "satellites_used", "hdop")),
            // Before PX4 1.15.
            new Part(
                    "vehicle_gps_position",
                    "lat / 1e7::DOUBLE AS lat, lon / 1e7::DOUBLE AS lon, CAST(satellites_used AS INTEGER) AS satellites, CAST(hdop AS DOUBLE) AS hdop",
                    Set.of("lat", "lon", "satellites_used", "hdop")),
            new Part(
                    "GPS",
                    "Lat / 1e7::DOUBLE AS lat, Lng / 1e7::DOUBLE AS lon, CAST(NSats AS INTEGER) AS satellites, CAST(HDop AS DOUBLE) / 100 AS hdop",
                    Set.of("lat", "lng", "nsats", "hdop")));
    private static final List<Part> SPEED = List.of(
            new Part(
                    "vehicle_local_position",
                    "CAST(sqrt(vx * vx + vy * vy) AS DOUBLE) AS speed_m_s",
                    Set.of("vx", "vy")),
            new Part("GPS", "CAST(Spd AS DOUBLE) AS speed_m_s", Set.of("spd")));
    private static final List<Part> BATTERY = List.of(
            new Part(
                    "battery_status",
                    "CAST(voltage_v AS DOUBLE) AS voltage_v, CAST(current_a AS DOUBLE) AS current_a",
                    Set.of("voltage_v", "current_a")),
            new Part(
                    "BAT",
                    "CAST(Volt AS DOUBLE) AS voltage_v, CAST(Curr AS DOUBLE) AS current_a",
                    Set.of("volt", "curr")));
    private static final List<Part> VIBRATION = List.of(
            new Part(
                    "vehicle_imu_status",
                    "CAST(accel_vibration_metric AS DOUBLE) AS vibration_m_s2",
                    Set.of("accel_vibration_metric")),
            new Part(
                    "VIBE",
                    "CAST(sqrt(VibeX * VibeX + VibeY * VibeY + VibeZ * VibeZ) AS DOUBLE) AS vibration_m_s2",
                    Set.of("vibex", "vibey", "vibez")));

    private final Path lake;
    private final String sql;
    private final Statement statement;

    private LakeViews(Path lake, String sql, Statement statement) {
        this.lake = lake;
        this.sql = sql.toLowerCase(Locale.ROOT);
        this.statement = statement;
    }

    /**
     * Opens a lake for a query.
     *
     * @param sql the query, or several
     * @throws IOException if the directory is not a lake, or is unreadable
     */
    static Connection open(Path lake, String sql) throws IOException {
        Path real = lake.toRealPath();
        LakeFiles.requireReadable(real);
        if (!Files.isDirectory(real.resolve(LakeFiles.OWN))) {
            throw new IOException(lake + ": not a lake; make one with mavlogd lake build");
        }
        Connection connection = DuckDb.open(DuckDb.spillOfQuery());
        try {
            try (Statement statement = connection.createStatement()) {
                new LakeViews(real, sql, statement).create();
            } catch (SQLException | IOException | RuntimeException e) {
                connection.close();
                throw e;
            }
            return connection;
        } catch (SQLException e) {
            throw new IOException(lake + ": cannot be opened: " + e.getMessage(), e);
        }
    }

    private void create() throws IOException, SQLException {
        for (SmallTables.Table table : SmallTables.Table.values()) {
            if (table == SmallTables.Table.LOGS || sql.contains(table.directory())) {
                createTable(table);
            }
        }
        Set<String> common = new HashSet<>();
        if (sql.contains("common_")) {
            Stream.of(POSITION, GPS, SPEED, BATTERY, VIBRATION)
                    .flatMap(List::stream)
                    .forEach(part -> common.add(part.topic));
        }
        createTopics(common);
        if (!common.isEmpty()) {
            createCommon("common_position", POSITION, "lat", "lon", "alt_m");
            createCommon("common_gps", GPS, "lat", "lon", "satellites", "hdop");
            createCommon("common_speed", SPEED, "speed_m_s");
            createCommon("common_battery", BATTERY, "voltage_v", "current_a");
            createCommon("common_vibration", VIBRATION, "vibration_m_s2");
        }
    }

    /**
     * Creates the views of topics that the query needs, empty ones for those that it declares and the lake lacks.
     *
     * @param common topics needed by common views
     */
    private void createTopics(Set<String> common) throws IOException, SQLException {
        // SQL ignores the case of names: PX4 has a topic rpm, ArduPilot RPM.
        Map<String, List<String>> topics = directories(lake.resolve("topics")).stream()
                .collect(Collectors.groupingBy(
                        topic -> "topic_" + topic.toLowerCase(Locale.ROOT), TreeMap::new, Collectors.toList()));
        Map<String, Map<String, String>> declared = declared();
        for (Map.Entry<String, List<String>> view : topics.entrySet()) {
            if (view.getValue().stream().anyMatch(common::contains) || sql.contains(view.getKey())) {
                createTopic(view.getValue(), Objects.requireNonNullElse(declared.remove(view.getKey()), Map.of()));
            }
        }
        for (Map.Entry<String, Map<String, String>> missing : declared.entrySet()) {
            createEmpty(missing.getKey(), missing.getValue());
        }
    }

    private void createTable(SmallTables.Table table) throws IOException, SQLException {
        String name = table.directory();
        Path directory = lake.resolve(name);
        boolean isPartitioned = table != SmallTables.Table.LOGS && table != SmallTables.Table.FAILURES;
        if (!hasFiles(directory)) {
            String added = table == SmallTables.Table.FAILURES ? "" : ", date DATE";
            statement.execute("CREATE TABLE " + name + " (" + table.columns()
                    + (isPartitioned ? ", vehicle VARCHAR" : "") + added + ")");
        } else {
            List<String> partitions = table == SmallTables.Table.FAILURES ? List.of() : BY_DATE;
            partitions = isPartitioned ? BY_VEHICLE : partitions;
            statement.execute("CREATE VIEW " + name + " AS SELECT * FROM " + files(List.of(directory), partitions));
        }
    }

    /** The columns that comment lines of the query declare, by view; if the lake lacks them, they are null. */
    private Map<String, Map<String, String>> declared() {
        Map<String, Map<String, String>> declared = new LinkedHashMap<>();
        Matcher lines = DECLARED.matcher(sql);
        while (lines.find()) {
            Map<String, String> columns = declared.computeIfAbsent(lines.group(1), none -> new LinkedHashMap<>());
            for (String column : lines.group(2).split(",", -1)) {
                String[] words = column.strip().split("\\s+", 2);
                columns.put(words[0], words.length > 1 ? words[1] : "VARCHAR");
            }
        }
        return declared;
    }

    /** @param topics topics whose names differ only by case */
    private void createTopic(List<String> topics, Map<String, String> declared) throws IOException, SQLException {
        List<Path> directories = new ArrayList<>();
        for (String topic : topics) {
            Path directory = lake.resolve("topics").resolve(topic);
            if (hasFiles(directory)) {
                directories.add(directory);
            }
        }
        String view = "topic_" + topics.get(0);
        if (directories.isEmpty()) {
            if (!declared.isEmpty()) {
                createEmpty(view, declared);
            }
            return;
        }
        // A topic named like a table of the lake is only available with the prefix.
        String from = " FROM " + files(directories, BY_VEHICLE) + " WHERE log IN (SELECT log FROM logs)";
        Map<String, String> missing = new LinkedHashMap<>(declared);
        if (!declared.isEmpty()) {
            try (ResultSet rows = statement.executeQuery("SELECT *" + from + " LIMIT 0")) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    missing.remove(rows.getMetaData().getColumnName(i).toLowerCase(Locale.ROOT));
                }
            }
        }
        statement.execute("CREATE VIEW " + Sql.name(view) + " AS SELECT *" + nulls(missing) + from);
    }

    private void createEmpty(String view, Map<String, String> columns) throws SQLException {
        statement.execute("CREATE VIEW " + Sql.name(view)
                + " AS SELECT NULL::VARCHAR AS log, NULL::VARCHAR AS vehicle, NULL::DATE AS date, NULL::INTEGER AS instance,"
                + " NULL::BIGINT AS t_us, NULL::TIMESTAMPTZ AS time" + nulls(columns) + " WHERE false");
    }

    private static String nulls(Map<String, String> columns) {
        StringBuilder text = new StringBuilder();
        columns.forEach((name, type) ->
                text.append(", NULL::").append(type).append(" AS ").append(Sql.name(name)));
        return text.toString();
    }

    /**
     * Creates a common view. A topic's part needs files of the topic in the lake; a part with missing columns is
     * omitted.
     */
    private void createCommon(String name, List<Part> parts, String... columns) throws SQLException {
        List<String> selects = new ArrayList<>();
        for (Part part : parts) {
            String view = "topic_" + part.topic;
            if (columns(view).containsAll(part.needed)) {
                selects.add("SELECT " + HEAD + part.expressions + " FROM " + Sql.name(view) + " WHERE "
                        + part.needed.stream().sorted().findFirst().orElseThrow() + " IS NOT NULL");
            }
        }
        if (selects.isEmpty()) {
            selects.add("SELECT '' AS log, '' AS vehicle, DATE '1970-01-01' AS date, 0 AS instance, 0::BIGINT AS t_us, "
                    + "NULL::TIMESTAMPTZ AS time, 0.0::DOUBLE AS " + String.join(", 0.0::DOUBLE AS ", columns)
                    + " WHERE false");
        }
        statement.execute("CREATE VIEW " + name + " AS " + String.join(" UNION ALL BY NAME ", selects));
    }

    private Set<String> columns(String view) throws SQLException {
        Set<String> names = new HashSet<>();
        try (ResultSet rows = statement.executeQuery(
                "SELECT column_name FROM duckdb_columns() WHERE lower(table_name) = lower(" + Sql.text(view) + ")")) {
            while (rows.next()) {
                names.add(rows.getString(1).toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    /** @param partitions columns from the directories' names, null where a name is that of null */
    private static String files(List<Path> directories, List<String> partitions) {
        String read = "read_parquet(["
                + directories.stream().map(Sql::files).collect(Collectors.joining(", "))
                + "], union_by_name = true, hive_types_autocast = false, hive_partitioning = " + !partitions.isEmpty()
                + ")";
        if (partitions.isEmpty()) {
            return read;
        }
        List<String> typed = new ArrayList<>();
        for (String partition : partitions) {
            String value = "nullif(" + partition + ", " + Sql.text(LakeFiles.NO_VALUE) + ")";
            typed.add((partition.equals("date") ? "try_cast(" + value + " AS DATE)" : value) + " AS " + partition);
        }
        return "(SELECT * REPLACE (" + String.join(", ", typed) + ") FROM " + read + ")";
    }

    private static boolean hasFiles(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            return all.anyMatch(file -> file.toString().endsWith(".parquet"));
        }
    }

    private static List<String> directories(Path parent) throws IOException {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(parent)) {
            return all.filter(Files::isDirectory)
                    .map(path -> String.valueOf(path.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
