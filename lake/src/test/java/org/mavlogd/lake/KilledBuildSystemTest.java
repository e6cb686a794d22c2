package org.mavlogd.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds that are killed at random moments leave only complete logs in the lake, and the next build completes the lake.
 */
class KilledBuildSystemTest {
    private static final int KILLS = Integer.getInteger("lake.kills", 3);
    private static final long DEADLINE_S = 120;
    private static final int KILLED = 128 + 9;

    /** The numbers of samples and logs in the lake. */
    private static final String COMPLETE = "SELECT sum(samples), count(*) FROM logs";

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void logsAreThereCompletelyOrNotAtAll() throws IOException, SQLException, InterruptedException {
        long seed = Long.getLong("lake.seed", 42);
        Random random = new Random(seed);
        Path source = directory.resolve("logs");
        FleetLogs.write(source);
        Path expected = directory.resolve("expected");
        FleetLogs.build(source, expected);
        Path lake = directory.resolve("lake");

        for (int i = 0; i < KILLS; i++) {
            kill(source, lake, random.nextInt(30));
            if (Files.isDirectory(lake.resolve(LakeFiles.OWN))) {
                assertThat(samples(lake)).as("seed %d, kill %d", seed, i).isEqualTo(FleetLogs.ask(lake, COMPLETE));
            }
        }
        FleetLogs.build(source, lake);

        assertThat(FleetLogs.ask(lake, COMPLETE)).as("seed %d", seed).isEqualTo(FleetLogs.ask(expected, COMPLETE));
        assertThat(files(lake)).as("seed %d", seed).isEqualTo(files(expected));
    }

    /** Kills a build after it has placed this many files. */
    private static void kill(Path source, Path lake, int placedFiles) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.mavlogd.tools.Main",
                        "lake",
                        "build",
                        source.toString(),
                        "--to",
                        lake.toString())
                .inheritIO()
                .start();
        try {
            int before = files(lake).size();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
            while (process.isAlive() && files(lake).size() < before + placedFiles) {
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(process.exitValue()).as("killed, or all done").isIn(KILLED, 0);
    }

    /** The numbers of samples of all topics, and of logs, as the views show them. */
    private static List<String> samples(Path lake) throws IOException, SQLException {
        StringBuilder sum = new StringBuilder("SELECT CASE WHEN count(*) > 0 THEN sum(n)::HUGEINT END,"
                + " (SELECT count(*) FROM logs) FROM (SELECT 0 AS n FROM logs");
        try (Stream<Path> topics =
                Files.exists(lake.resolve("topics")) ? Files.list(lake.resolve("topics")) : Stream.of()) {
            for (Path topic : topics.toList()) {
                try (Stream<Path> inside = Files.walk(topic)) {
                    if (inside.anyMatch(file -> file.toString().endsWith(".parquet"))) {
                        sum.append(" UNION ALL SELECT count(*) FROM ").append(Sql.name("topic_" + topic.getFileName()));
                    }
                }
            }
        }
        sum.append(")");
        return FleetLogs.ask(lake, sum.toString()).stream()
                .map(line -> line.equals("0 0") ? "null 0" : line)
                .toList();
    }

    /** The files in place, without those that wait in a directory of the ledger. */
    private static List<Path> files(Path lake) throws IOException {
        if (!Files.exists(lake)) {
            return List.of();
        }
        for (; ; ) {
            try (Stream<Path> all = Files.walk(lake)) {
                return all.filter(file ->
                                file.toString().endsWith(".parquet") && !file.startsWith(lake.resolve(LakeFiles.OWN)))
                        .map(lake::relativize)
                        .sorted()
                        .toList();
            } catch (UncheckedIOException changedMeanwhile) {
                Thread.onSpinWait();
            }
        }
    }
}
