package org.mavlogd.lake.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/**
 * Converts many real logs, with changed ids and times, on clusters of several worker processes. Measures throughput,
 * kills a worker, and compares rows and sums with those of {@code mavlogd lake build} and of ulog-writer. Run by
 * {@code scripts/bench-fleet spark}.
 */
final class ClusterBench {
    private static final List<String> LOGS = List.of(
            "pyulog_sample_appended_multiple",
            "px4rs_esc_status_log",
            "pyulog_sample_log_small",
            "pyulog_sample_appended_multiple",
            "px4rs_6ba1abc7",
            "px4rs_esc_status_log");
    private static final int REFUSED = 3;

    private final Path module;
    private final Path directory;
    private final Map<String, long[]> read = new TreeMap<>();
    private long bytes;

    private ClusterBench(Path module, Path directory) {
        this.module = module;
        this.directory = directory;
    }

    /**
     * Runs the benchmark.
     *
     * @param args logs for rows and sums, logs for throughput
     */
    public static void main(String[] args) throws IOException, InterruptedException, SQLException {
        Path directory = Files.createTempDirectory("cluster");
        try {
            Path module =
                    Path.of(System.getProperty("mavlogd.tree"), "lake-spark").toRealPath();
            ClusterBench bench = new ClusterBench(module, directory);
            bench.throughput(Integer.parseInt(args[1]));
            bench.sameRows(Integer.parseInt(args[0]));
        } finally {
            FileUtil.fullyDelete(directory.toFile());
        }
    }

    private Path logs(String name, int count) throws IOException {
        Path source = directory.resolve(name);
        List<byte[]> originals = new ArrayList<>();
        for (String log : LOGS) {
            originals.add(Fleet.px4(log));
        }
        bytes = 0;
        read.clear();
        for (int i = 0; i < count; i++) {
            byte[] log = ChangedLog.of(originals.get(i % originals.size()), i);
            bytes += log.length;
            Fleet.put(source.resolve("vehicle" + i % 200 + "/log" + i + ".ulg"), log);
            ULogReader reader = new ULogReader(new Sums());
            reader.feed(log, 0, log.length);
            reader.finish();
        }
        return source;
    }

    private void throughput(int count) throws IOException, InterruptedException {
        Path source = logs("few", count);
        say(
                "%d logs, %.0f MB, on %d processors",
                count, bytes / 1e6, Runtime.getRuntime().availableProcessors());
        long begin = System.nanoTime();
        Lakes.build(source, directory.resolve("lake-single"));
        report("mavlogd lake build", count, seconds(begin));
        for (int workers : new int[] {1, 2, 4}) {
            Path lake = directory.resolve("lake-" + workers);
            try (StandaloneCluster cluster =
                    new StandaloneCluster(module, directory.resolve("cluster-" + workers), workers)) {
                double all = run(cluster, "build", source, lake);
                // The start of Spark alone: nothing is left to convert.
                double idle = run(cluster, "again", source, lake);
                report(
                        workers + " workers, beside " + String.format(Locale.ROOT, "%.1f", idle) + " s of start",
                        count,
                        all - idle);
            }
            FileUtil.fullyDelete(lake.toFile());
        }
    }

    private double run(StandaloneCluster cluster, String name, Path source, Path lake)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        say("%s", cluster.result(name, cluster.submit(name, source.toString(), "--to", lake.toString())));
        return seconds(begin);
    }

    private void sameRows(int count) throws IOException, InterruptedException, SQLException {
        Path source = logs("many", count);
        for (int i = 0; i < REFUSED; i++) {
            Fleet.put(source.resolve("bad" + i + ".ulg"), ("no log " + i).getBytes(StandardCharsets.UTF_8));
        }
        say("%d logs, %.0f MB, and %d that are none", count, bytes / 1e6, REFUSED);
        Path lake = directory.resolve("lake");
        try (StandaloneCluster cluster = new StandaloneCluster(module, directory.resolve("cluster"), 3)) {
            long begin = System.nanoTime();
            Process job = cluster.submit("build", source.toString(), "--to", lake.toString());
            while (entries(lake) < count / 4 && job.isAlive()) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            say("a worker of three is killed after %d logs", entries(lake));
            cluster.killWorker(0);
            say("%s", cluster.result("build", job));
            report("3 workers, of which one is killed", count, seconds(begin));
        }
        compareWithReader(Lakes.sums(lake));
        long begin = System.nanoTime();
        Path expected = Lakes.build(source, directory.resolve("expected"));
        report("mavlogd lake build", count, seconds(begin));
        check("mavlogd lake build", Lakes.sums(expected), Lakes.sums(lake));
        FileUtil.fullyDelete(lake.toFile());
        FileUtil.fullyDelete(expected.toFile());
    }

    /** Samples only: ulog-writer has no other tables. */
    private void compareWithReader(Map<String, List<String>> found) {
        Map<String, List<String>> expected = new TreeMap<>();
        Map<String, List<String>> samples = new TreeMap<>();
        read.forEach((topic, sums) -> expected.put(
                "topic_" + topic,
                Stream.of(sums[0], sums[1], sums[2]).map(String::valueOf).toList()));
        found.forEach((table, sums) -> {
            if (table.startsWith("topic_")) {
                samples.put(table, List.of(sums.get(0), sums.get(2), sums.get(4)));
            }
        });
        check("ulog-writer", expected, samples);
    }

    private static void check(String of, Map<String, List<String>> expected, Map<String, List<String>> found) {
        if (!expected.equals(found)) {
            expected.forEach((table, sums) -> {
                if (!sums.equals(found.get(table))) {
                    say("%s: %s instead of %s", table, found.getOrDefault(table, List.of()), sums);
                }
            });
            throw new IllegalStateException("not the rows and sums of " + of);
        }
        long rows = found.values().stream()
                .mapToLong(sums -> Long.parseLong(sums.get(0)))
                .sum();
        say("the same rows and sums as %s: %d tables, %d rows", of, found.size(), rows);
    }

    private static int entries(Path lake) throws IOException {
        Path ledger = lake.resolve("_mavlogd/ledger");
        if (!Files.isDirectory(ledger)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(ledger)) {
            return (int) all.count();
        }
    }

    private void report(String what, int count, double seconds) {
        say("%s: %.1f s, %.1f logs/s, %.1f MB/s", what, seconds, count / seconds, bytes / 1e6 / seconds);
    }

    private static double seconds(long beginNs) {
        return (System.nanoTime() - beginNs) / 1e9;
    }

    private static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    /** Rows, sum of times and sum of instances of each topic. */
    private final class Sums implements ULogHandler {
        @Override
        public void onSample(SampleView sample) {
            long[] sums = read.computeIfAbsent(sample.topic().name(), none -> new long[3]);
            sums[0]++;
            sums[1] += sample.timestampUs();
            sums[2] += sample.topic().multiId();
        }
    }
}
