package org.mavlogd.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Measures the page as a process that a client asks like a browser, and the recorder while the page is used: {@code
 * PageBench ROOT [--quick] [PART...]}. It works in a temporary directory that it deletes at the end.
 */
final class PageBench {
    static final List<String> FIELDS = List.of(
            "vehicle_attitude.q[0]",
            "sensor_combined.gyro_rad[2]",
            "vehicle_local_position.vx",
            "battery_status.voltage_v");

    private static final List<String> PARTS = List.of("plots", "memory", "list", "beside");
    private static final String LOG = "simulator/src/demo/11_rover_ackermann.ulg.gz";
    private static final String API = "api/v1/logs";
    private static final long BYTES_PER_MB = 1_000_000;
    private static final double NS_PER_MS = 1e6;
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int ZOOMS = 20;
    private static final long FACTS_MIN = 10;

    private final Path root;
    private final Path directory;
    private final Sizes sizes;
    private final List<Figure> figures = new ArrayList<>();

    /**
     * Sizes and counts of the measurements.
     *
     * @param bigMb size of the log that is plotted
     * @param reportMb size of the log that is reported
     * @param hugeMb size of the log that must not take much memory
     */
    record Sizes(int rounds, int bigMb, int reportMb, int hugeMb, int logs, int pairs, int pairS) {
        static final Sizes FULL = new Sizes(5, 1000, 100, 4295, 10_000, 5, 60);
        static final Sizes QUICK = new Sizes(3, 100, 20, 400, 1000, 2, 10);
    }

    private PageBench(Path root, Path directory, Sizes sizes) {
        this.root = root;
        this.directory = directory;
        this.sizes = sizes;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]).toAbsolutePath();
        List<String> options = new ArrayList<>(Arrays.asList(arguments).subList(1, arguments.length));
        boolean isQuick = options.remove("--quick");
        List<String> parts = options.isEmpty() ? PARTS : options;
        if (!PARTS.containsAll(parts)) {
            System.err.println("usage: scripts/bench-page [--quick] [PART...]; parts are " + String.join(", ", PARTS));
            System.exit(2);
        }
        Path directory = Files.createTempDirectory("page-bench");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
        new PageBench(root, directory, isQuick ? Sizes.QUICK : Sizes.FULL).run(parts);
    }

    private void run(List<String> parts) throws IOException, InterruptedException {
        String load = Machine.load();
        if (parts.contains("plots")) {
            measurePlots();
        }
        if (parts.contains("memory")) {
            measureMemory();
        }
        if (parts.contains("list")) {
            measureList();
        }
        if (parts.contains("beside")) {
            Path big = log("big", sizes.bigMb());
            RecorderPairs pairs = new RecorderPairs(root, sizes.pairs(), sizes.pairS());
            figures.addAll(new PageBesideBench(this, big).measure(pairs));
        }
        Figure.print(figures, load);
    }

    private void measurePlots() throws IOException, InterruptedException {
        Path big = log("big", sizes.bigMb());
        Path report = log("report", sizes.reportMb());
        Bench.progress("plots of %d MB, report of %d MB, %d times", sizes.bigMb(), sizes.reportMb(), sizes.rounds());
        double bigFloor = floor(big);
        double reportFloor = floor(report);
        Plots plots = new Plots();
        for (int round = 0; round < sizes.rounds(); round++) {
            try (PageProcess page = page(List.of(big.getParent(), report.getParent()))) {
                plots.round(page);
            }
        }
        String first = "first plot, log of " + sizes.bigMb() + " MB, ms";
        figures.add(Figure.atMost(first, Bench.median(plots.first), "%.0f", 1500, Bench.spread(plots.first, "%.0f")));
        figures.add(Figure.plain("   floor: read the file, ms", bigFloor, "%.0f", ""));
        figures.add(Figure.atMost(
                "later plot, zoomed, ms", Bench.median(plots.zoomed), "%.1f", 100, Bench.spread(plots.zoomed, "%.1f")));
        figures.add(Figure.atMost(
                "later plot, other field, ms",
                Bench.median(plots.other),
                "%.0f",
                100,
                Bench.spread(plots.other, "%.0f")));
        figures.add(Figure.atMost("most bytes of a plot, KB", plots.mostBytes / 1000.0, "%.1f", 100, "in gzip"));
        String name = "report, log of " + sizes.reportMb() + " MB, ms";
        figures.add(Figure.atMost(name, Bench.median(plots.report), "%.0f", 2000, Bench.spread(plots.report, "%.0f")));
        figures.add(Figure.plain("   floor: read the file, ms", reportFloor, "%.0f", ""));
    }

    /** Times of plots and reports, in milliseconds. */
    private static final class Plots {
        private final List<Double> first = new ArrayList<>();
        private final List<Double> zoomed = new ArrayList<>();
        private final List<Double> other = new ArrayList<>();
        private final List<Double> report = new ArrayList<>();
        private int mostBytes;

        /** Measures one round with a page that has just started and has an empty cache. */
        void round(PageProcess page) throws IOException, InterruptedException {
            first.add(plot(page, FIELDS.get(0), ""));
            String topics = page.text(API + "/big.ulg/topics");
            long fromUs = number(topics, "from_us");
            long lengthUs = number(topics, "to_us") - fromUs;
            for (int i = 0; i < ZOOMS; i++) {
                long begin = fromUs + lengthUs * i / ZOOMS;
                // From half of the log to about a second.
                long end = begin + Math.max(1_000_000, lengthUs >> (1 + i / 2));
                zoomed.add(plot(page, FIELDS.get(0), "&from=" + begin + "&to=" + end));
            }
            for (String field : FIELDS.subList(1, FIELDS.size())) {
                other.add(plot(page, field, ""));
            }
            report.add(page.get(API + "/report.ulg/report").ms());
        }

        private double plot(PageProcess page, String field, String range) throws IOException, InterruptedException {
            PageProcess.Answer answer = page.get(API + "/big.ulg/series?field=" + escaped(field) + range);
            mostBytes = Math.max(mostBytes, answer.bytes());
            return answer.ms();
        }
    }

    private void measureMemory() throws IOException, InterruptedException {
        Path huge = log("huge", sizes.hugeMb());
        Bench.progress("memory with a log of %d MB", sizes.hugeMb());
        try (PageProcess page = page(List.of(huge.getParent()))) {
            for (String field : FIELDS) {
                page.get(API + "/huge.ulg/series?field=" + escaped(field));
            }
            for (String more : List.of("topics", "messages", "modes", "report")) {
                page.get(API + "/huge.ulg/" + more);
            }
            String note = String.format(
                    Locale.ROOT,
                    "after %d plots, topics, messages, modes and report; highest %.1f",
                    FIELDS.size(),
                    page.stats().statusMb("VmHWM"));
            String name = "memory (RSS), log of " + sizes.hugeMb() + " MB, MB";
            figures.add(Figure.atMost(name, page.stats().statusMb("VmRSS"), "%.1f", 128, note));
        } finally {
            Files.delete(huge); // its space on the disk is needed
        }
    }

    private void measureList() throws IOException, InterruptedException {
        Bench.progress("list of %d logs", sizes.logs());
        Path many = Files.createDirectories(directory.resolve("many"));
        byte[] small = smallLog();
        for (int i = 0; i < sizes.logs(); i++) {
            Files.write(many.resolve(String.format(Locale.ROOT, "log-%05d.ulg", i)), small);
        }
        List<Double> without = new ArrayList<>();
        for (int round = 0; round < sizes.rounds(); round++) {
            try (PageProcess page = page(List.of(many))) {
                without.add(page.get(API).ms());
            }
        }
        Path cache = directory.resolve("index");
        try (PageProcess page = new PageProcess(script(), cache, List.of(many))) {
            page.get(API);
            awaitFacts(page);
        }
        List<Double> with = new ArrayList<>();
        for (int round = 0; round < sizes.rounds(); round++) {
            try (PageProcess page = new PageProcess(script(), cache, List.of(many))) {
                with.add(page.get(API).ms());
            }
        }
        String name = "list of " + sizes.logs() + " logs, ";
        figures.add(Figure.atMost(
                name + "no index, ms", Bench.median(without), "%.0f", 1000, Bench.spread(without, "%.0f")));
        figures.add(Figure.atMost(name + "index, ms", Bench.median(with), "%.0f", 1000, Bench.spread(with, "%.0f")));
    }

    private static void awaitFacts(PageProcess page) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(FACTS_MIN);
        while (number(page.text("api/v1/page"), "facts_missing") > 0) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException("the index is not made within " + FACTS_MIN + " min");
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    /** A log of a few samples of one topic. */
    private static byte[] smallLog() {
        ByteBuffer log = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        log.put(new byte[] {'U', 'L', 'o', 'g', 1, 0x12, 0x35, 1}).putLong(1000);
        message(log, 'B', new byte[40]);
        message(log, 'F', "one:uint64_t timestamp;float a;".getBytes(StandardCharsets.US_ASCII));
        message(log, 'A', "\0\3\0one".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 100; i++) {
            byte[] sample = ByteBuffer.allocate(14)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putShort((short) 3)
                    .putLong(1_000_000 + 100_000L * i)
                    .putFloat(i)
                    .array();
            message(log, 'D', sample);
        }
        return Arrays.copyOf(log.array(), log.position());
    }

    private static void message(ByteBuffer log, char type, byte[] payload) {
        log.putShort((short) payload.length).put((byte) type).put(payload);
    }

    /** Starts a page with an empty cache. */
    PageProcess page(List<Path> directories) throws IOException, InterruptedException {
        return new PageProcess(script(), Files.createTempDirectory(directory, "cache"), directories);
    }

    private Path script() {
        return Bench.launcher(root);
    }

    /** A log of this size in a directory of its own; made once. */
    private Path log(String name, int megabytes) throws IOException {
        Path log = Files.createDirectories(directory.resolve(name)).resolve(name + ".ulg");
        if (!Files.exists(log)) {
            long bytes = megabytes * BYTES_PER_MB;
            if (Files.getFileStore(directory).getUsableSpace() < bytes + bytes / 10) {
                throw new IOException(directory + ": less than " + megabytes
                        + " MB free; name another directory: TMPDIR=DIR, or take --quick");
            }
            Bench.progress("making a log of %d MB", megabytes);
            LongLog.make(root.resolve(LOG), log, bytes);
        }
        return log;
    }

    /** Duration of plain reading of the log, in milliseconds. */
    private double floor(Path log) throws IOException {
        List<Double> ms = new ArrayList<>();
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        for (int round = 0; round < sizes.rounds(); round++) {
            long start = System.nanoTime();
            try (FileChannel channel = FileChannel.open(log)) {
                while (channel.read(chunk.clear()) >= 0) {
                    // only read
                }
            }
            ms.add((System.nanoTime() - start) / NS_PER_MS);
        }
        return Bench.median(ms);
    }

    static String escaped(String field) {
        return field.replace("[", "%5B").replace("]", "%5D");
    }

    /** The number of a member of a JSON object. */
    static long number(String json, String name) throws IOException {
        int at = json.indexOf("\"" + name + "\":");
        if (at < 0) {
            throw new IOException("no " + name + " in " + json.substring(0, Math.min(200, json.length())));
        }
        String rest = json.substring(at + name.length() + 3);
        return Long.parseLong(rest.substring(
                0, rest.length() - rest.replaceFirst("^[0-9]+", "").length()));
    }

    private static void delete(Path path) {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            System.err.println("cannot delete " + path + ": " + e.getMessage());
        }
    }
}
