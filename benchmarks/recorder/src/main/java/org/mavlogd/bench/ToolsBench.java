package org.mavlogd.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mavlogd.tools.Main;
import picocli.CommandLine;

/**
 * Measures the log tools as processes, started as users start them, compared with plain reading of the same file:
 * {@code ToolsBench ROOT [--quick] [--mb MB] [COMMAND...]}. It works in a temporary directory that it deletes at the
 * end.
 */
final class ToolsBench {
    private static final String LOG = "simulator/src/demo/11_rover_ackermann.ulg.gz";
    private static final String IN = "IN";
    private static final String OUT = "OUT";
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final long BYTES_PER_MB = 1_000_000;
    private static final double NS_PER_S = 1e9;
    private static final int POLL_MS = 20;
    private static final long DEADLINE_MIN = 30;
    private static final double HEAP_GOAL_MB = 64;
    /** A garbage collection in the JVM's log: heap before, heap after, and heap size. */
    private static final Pattern COLLECTION = Pattern.compile("(\\d+)M->(\\d+)M\\((\\d+)M\\)");

    /** A command with its arguments and its goal in MB/s, 0 if it has none. */
    private record Tool(String name, double goal, List<String> arguments) {
        static Tool of(String name, double goal, String... more) {
            return new Tool(
                    name,
                    goal,
                    Stream.concat(Arrays.stream(name.split(" ")), Arrays.stream(more))
                            .toList());
        }
    }

    // Commands that this version does not have are not measured.
    private static final List<Tool> TOOLS = List.of(
            Tool.of("info", 1000, IN),
            Tool.of("check", 1000, IN),
            Tool.of("params", 0, IN),
            Tool.of("messages", 0, IN),
            Tool.of("cat", 0, IN, "--topic", "vehicle_attitude", "--format", "ndjson"),
            Tool.of("recover", 0, IN, OUT),
            Tool.of("cut", 0, IN, "-o", OUT, "--from", "+60"),
            Tool.of("filter", 0, IN, "-o", OUT, "--topics", "vehicle_*"),
            Tool.of("export csv", 80, IN, "-o", OUT),
            Tool.of("export mcap", 150, IN, "-o", OUT),
            Tool.of("export parquet", 150, IN, "-o", OUT),
            Tool.of("export gpx", 0, IN, "-o", OUT),
            Tool.of("export kml", 0, IN, "-o", OUT));

    /** The time and memory of one run. */
    private record Run(double seconds, double cpuSeconds, double heapMb, double rssMb) {}

    private final Path root;
    private final Path directory;
    private final int rounds;

    private ToolsBench(Path root, Path directory, int rounds) {
        this.root = root;
        this.directory = directory;
        this.rounds = rounds;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]).toAbsolutePath();
        List<String> options = new ArrayList<>(Arrays.asList(arguments).subList(1, arguments.length));
        boolean isQuick = options.remove("--quick");
        long megabytes = isQuick ? 100 : 1000;
        int at = options.indexOf("--mb");
        if (at >= 0 && at + 1 < options.size()) {
            megabytes = Long.parseLong(options.remove(at + 1));
            options.remove(at);
        }
        List<Tool> tools = TOOLS.stream()
                .filter(tool -> exists(tool) && (options.isEmpty() || options.contains(tool.name())))
                .toList();
        Path directory = Files.createTempDirectory("tools-bench");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
        new ToolsBench(root, directory, isQuick ? 3 : 5).run(tools, megabytes * BYTES_PER_MB);
    }

    private static boolean exists(Tool tool) {
        CommandLine command = Main.commandLine();
        for (String word : tool.name().split(" ", -1)) {
            command = command == null ? null : command.getSubcommands().get(word);
        }
        return command != null;
    }

    private void run(List<Tool> tools, long bytes) throws IOException, InterruptedException {
        // The largest result is a table as text, several times as large as the log.
        long needed = 8 * bytes;
        if (Files.getFileStore(directory).getUsableSpace() < needed) {
            throw new IOException(directory + ": less than " + needed / BYTES_PER_MB
                    + " MB free; take a smaller log: --mb MB, or " + "name another directory: TMPDIR=DIR");
        }
        String load = Machine.load();
        Path log = log("log.ulg", bytes);
        double megabytes = (double) Files.size(log) / BYTES_PER_MB;
        System.out.printf(
                Locale.ROOT, "%-30s %9s %9s %12s %9s %8s%n", "", "MB/s", "goal", "MB/CPU s", "heap MB", "RSS MB");
        double floor = megabytes / floor(log);
        System.out.printf(Locale.ROOT, "%-30s %9.0f%n", "floor: read the file", floor);
        for (Tool tool : tools) {
            print(tool, measure(tool, log), megabytes);
        }
        for (long small : new long[] {50, 2}) {
            starts(small);
        }
        System.out.printf(
                Locale.ROOT,
                "log of %.0f MB, medians of %d; with the start of Java%n%s%nload %s before, %s after%n",
                megabytes,
                rounds,
                Machine.description(),
                load,
                Machine.load());
    }

    private static void print(Tool tool, Run run, double megabytes) {
        double rate = megabytes / run.seconds;
        String goal = tool.goal() == 0
                ? ""
                : String.format(Locale.ROOT, "%.0f%s", tool.goal(), rate < tool.goal() ? " NO" : "");
        System.out.printf(
                Locale.ROOT,
                "%-30s %9.0f %9s %12.0f %9s %8.0f%n",
                tool.name(),
                rate,
                goal,
                megabytes / run.cpuSeconds,
                String.format(Locale.ROOT, "%.0f%s", run.heapMb, run.heapMb > HEAP_GOAL_MB ? " NO" : ""),
                run.rssMb);
    }

    /** Measures how long {@code info} takes for a log of this size, for which a user waits. */
    private void starts(long megabytes) throws IOException, InterruptedException {
        double goal = megabytes == 2 ? 0.15 : 0.5;
        Path log = log(megabytes + ".ulg", megabytes * BYTES_PER_MB);
        Run run = measure(Tool.of("info", 0, IN), log);
        System.out.printf(
                Locale.ROOT,
                "%-30s %7.2f s %7.2f s%s%n",
                "info of " + megabytes + " MB",
                run.seconds,
                goal,
                run.seconds > goal ? " NO" : "");
    }

    private Path log(String name, long bytes) throws IOException {
        Path log = directory.resolve(name);
        LongLog.make(root.resolve(LOG), log, bytes);
        return log;
    }

    private double floor(Path log) throws IOException {
        double[] seconds = new double[rounds];
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        for (int i = 0; i < rounds; i++) {
            long start = System.nanoTime();
            try (FileChannel channel = FileChannel.open(log)) {
                while (channel.read(chunk.clear()) >= 0) {
                    // only read
                }
            }
            seconds[i] = (System.nanoTime() - start) / NS_PER_S;
        }
        Arrays.sort(seconds);
        return seconds[rounds / 2];
    }

    /** Runs the tool several times: the median of the times, the highest heap and RSS. */
    private Run measure(Tool tool, Path log) throws IOException, InterruptedException {
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            runs.add(run(tool, log));
        }
        return new Run(
                runs.stream().mapToDouble(Run::seconds).sorted().toArray()[rounds / 2],
                runs.stream().mapToDouble(Run::cpuSeconds).sorted().toArray()[rounds / 2],
                runs.stream().mapToDouble(Run::heapMb).max().orElse(0),
                runs.stream().mapToDouble(Run::rssMb).max().orElse(0));
    }

    private Run run(Tool tool, Path log) throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        Path heap = directory.resolve("gc.log");
        Path errors = directory.resolve("errors");
        List<String> words = new ArrayList<>(List.of(Bench.launcher(root).toString()));
        tool.arguments()
                .forEach(
                        word -> words.add(word.equals(IN) ? log.toString() : word.equals(OUT) ? out.toString() : word));
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile());
        builder.environment().put("JDK_JAVA_OPTIONS", "-Xlog:gc,gc+heap+exit:file=" + heap);
        long start = System.nanoTime();
        Process process = builder.start();
        ProcessStats stats = new ProcessStats(process.pid());
        double cpu = 0;
        double rss = 0;
        while (!process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
            try {
                rss = Math.max(rss, stats.statusMb("VmHWM"));
                cpu = Math.max(cpu, stats.cpu().totalMs());
            } catch (IOException ended) {
                // The process has ended; its last figures count.
            }
            if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(DEADLINE_MIN)) {
                process.destroy();
            }
        }
        double seconds = (System.nanoTime() - start) / NS_PER_S;
        if (process.exitValue() != 0) {
            throw new IOException(tool.name() + ": exit code " + process.exitValue() + ": " + Files.readString(errors));
        }
        delete(out);
        return new Run(seconds, Math.max(cpu, 1) / 1000, heapMb(heap), rss);
    }

    /** The highest use of the heap before a collection. Use after the last collection is not included. */
    private static double heapMb(Path log) throws IOException {
        Matcher collection = COLLECTION.matcher(Files.readString(log));
        double most = 0;
        while (collection.find()) {
            most = Math.max(most, Double.parseDouble(collection.group(1)));
        }
        Files.delete(log);
        return most;
    }

    private static void delete(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            System.err.println("cannot delete " + path + ": " + e.getMessage());
        }
    }
}
