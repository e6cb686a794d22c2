package org.mavlogd.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.mavlogd.bench.VehicleStream.Acks;
import org.mavlogd.simulate.px4.LogImage;

/** Measures the built daemon from outside and prints one table: {@code Bench ROOT [--quick] [--router MAVLINK-ROUTERD] [PART...]}. */
final class Bench {
    private static final List<String> PARTS = List.of(
            "start", "cold", "idle", "rates", "acks", "top", "floor", "local", "ardupilot", "beside", "router", "hour");
    // The table of "beside" contains the CPU times that the other parts measure.
    private static final List<String> QUICK_PARTS = List.of("start", "acks", "beside");
    private static final int HEADER_TIME_OFFSET = 8;
    private static final double NS_PER_S = 1e9;
    private static final int FIRST_S = 10;
    private static final double BYTES_PER_MB = 1e6;
    private static final int[] TOP_RATES_KB = {10_000, 20_000, 30_000, 40_000, 60_000};
    // The vehicle of this benchmark sends up to 1 % less than planned.
    private static final double ABOUT_40_MB = 39.5;
    private static final int WARM_UP_RATE_KB = 5_000;
    private static final long IN_DATA_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    private final Path root;
    private final Lengths lengths;
    private final byte[] logBytes;
    private final List<Figure> figures = new ArrayList<>();
    private int streams;

    /** The duration of each part. */
    record Lengths(int starts, int idleS, int warmUpS, int runs, int slowRunS, int runS, int ackS, int topS) {
        static final Lengths FULL = new Lengths(7, 20, 20, 5, 12, 6, 60, 4);
        static final Lengths QUICK = new Lengths(3, 5, 5, 3, 4, 2, 6, 2);
    }

    Bench(Path root, Lengths lengths) throws IOException {
        this.root = root;
        this.lengths = lengths;
        Path log = root.resolve("simulator/src/demo/11_rover_ackermann.ulg.gz");
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(log))) {
            logBytes = in.readAllBytes();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]).toAbsolutePath();
        List<String> options = new ArrayList<>(Arrays.asList(arguments).subList(1, arguments.length));
        boolean quick = options.remove("--quick");
        Optional<Path> router = Optional.empty();
        int at = options.indexOf("--router");
        if (at >= 0 && at + 1 < options.size()) {
            router = Optional.of(Path.of(options.remove(at + 1)).toAbsolutePath());
            options.remove(at);
        }
        List<String> all = quick ? QUICK_PARTS : PARTS;
        List<String> parts = options.isEmpty() ? all : options;
        if (!PARTS.containsAll(parts)) {
            System.err.println("usage: scripts/bench [--quick] [--router MAVLINK-ROUTERD] [PART...]; parts are "
                    + String.join(", ", PARTS));
            System.exit(2);
        }
        new Bench(root, quick ? Lengths.QUICK : Lengths.FULL).run(parts, router);
    }

    private void run(List<String> parts, Optional<Path> router) throws IOException, InterruptedException {
        String loadBefore = Machine.load();
        if (parts.contains("start")) {
            measureStart();
        }
        if (parts.contains("cold")) {
            measureFirstAcks();
        }
        if (parts.contains("idle")) {
            measureIdle();
        }
        if (parts.contains("rates") || parts.contains("acks") || parts.contains("top")) {
            measureStreaming(parts);
        }
        if (parts.contains("floor")) {
            measureFloor(500);
            measureFloor(5_000);
        }
        if (parts.contains("local")) {
            new LocalBench(this, lengths, figures).measure();
        }
        if (parts.contains("ardupilot")) {
            new BlockBench(this, root, lengths, figures).measure();
        }
        if (parts.contains("beside")) {
            try (OtherPrograms programs = new OtherPrograms(root)) {
                new BesideBench(this, root, lengths, router).measure(programs);
            }
        }
        if (parts.contains("router")) {
            try (OtherPrograms programs = new OtherPrograms(root)) {
                new RouterBench(this, lengths, router).measure(programs);
            }
        }
        if (parts.contains("hour")) {
            new MemoryBench(this, figures).measure();
        }
        report(loadBefore);
    }

    private void measureStart() throws IOException {
        progress("time to ready, %d starts", lengths.starts());
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < lengths.starts(); i++) {
            try (DaemonProcess daemon = startDaemon("")) {
                times.add(daemon.readyMs());
            }
        }
        figures.add(Figure.atMost("time to ready, ms", median(times), "%.0f", 600, spread(times, "%.0f")));
    }

    /** The longest acknowledgement while Java still interprets and compiles: of a new process for each run. */
    private void measureFirstAcks() throws IOException, InterruptedException {
        progress("acks in the first %d s, %d starts", FIRST_S, lengths.starts());
        List<Double> longest = new ArrayList<>();
        Latencies all = new Latencies();
        for (int i = 0; i < lengths.starts(); i++) {
            try (DaemonProcess daemon = startDaemon("");
                    DatagramChannel channel = DatagramChannel.open()) {
                daemon.awaitPort();
                VehicleStream vehicle =
                        stream(new VehicleStream.Plan(50, false, true, Acks.FROM_RECEIVER), channel, daemon.port());
                TimeUnit.SECONDS.sleep(FIRST_S);
                vehicle.close();
                Latencies run = new Latencies();
                run.addAll(vehicle.inDefinitions());
                run.addAll(vehicle.amidData());
                longest.add(run.ms(1));
                all.addAll(run);
            }
        }
        figures.add(Figure.atMost("longest ack, first 10 s, ms", median(longest), "%.2f", 5, spread(longest, "%.2f")));
        figures.add(split("   all acks of these starts", all));
    }

    private void measureIdle() throws IOException, InterruptedException {
        progress("connected but not streaming, %d s", lengths.idleS());
        try (DaemonProcess daemon = startDaemon("mode = \"armed\"");
                DatagramChannel channel = DatagramChannel.open();
                VehicleStream vehicle =
                        stream(new VehicleStream.Plan(0, false, false, Acks.FROM_RECEIVER), channel, daemon.port())) {
            TimeUnit.SECONDS.sleep(lengths.warmUpS());
            long framesBefore = vehicle.counters().frames();
            long beginNs = System.nanoTime();
            ProcessStats.Cpu before = daemon.stats().cpu();
            TimeUnit.SECONDS.sleep(lengths.idleS());
            ProcessStats.Cpu used = daemon.stats().cpu().since(before);
            double seconds = (System.nanoTime() - beginNs) / NS_PER_S;
            double framesPerS = (vehicle.counters().frames() - framesBefore) / seconds;
            figures.add(Figure.atMost(
                    "CPU when connected, not streaming, %",
                    used.totalMs() / 10 / seconds,
                    "%.2f",
                    1,
                    String.format(Locale.ROOT, "%.0f frames/s; ms/s: %s", framesPerS, used.shares(seconds))));
        }
    }

    private void measureStreaming(List<String> parts) throws IOException, InterruptedException {
        try (DaemonProcess daemon = startDaemon("");
                DatagramChannel channel = DatagramChannel.open()) {
            progress("warm-up, %d s at %d KB/s", lengths.warmUpS(), WARM_UP_RATE_KB);
            try (VehicleStream vehicle = stream(plan(WARM_UP_RATE_KB), channel, daemon.port())) {
                awaitData(vehicle);
                TimeUnit.SECONDS.sleep(lengths.warmUpS());
            }
            if (parts.contains("rates")) {
                measureRate(daemon, channel, 50, lengths.slowRunS(), Double.NaN);
                measureRate(daemon, channel, 500, lengths.runS(), 12);
                measureRate(daemon, channel, 5_000, lengths.runS(), 8);
                measureMemory(daemon.stats());
            }
            if (parts.contains("acks")) {
                measureAcks(daemon, channel);
            }
            if (parts.contains("top")) {
                measureTopRate(daemon, channel);
            }
        }
    }

    private void measureMemory(ProcessStats stats) throws IOException {
        figures.add(Figure.plain(
                "memory (RSS) after streaming, MB",
                stats.statusMb("VmRSS"),
                "%.1f",
                String.format(Locale.ROOT, "highest so far %.1f", stats.statusMb("VmHWM"))));
    }

    private void measureRate(DaemonProcess daemon, DatagramChannel channel, int rateKb, int runS, double goal)
            throws IOException, InterruptedException {
        progress("%d KB/s, %d times %d s", rateKb, lengths.runs(), runS);
        daemon.deleteFinishedLogs();
        List<Double> msPerMb = new ArrayList<>();
        List<String> shares = new ArrayList<>();
        try (VehicleStream vehicle = stream(plan(rateKb), channel, daemon.port())) {
            awaitData(vehicle);
            TimeUnit.SECONDS.sleep(1);
            ThreadAllocations allocatedBefore = ThreadAllocations.of(daemon.pid());
            long framesBefore = vehicle.counters().frames();
            for (int run = 0; run < lengths.runs(); run++) {
                long bytesBefore = vehicle.counters().chunkBytes();
                ProcessStats.Cpu before = daemon.stats().cpu();
                TimeUnit.SECONDS.sleep(runS);
                ProcessStats.Cpu used = daemon.stats().cpu().since(before);
                double mb = (vehicle.counters().chunkBytes() - bytesBefore) / BYTES_PER_MB;
                msPerMb.add(used.totalMs() / mb);
                shares.add(used.shares(mb));
            }
            long frames = vehicle.counters().frames() - framesBefore;
            ThreadAllocations allocated = ThreadAllocations.of(daemon.pid());
            String name = "CPU at " + rateKb + " KB/s, ms/MB";
            String note = spread(msPerMb, "%.1f") + "; last: " + shares.get(shares.size() - 1);
            figures.add(
                    Double.isNaN(goal)
                            ? Figure.plain(name, median(msPerMb), "%.1f", note)
                            : Figure.atMost(name, median(msPerMb), "%.1f", goal, note));
            if (rateKb == 5_000) {
                long link = allocated.since(allocatedBefore, "link-bench");
                long recorder = allocated.since(allocatedBefore, "recorder");
                figures.add(Figure.atMost(
                        "bytes allocated per frame",
                        (double) (link + recorder) / frames,
                        "%.2f",
                        0,
                        String.format(Locale.ROOT, "link %d, recorder %d bytes in %d frames", link, recorder, frames)));
            }
        }
    }

    private void measureAcks(DaemonProcess daemon, DatagramChannel channel) throws IOException, InterruptedException {
        progress("acks amid data, %d s at 500 KB/s", lengths.ackS());
        VehicleStream vehicle = streamWithAcks(channel, daemon.port());
        Latencies all = new Latencies();
        all.addAll(vehicle.inDefinitions());
        all.addAll(vehicle.amidData());
        String note = all.count() + " acks";
        figures.add(Figure.atMost("ack latency p50, ms", all.ms(0.5), "%.2f", 0.1, note));
        figures.add(Figure.atMost("ack latency p99.9, ms", all.ms(0.999), "%.2f", 3, note));
        figures.add(split("   of these in definitions", vehicle.inDefinitions()));
        figures.add(split("   of these amid data", vehicle.amidData()));
        int port = OtherPrograms.freeUdpPort();
        Process floor = startFloor(FloorAcker.class, Integer.toString(port));
        try {
            VehicleStream floorVehicle = streamWithAcks(channel, port);
            figures.add(split("   floor: in definitions", floorVehicle.inDefinitions()));
            figures.add(split("   floor: amid data", floorVehicle.amidData()));
        } finally {
            floor.destroyForcibly().waitFor();
        }
    }

    /** A vehicle that has streamed at 500 KB/s and asked for acknowledgements all the time, and is closed. */
    private VehicleStream streamWithAcks(DatagramChannel channel, int port) throws IOException, InterruptedException {
        VehicleStream vehicle = stream(new VehicleStream.Plan(500, true, true, Acks.FROM_RECEIVER), channel, port);
        try (vehicle) {
            awaitData(vehicle);
            TimeUnit.SECONDS.sleep(lengths.ackS());
        }
        return vehicle;
    }

    private static Figure split(String name, Latencies latencies) {
        return new Figure(
                name,
                String.format(Locale.ROOT, "%.2f", latencies.ms(0.5)),
                "",
                "",
                String.format(
                        Locale.ROOT,
                        "%d acks; p99 %.2f, p99.9 %.2f, longest %.2f",
                        latencies.count(),
                        latencies.ms(0.99),
                        latencies.ms(0.999),
                        latencies.ms(1)));
    }

    private void measureTopRate(DaemonProcess daemon, DatagramChannel channel)
            throws IOException, InterruptedException {
        double best = 0;
        String note = "";
        for (int rateKb : TOP_RATES_KB) {
            Top top = tryRate(daemon, channel, rateKb);
            if (top.lost() > 0) {
                progress("   %d of %d chunks lost; once more", top.lost(), top.sent());
                top = tryRate(daemon, channel, rateKb);
            }
            if (top.lost() > 0) {
                note = String.format(
                        Locale.ROOT,
                        "at %.1f MB/s %d of %d chunks lost; ms/s: %s",
                        top.mbPerS(),
                        top.lost(),
                        top.sent(),
                        top.threads());
                break;
            }
            best = Math.max(best, top.mbPerS());
            if (top.mbPerS() * 1000 < 0.9 * rateKb) {
                note = "as fast as the simulated vehicle can send here";
                break;
            }
        }
        figures.add(Figure.atLeast("highest rate without loss, MB/s", best, "%.1f", ABOUT_40_MB, note));
    }

    private record Top(double mbPerS, long sent, long lost, String threads) {}

    private Top tryRate(DaemonProcess daemon, DatagramChannel channel, int rateKb)
            throws IOException, InterruptedException {
        progress("%d KB/s, is anything lost in %d s?", rateKb, lengths.topS());
        daemon.deleteFinishedLogs();
        double mbPerS;
        String threads;
        VehicleStream vehicle = stream(plan(rateKb), channel, daemon.port());
        try (vehicle) {
            awaitData(vehicle);
            long beginNs = System.nanoTime();
            long bytesBefore = vehicle.counters().chunkBytes();
            ProcessStats.Cpu before = daemon.stats().cpu();
            TimeUnit.SECONDS.sleep(lengths.topS());
            long bytes = vehicle.counters().chunkBytes() - bytesBefore;
            double seconds = (System.nanoTime() - beginNs) / NS_PER_S;
            threads = daemon.stats().cpu().since(before).shares(seconds);
            mbPerS = bytes / BYTES_PER_MB / seconds;
        }
        // The recorder gives up on missing chunks after 0.2 s, and updates its counts every 0.25 s.
        TimeUnit.MILLISECONDS.sleep(800);
        long stored = daemon.recordingNumber("chunks");
        long sent = vehicle.counters().chunks() - vehicle.unsent();
        return new Top(mbPerS, sent, sent - stored, threads);
    }

    /** Measures a receiver that only reads. */
    private void measureFloor(int rateKb) throws IOException, InterruptedException {
        progress("floor at %d KB/s", rateKb);
        int port = OtherPrograms.freeUdpPort();
        Process process = startFloor(port);
        try (DatagramChannel channel = DatagramChannel.open()) {
            List<Double> msPerMb = new ArrayList<>();
            try (VehicleStream vehicle =
                    stream(new VehicleStream.Plan(rateKb, true, false, Acks.MADE_UP), channel, port)) {
                awaitData(vehicle);
                TimeUnit.SECONDS.sleep(lengths.warmUpS() / 4);
                ProcessStats stats = new ProcessStats(process.pid());
                for (int run = 0; run < lengths.runs(); run++) {
                    long bytesBefore = vehicle.counters().chunkBytes();
                    ProcessStats.Cpu before = stats.cpu();
                    TimeUnit.SECONDS.sleep(lengths.runS());
                    double mb = (vehicle.counters().chunkBytes() - bytesBefore) / BYTES_PER_MB;
                    msPerMb.add(stats.cpu().since(before).totalMs() / mb);
                }
            }
            figures.add(Figure.plain(
                    "floor at " + rateKb + " KB/s, ms/MB", median(msPerMb), "%.1f", spread(msPerMb, "%.1f")));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** A program that reads the datagrams of a UDP port and discards them. The caller closes it. */
    Process startFloor(int port) throws IOException {
        return startFloor(FloorReceiver.class, "udp", Integer.toString(port));
    }

    /** Starts a floor program of another kind and waits until it prints "ready". */
    Process startFloor(Class<?> floor, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + root.resolve("config/jvm.options"),
                "-cp",
                System.getProperty("java.class.path"),
                floor.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (!"ready".equals(line)) {
            process.destroyForcibly();
            throw new IOException("the floor does not start: " + line);
        }
        return process;
    }

    static VehicleStream.Plan plan(int rateKb) {
        return new VehicleStream.Plan(rateKb, true, false, Acks.FROM_RECEIVER);
    }

    VehicleStream stream(VehicleStream.Plan plan, DatagramChannel channel, int port) throws IOException {
        channel.disconnect();
        return stream(plan, channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    }

    /** A vehicle that streams to the peer to which the channel is connected. */
    <C extends SelectableChannel & ByteChannel & NetworkChannel> VehicleStream stream(
            VehicleStream.Plan plan, C channel) throws IOException {
        return new VehicleStream(plan, nextLog(), channel);
    }

    /** A copy of the log with a start time of its own, by which a recorder distinguishes streams. */
    private LogImage nextLog() {
        byte[] copy = logBytes.clone();
        ByteBuffer bytes = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(HEADER_TIME_OFFSET, bytes.getLong(HEADER_TIME_OFFSET) + ++streams);
        return LogImage.of(copy);
    }

    static void awaitData(VehicleStream vehicle) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + IN_DATA_LIMIT_NS;
        while (!vehicle.isInData()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException("the vehicle's definitions do not get through: "
                        + vehicle.counters().acks() + " acks came");
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private DaemonProcess startDaemon(String logTable) throws IOException {
        return startDaemon(logTable, "");
    }

    DaemonProcess startDaemon(String logTable, String tables) throws IOException {
        return DaemonProcess.start(launcher(root), logTable, tables);
    }

    /** Starts the daemon with default settings and further variables of the environment. */
    DaemonProcess startDaemon(Map<String, String> environment) throws IOException {
        return DaemonProcess.start(launcher(root), environment);
    }

    /** Starts the daemon with a link other than UDP and otherwise default settings. */
    DaemonProcess startDaemonWithLink(String link) throws IOException {
        return DaemonProcess.startWithLink(launcher(root), link);
    }

    /**
     * The start script of the copy that is laid out like an installed program; put_measured in scripts/files.sh makes
     * it.
     */
    static Path launcher(Path root) {
        return root.resolve("benchmarks/recorder/target/installed/mavlogd");
    }

    static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    static String spread(List<Double> values, String format) {
        double lowest = values.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
        double highest = values.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
        return String.format(Locale.ROOT, "median of %d, " + format + " to " + format, values.size(), lowest, highest);
    }

    static void progress(String format, Object... values) {
        System.err.printf(Locale.ROOT, "bench: " + format + "%n", values);
    }

    private void report(String loadBefore) throws IOException {
        Figure.print(figures, loadBefore);
        System.out.printf(
                Locale.ROOT,
                "Warm-up: %d s at %d KB/s. CPU is that of all threads of the daemon, from /proc/PID/task/*/schedstat.%n"
                        + "Floor: a Java program that only reads the same datagrams, one by one, and forgets them; of acks, one that sends them"
                        + " at once.%n"
                        + "A frozen disk: scripts/soak --only storage-frozen. Replayed captures: CaptureReplayTest and ArduPilotReplayTest, in every build.%n",
                lengths.warmUpS(),
                WARM_UP_RATE_KB);
    }
}
