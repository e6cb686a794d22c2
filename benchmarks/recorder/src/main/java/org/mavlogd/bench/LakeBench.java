package org.mavlogd.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/**
 * Measures {@code mavlogd lake} as a process: how fast it converts long logs compared with plain reading of them, and
 * how long a mean over 1,000 flights takes, before and after their small files are merged: {@code LakeBench ROOT
 * [--quick]}. It works in a temporary directory that it deletes at the end.
 */
final class LakeBench {
    private static final String LOG = "simulator/src/demo/11_rover_ackermann.ulg.gz";
    private static final long BYTES_PER_MB = 1_000_000;
    private static final double NS_PER_S = 1e9;
    private static final double GOAL_MB_S = 150;
    private static final double GOAL_QUERY_S = 1;
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int LOGS = 4;
    private static final int RUNS = 3;
    private static final int VEHICLES = 20;
    private static final int FLIGHT_S = 600;
    private static final long BOOT_UTC_US = 1_760_000_000_000_000L;
    private static final long DAY_US = 86_400_000_000L;
    private static final WriterSettings SETTINGS =
            new WriterSettings(128 * 1024, 500_000, TimestampPolicy.COUNT_AND_KEEP);
    private static final String MEAN =
            "SELECT vehicle, count(DISTINCT log), avg(voltage_v) FROM topic_battery_status GROUP BY vehicle ORDER BY vehicle";
    /** The usual way to do this without mavlogd: each topic of a log as a table, written as Parquet. */
    private static final String PYULOG = """
            import sys, pandas, pyarrow
            from pyulog import ULog
            for log in sys.argv[2:]:
                for i, topic in enumerate(ULog(log).data_list):
                    pandas.DataFrame(topic.data).to_parquet('%s/%d.parquet' % (sys.argv[1], i))
            """;

    private final Path root;
    private final Path directory;
    private final int logMb;
    private final int flights;
    private final List<Figure> figures = new ArrayList<>();

    private LakeBench(Path root, Path directory, boolean isQuick) {
        this.root = root;
        this.directory = directory;
        this.logMb = isQuick ? 50 : 250;
        this.flights = isQuick ? 200 : 1000;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> options = Arrays.asList(arguments).subList(1, arguments.length);
        Path directory = Files.createTempDirectory("lake-bench");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
        new LakeBench(Path.of(arguments[0]).toAbsolutePath(), directory, options.contains("--quick")).run();
    }

    private void run() throws IOException, InterruptedException {
        String load = Machine.load();
        build();
        query();
        Figure.print(figures, load);
    }

    private void build() throws IOException, InterruptedException {
        Path source = Files.createDirectories(directory.resolve("logs/rover"));
        Bench.progress("making %d logs of %d MB", LOGS, logMb);
        long bytes = 0;
        List<String> files = new ArrayList<>();
        for (int i = 0; i < LOGS; i++) {
            Path file = source.resolve(i + ".ulg");
            LongLog.make(root.resolve(LOG), file, (logMb + i) * BYTES_PER_MB);
            bytes += Files.size(file);
            files.add(file.toString());
        }
        double mb = bytes / (double) BYTES_PER_MB;
        List<Double> reading = new ArrayList<>();
        List<Double> oneJob = new ArrayList<>();
        List<Double> allJobs = new ArrayList<>();
        List<Double> merging = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            Bench.progress("reading and converting, run %d of %d", i + 1, RUNS);
            reading.add(mb / read(source));
            oneJob.add(mb / build(source, fresh(), "--jobs", "1", "--compact-after", "-1"));
            Path lake = fresh();
            allJobs.add(mb / build(source, lake, "--compact-after", "-1"));
            merging.add(mb / build(source, lake));
        }
        figures.add(
                Figure.plain("reading the logs, MB/s", Bench.median(reading), "%.0f", Bench.spread(reading, "%.0f")));
        figures.add(Figure.atLeast(
                "lake build, one core, MB/s",
                Bench.median(oneJob),
                "%.0f",
                GOAL_MB_S,
                Bench.spread(oneJob, "%.0f") + "; " + LOGS + " logs, together " + Math.round(mb) + " MB"));
        figures.add(Figure.plain(
                "lake build, all cores, MB/s", Bench.median(allJobs), "%.0f", Bench.spread(allJobs, "%.0f")));
        figures.add(Figure.plain(
                "   merging their day, MB of logs/s", Bench.median(merging), "%.0f", Bench.spread(merging, "%.0f")));
        pyulog(files, mb);
        delete(directory.resolve("logs"));
    }

    private void pyulog(List<String> files, double mb) throws IOException, InterruptedException {
        Path out = Files.createDirectories(directory.resolve("pyulog"));
        List<String> command = new ArrayList<>(List.of("python3", "-c", PYULOG, out.toString()));
        command.addAll(files);
        try {
            long beganNs = System.nanoTime();
            if (new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0) {
                figures.add(Figure.plain(
                        "pyulog with pandas and pyarrow, MB/s",
                        mb * NS_PER_S / (System.nanoTime() - beganNs),
                        "%.0f",
                        "one run"));
                return;
            }
        } catch (IOException e) {
            // no Python
        }
        Bench.progress("no pyulog with pandas and pyarrow: not compared with it");
    }

    private void query() throws IOException, InterruptedException {
        Path source = directory.resolve("flights");
        Bench.progress("making %d flights of %d vehicles", flights, VEHICLES);
        for (int i = 0; i < flights; i++) {
            flight(source.resolve("v%02d/%04d.ulg".formatted(i % VEHICLES, i)), i);
        }
        Path lake = fresh();
        double buildS = build(source, lake, "--compact-after", "-1");
        String note = flights + " flights of " + FLIGHT_S + " s, " + VEHICLES + " vehicles; ";
        figures.add(Figure.plain("   their build, s", buildS, "%.1f", note + files(lake) + " files"));
        measureMean("mean by vehicle, small files, s", lake, note + files(lake) + " files");
        double compactS = build(source, lake);
        figures.add(Figure.plain("   merging their days, s", compactS, "%.1f", files(lake) + " files are left"));
        measureMean("mean by vehicle, merged files, s", lake, note + files(lake) + " files");
    }

    private void measureMean(String name, Path lake, String note) throws IOException, InterruptedException {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            times.add(lake("query", "--lake", lake.toString(), MEAN));
        }
        figures.add(Figure.atMost(name, Bench.median(times), "%.2f", GOAL_QUERY_S, note));
    }

    /** Writes a flight; there are several a day, on days of the past. */
    private static void flight(Path file, int number) throws IOException {
        Files.createDirectories(file.getParent());
        long bootUtcUs = BOOT_UTC_US + number / (3L * VEHICLES) * DAY_US + number * 1_000_000L;
        try (FileSink sink = FileSink.create(file)) {
            ULogWriter log = new ULogWriter(sink, number, SETTINGS);
            log.format(
                    TopicFormat.parse(
                            "vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;uint8_t fix_type;uint8_t[7] _padding0;"));
            log.format(TopicFormat.parse("battery_status:uint64_t timestamp;float voltage_v;float current_a;"));
            log.format(TopicFormat.parse("vehicle_attitude:uint64_t timestamp;float[4] q;"));
            TopicWriter gps = log.subscribe("vehicle_gps_position", 0);
            TopicWriter battery = log.subscribe("battery_status", 0);
            TopicWriter attitude = log.subscribe("vehicle_attitude", 0);
            for (int tenth = 0; tenth < FLIGHT_S * 10; tenth++) {
                long us = number + tenth * 100_000L;
                if (tenth % 10 == 0) {
                    gps.begin(us)
                            .integer(gps.column("time_utc_usec"), bootUtcUs + us)
                            .integer(gps.column("fix_type"), 3)
                            .write();
                    battery.begin(us)
                            .float32(battery.column("voltage_v"), 12.6f - tenth * 1e-4f)
                            .float32(battery.column("current_a"), tenth % 20)
                            .write();
                }
                attitude.begin(us)
                        .float32(attitude.column("q"), 0, tenth * 1e-3f)
                        .write();
            }
            log.close();
        }
    }

    private Path fresh() throws IOException {
        Path lake = directory.resolve("lake");
        delete(lake);
        return lake;
    }

    private static long files(Path lake) throws IOException {
        try (Stream<Path> all = Files.walk(lake)) {
            return all.filter(file -> file.toString().endsWith(".parquet")).count();
        }
    }

    /** Reads all logs and returns the seconds that it took. */
    private static double read(Path source) throws IOException {
        long beganNs = System.nanoTime();
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK_BYTES);
        List<Path> files;
        try (Stream<Path> all = Files.list(source)) {
            files = all.toList();
        }
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file)) {
                while (channel.read(buffer.clear()) >= 0) {
                    // discard the bytes
                }
            }
        }
        return (System.nanoTime() - beganNs) / NS_PER_S;
    }

    private double build(Path source, Path lake, String... options) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("build", source.toString(), "--to", lake.toString()));
        arguments.addAll(List.of(options));
        return lake(arguments.toArray(String[]::new));
    }

    /** Runs a command of the lake and returns the seconds that it took. */
    private double lake(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("scripts/mavlogd").toString(), "lake"));
        command.addAll(List.of(arguments));
        long beganNs = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.HOURS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", arguments) + ": " + output);
        }
        return (System.nanoTime() - beganNs) / NS_PER_S;
    }

    private static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            System.err.println(directory + " is left: " + e.getMessage());
        }
    }
}
