package org.mavlogd.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.ulog.TopicFormat;

/** Small files of a day become large ones; no row is lost or duplicated, even after faults and crashes. */
class LakeCompactionTest {
    private static final int QUIET_DAYS = 2;
    private static final int ROUNDS = Integer.getInteger("lake.rounds", 2);
    /** The day of the boat's logs. */
    private static final Instant DAY_OF_LOGS = Instant.parse("2023-11-14T12:00:00Z");
    /** A time long after all times in the logs. */
    private static final Clock LATER = Clock.offset(Clock.systemUTC(), Duration.ofDays(10));

    @TempDir
    private Path directory = Path.of(".");

    private final long seed = Long.getLong("lake.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private Path source = Path.of(".");
    private Path lake = Path.of(".");

    @BeforeEach
    void buildLake() throws IOException {
        System.out.println("LakeCompactionTest: seed " + seed);
        source = directory.resolve("logs");
        lake = directory.resolve("lake");
        for (int i = 0; i < 3; i++) {
            FleetLogs.known(source.resolve("boat/" + i + ".ulg"), i);
        }
        // Another log of the vehicle on that day has other columns and units.
        FleetLogs.write(source.resolve("boat/other.ulg"), log -> {
            log.format(TopicFormat.parse("battery_status:uint64_t timestamp;float voltage_v;uint8_t cells;"));
            log.subscribe("battery_status", 0).begin(5).write();
        });
        FleetLogs.build(source, lake);
    }

    private int compact(int quietDays, Clock clock) throws IOException {
        try (LakeBuild build = new LakeBuild(lake, "test", clock)) {
            return build.compact(quietDays, 2);
        }
    }

    @Test
    void rowsAndUnitsStayAndFilesBecomeFewer() throws IOException, SQLException {
        FleetLogs.write(source); // real logs
        FleetLogs.build(source, lake);
        List<String> rows = rows(lake);
        List<String> units = units(lake);
        int files = LakeFiles.inside(lake).size();

        int fewer = compact(QUIET_DAYS, LATER);

        assertThat(fewer).isPositive();
        assertThat(rows(lake)).as("seed %d", seed).isEqualTo(rows);
        assertThat(units(lake)).isEqualTo(units).isNotEmpty();
        assertThat(LakeFiles.inside(lake)).hasSize(files - fewer);
        assertThat(lake.resolve("topics/battery_status"))
                .isDirectoryRecursivelyContaining(
                        file -> String.valueOf(file.getFileName()).startsWith("day-"));
        requireThatTheLedgerListsAll();
        assertThat(compact(QUIET_DAYS, LATER))
                .as("files that are fewer the second time")
                .isZero();
    }

    @Test
    void daysThatMayStillGetLogsAreLeftAlone() throws IOException {
        Set<String> before = LakeFiles.inside(lake);

        int tooSoon = compact(QUIET_DAYS, Clock.fixed(DAY_OF_LOGS.plus(Duration.ofDays(1)), ZoneOffset.UTC));

        assertThat(tooSoon).isZero();
        assertThat(LakeFiles.inside(lake)).isEqualTo(before);
        assertThat(compact(QUIET_DAYS, Clock.fixed(DAY_OF_LOGS.plus(Duration.ofDays(2)), ZoneOffset.UTC)))
                .isPositive();
    }

    @Test
    void correctedLogsReplaceTheirRowsInMergedFilesAndLaterLogsJoin() throws IOException, SQLException {
        compact(QUIET_DAYS, LATER);
        FleetLogs.known(source.resolve("boat/1.ulg"), 5);
        FleetLogs.known(source.resolve("boat/9.ulg"), 9);

        LakeBuild.Result result = FleetLogs.build(source, lake);

        assertThat(result.replaced()).isEqualTo(1);
        assertThat(result.converted()).isEqualTo(1);
        Path fresh = directory.resolve("fresh");
        FleetLogs.build(source, fresh);
        assertThat(rows(lake)).as("seed %d", seed).isEqualTo(rows(fresh));
        requireThatTheLedgerListsAll();
        compact(QUIET_DAYS, LATER);
        assertThat(rows(lake)).as("seed %d", seed).isEqualTo(rows(fresh));
        requireThatTheLedgerListsAll();
    }

    /** A field of ArduPilot's topic FILE has the same name as a column of DuckDB. */
    @Test
    void topicsWithAnyNamesOfFieldsAreMerged() throws IOException, SQLException {
        for (String name : List.of("a", "b")) {
            FleetLogs.write(source.resolve("rover/" + name + ".ulg"), log -> {
                log.format(TopicFormat.parse("FILE:uint64_t timestamp;char[16] FileName;uint8_t row;"));
                log.subscribe("FILE", 0).begin(name.charAt(0)).write();
            });
        }
        FleetLogs.build(source, lake);
        List<String> rows = rows(lake);

        assertThat(compact(QUIET_DAYS, LATER)).isPositive();

        assertThat(LakeFiles.inside(lake.resolve("topics/FILE"))).hasSize(1);
        assertThat(rows(lake)).as("seed %d", seed).isEqualTo(rows);
    }

    @Test
    void deletedDaysAreNoFailureAndTheirLogsAreNotConvertedAgain() throws IOException, SQLException {
        Path topic = lake.resolve("topics/battery_status");
        LakeFiles.deleteAll(topic);
        assertThat(compact(QUIET_DAYS, LATER)).isPositive();
        LakeFiles.deleteAll(lake.resolve("topics"));

        assertThat(FleetLogs.build(source, lake).unchanged()).isEqualTo(4);

        assertThat(topic).doesNotExist();
        FleetLogs.known(source.resolve("boat/1.ulg"), 5);
        assertThat(FleetLogs.build(source, lake).replaced()).isEqualTo(1);
        assertThat(LakeFiles.inside(topic)).hasSize(1);
    }

    /** If the process ends after any number of steps of a merge, the next one completes it. */
    @Test
    void mergeThatWasInterruptedIsCompleted() throws IOException, SQLException {
        List<String> rows = rows(lake);
        for (int round = 0; round < ROUNDS; round++) {
            interrupt(round % 2 == 1);
            try (LakeLedger ledger = LakeLedger.open(lake)) {
                assertThat(ledger.entries()).isNotEmpty();
            }
            assertThat(rows(lake)).as("seed %d, round %d", seed, round).isEqualTo(rows);
            requireThatTheLedgerListsAll();
        }
    }

    private void interrupt(boolean ofLogs) throws IOException {
        List<Runnable> steps = new ArrayList<>();
        try (LakeLedger ledger = LakeLedger.open(lake);
                DayFiles files = new DayFiles(lake)) {
            LakeCompaction compaction = new LakeCompaction(lake, ledger, LATER, QUIET_DAYS);
            List<LakeCompaction.Day> days = compaction.days(ofLogs);
            for (LakeCompaction.Day day : days) {
                LakeChange change = compaction
                        .merge(day, files)
                        .map(LakeCompaction.Merge::change)
                        .orElse(null);
                if (change == null) {
                    continue;
                }
                boolean isListed = random.nextInt(4) > 0;
                Path own = lake.resolve(LakeFiles.OWN);
                Path staged = own.resolve("staging").resolve(change.staging());
                if (isListed) {
                    steps.add(() -> write(own.resolve("change"), change.bytes()));
                    change.removed().forEach(file -> steps.add(() -> delete(lake.resolve(file))));
                    LakeFiles.inside(staged)
                            .forEach(file -> steps.add(() -> move(staged.resolve(file), lake.resolve(file))));
                    change.entries()
                            .forEach(entry ->
                                    steps.add(() -> write(own.resolve("ledger").resolve(entry.log()), entry.bytes())));
                }
                break;
            }
        }
        int until = steps.isEmpty() ? 0 : 1 + random.nextInt(steps.size());
        steps.subList(0, until).forEach(Runnable::run);
    }

    private static void write(Path file, byte[] content) {
        try {
            Files.write(file, content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.createDirectories(LakeFiles.parent(to));
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Checks that the ledger lists every file, and that no listed file is missing. */
    private void requireThatTheLedgerListsAll() throws IOException {
        try (LakeLedger ledger = LakeLedger.open(lake)) {
            Set<String> listed = ledger.entries().stream()
                    .flatMap(entry -> entry.files().stream())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(LakeFiles.inside(lake).stream().filter(file -> !file.startsWith(LakeFiles.OWN)))
                    .as("seed %d", seed)
                    .containsExactlyElementsOf(listed);
        }
    }

    /** The number of rows of each table, and a sum over them that does not depend on their order. */
    private static List<String> rows(Path lake) throws IOException, SQLException {
        TreeMap<String, String> tables = new TreeMap<>();
        for (String file : LakeFiles.inside(lake)) {
            if (file.endsWith(".parquet") && !file.startsWith(LakeFiles.OWN)) {
                int partition = file.indexOf(file.startsWith("logs/") ? "/date=" : "/vehicle=");
                tables.put(file.substring(0, partition), "");
            }
        }
        List<String> rows = new ArrayList<>();
        for (String table : tables.keySet()) {
            rows.add(table + " "
                    + ask("SELECT count(*), sum(hash(row)::HUGEINT) FROM (SELECT * FROM read_parquet("
                            + Sql.text(lake.resolve(table) + "/**/*.parquet")
                            + ", union_by_name = true, hive_partitioning = true)) AS row"));
        }
        return rows;
    }

    /** The units in the metadata of files. */
    private static List<String> units(Path lake) throws SQLException {
        return ask("SELECT DISTINCT key, value FROM parquet_kv_metadata(" + Sql.text(lake + "/topics/**/*.parquet")
                + ") WHERE decode(key) LIKE 'unit:%' ORDER BY ALL");
    }

    private static List<String> ask(String sql) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                lines.add(rows.getString(1) + " " + rows.getString(2));
            }
        }
        return lines;
    }
}
