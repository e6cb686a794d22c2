package org.mavlogd.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.lake.SmallTables.Table;
import org.mavlogd.logtools.Progress;
import org.mavlogd.ulog.TopicFormat;

/** Internal errors with one log do not affect the others. */
class LakeErrorsTest {
    @TempDir
    private Path directory = Path.of(".");

    private Path source = Path.of(".");
    private Path lake = Path.of(".");

    @BeforeEach
    void placeLogs() throws IOException {
        source = Files.createDirectories(directory.resolve("logs"));
        lake = directory.resolve("lake");
    }

    @Test
    void anErrorWhileALogIsConvertedIsARowOfFailuresAndTheOthersContinue() throws IOException, SQLException {
        for (int i = 0; i < 4; i++) {
            withATooLargeTopic(source.resolve(i + ".ulg"), i);
        }
        // The clock is first read for the row of the topic, while the log is converted.
        Clock clock = new FailingClock(
                List.of(new StackOverflowError(), new AssertionError("odd"), new NoClassDefFoundError("a/Library")));

        LakeBuild.Result result = build(clock);

        assertThat(result.failed()).isEqualTo(3);
        assertThat(result.converted()).isEqualTo(1);
        assertThat(FleetLogs.ask(lake, "SELECT place, reason FROM failures WHERE log NOT IN (SELECT log FROM logs)"))
                .hasSize(3)
                .allMatch(row -> row.startsWith(source.toString()))
                .anyMatch(row -> row.contains("internal error, please report this: java.lang.StackOverflowError at "
                        + FailingClock.class.getName()))
                .anyMatch(row -> row.contains("java.lang.AssertionError: odd at "))
                .anyMatch(row -> row.contains("java.lang.NoClassDefFoundError: a/Library at "));
        assertThat(FleetLogs.build(source, lake).converted()).isEqualTo(3);
    }

    @Test
    void anErrorWhileALogIsFetchedIsARowOfFailures() throws IOException, SQLException {
        FleetLogs.known(source.resolve("bad.ulg"), 1);
        FleetLogs.known(source.resolve("good.ulg"), 2);
        LogFolder folder = new LogFolder(source);
        LogSource failing = new LogSource() {
            @Override
            public List<SourceLog> logs() throws IOException {
                return folder.logs();
            }

            @Override
            public void fetch(SourceLog log) {
                if (log.file().endsWith("bad.ulg")) {
                    throw new NoClassDefFoundError("a/Library");
                }
            }
        };
        try (LakeBuild build = new LakeBuild(lake, "test", Clock.systemUTC())) {
            LakeBuild.Result result = build.run(failing, failing.logs(), 1, Progress.NONE);

            assertThat(result.converted()).isEqualTo(1);
            assertThat(build.problems()).singleElement().asString().contains("bad.ulg: internal error");
        }
    }

    /** Memory belongs to all logs that are converted at the same time: none of them can be blamed. */
    @Test
    void anErrorOfJavaItselfEndsTheBuild() throws IOException, SQLException {
        for (int i = 0; i < 4; i++) {
            withATooLargeTopic(source.resolve(i + ".ulg"), i);
        }
        OutOfMemoryError full = new OutOfMemoryError("Java heap space");

        assertThatThrownBy(() -> build(new FailingClock(List.of(full)))).isSameAs(full);

        assertThat(FleetLogs.build(source, lake).failed()).isZero();
        assertThat(FleetLogs.ask(lake, "SELECT count(*) FROM logs")).containsExactly("4");
    }

    @Test
    void rowsOfALogThatFailedAreNotThoseOfTheNext() throws IOException, SQLException {
        Path file = directory.resolve("messages.parquet");
        Path unwritable = Files.createDirectory(directory.resolve("a directory"));
        try (SmallTables tables = new SmallTables(directory)) {
            assertThatThrownBy(() -> tables.write(Table.MESSAGES, rows("failed"), unwritable))
                    .isInstanceOf(FileSystemException.class);
            tables.write(Table.MESSAGES, rows("next"), file);
        }

        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT count(*), any_value(log) FROM read_parquet(" + Sql.path(file) + ")")) {
            rows.next();
            assertThat(rows.getInt(1)).isEqualTo(1);
            assertThat(rows.getString(2)).isEqualTo("next");
        }
    }

    private static List<@Nullable Object[]> rows(String log) {
        @Nullable Object[] row = {log, 1L, 1L, "info", "plain", null, "text"};
        return List.<@Nullable Object[]>of(row);
    }

    private LakeBuild.Result build(Clock clock) throws IOException {
        try (LakeBuild build = new LakeBuild(lake, "test", clock)) {
            LogFolder folder = new LogFolder(source);
            return build.run(folder, folder.logs(), 1, Progress.NONE);
        }
    }

    private static void withATooLargeTopic(Path file, int number) throws IOException {
        FleetLogs.write(file, log -> {
            log.info("flight", number);
            log.format(TopicFormat.parse("huge:uint64_t timestamp;uint8_t[9997] bytes;"));
            log.subscribe("huge", 0).begin(5).write();
        });
    }

    /** A clock that fails once by each of these errors, at every second time that it is read. */
    private static final class FailingClock extends Clock {
        private final Iterator<Error> errors;
        private boolean failed;

        FailingClock(List<Error> errors) {
            this.errors = errors.iterator();
        }

        @Override
        public Instant instant() {
            if (!failed && errors.hasNext()) {
                failed = true;
                Error error = errors.next();
                error.fillInStackTrace();
                throw error;
            }
            failed = false;
            return Instant.EPOCH;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
