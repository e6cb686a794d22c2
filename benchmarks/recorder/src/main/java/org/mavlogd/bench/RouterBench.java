package org.mavlogd.bench;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.mavlogd.bench.VehicleStream.Acks;

/**
 * Compares forwarding with mavlink-router, if it is built, and a bare relay in C: the CPU time of each while it records
 * a vehicle that also sends 2,000 frames a second of telemetry, the age of the frames when they reach ground stations,
 * and the highest rate that reaches all of them without loss.
 */
final class RouterBench {
    private static final int RECORDED_KB = 50;
    private static final int FRAMES_PER_S = 2_000;
    private static final int[] TOP_RATES = {5_000, 10_000, 15_000, 20_000, 30_000, 40_000, 60_000};
    private static final int GOAL_ENDPOINTS = 4;
    private static final double GOAL_MS = 5;
    private static final double P50 = 0.5;
    private static final double P99_9 = 0.999;
    private static final long CONNECT_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int SETTLE_MS = 1_000;

    private static final String OURS = "mavlogd";
    private static final String ONE_LINK = "mavlogd, one link";
    private static final String ROUTER = "mavlink-router";
    private static final String FLOOR = "C";

    /** How the router reaches ground stations. */
    private enum Way {
        /** No link forwards; the same data is received and recorded. */
        NONE,
        UDP,
        TCP
    }

    /** A line of the table. */
    private record Situation(Way way, int endpoints) {
        @Override
        public String toString() {
            return way == Way.NONE
                    ? "not forwarded"
                    : endpoints + " " + way + (endpoints == 1 ? " endpoint" : " endpoints");
        }
    }

    private static final List<Situation> SITUATIONS = List.of(
            new Situation(Way.NONE, 0),
            new Situation(Way.UDP, 1),
            new Situation(Way.UDP, GOAL_ENDPOINTS),
            new Situation(Way.UDP, 16),
            new Situation(Way.TCP, GOAL_ENDPOINTS));

    /** A router that runs, with the ground stations that it reaches. */
    private record Running(long pid, int port, Acks acks, RouterEndpoints endpoints, Closeable program)
            implements Closeable {
        @Override
        public void close() throws IOException {
            endpoints.close();
            program.close();
        }
    }

    /** Starts a router for a situation; empty if it does not support such endpoints. */
    @FunctionalInterface
    private interface Starter {
        Optional<Running> start(Situation situation) throws IOException;
    }

    /**
     * The measurements of one router in one situation.
     *
     * @param lost frames that did not arrive, of those that should have
     * @param topPerS the highest rate without loss
     */
    private record Result(ProcessLoad load, double p50Ms, double p999Ms, long lost, double topPerS) {
        double msPer1000() {
            return load.msPerS() * 1000 / FRAMES_PER_S;
        }
    }

    private final Bench bench;
    private final Bench.Lengths lengths;
    private final Optional<Path> router;
    private final Map<String, Starter> routers = new LinkedHashMap<>();
    private final Map<Situation, Map<String, Result>> results = new LinkedHashMap<>();

    /** @param router the built mavlink-routerd, if available */
    RouterBench(Bench bench, Bench.Lengths lengths, Optional<Path> router) {
        this.bench = bench;
        this.lengths = lengths;
        this.router = router;
    }

    void measure(OtherPrograms programs) throws IOException, InterruptedException {
        routers.put(OURS, situation -> startRecorder(situation, programs));
        routers.put(ONE_LINK, situation -> startOneLink(situation, programs));
        router.ifPresentOrElse(
                program -> routers.put(ROUTER, situation -> startRouter(program, situation, programs)),
                () -> Bench.progress("no mavlink-router: give the path of mavlink-routerd with --router to compare"));
        programs.compile("relay")
                .ifPresentOrElse(
                        program -> routers.put(FLOOR, situation -> startRelay(program, situation, programs)),
                        () -> Bench.progress("no C compiler: no relay in C"));
        for (Situation situation : SITUATIONS) {
            for (Map.Entry<String, Starter> each : routers.entrySet()) {
                Optional<Running> started = each.getValue().start(situation);
                if (started.isPresent()) {
                    Bench.progress("%s: %s", each.getKey(), situation);
                    try (Running running = started.get()) {
                        results.computeIfAbsent(situation, key -> new LinkedHashMap<>())
                                .put(each.getKey(), measure(running, situation));
                    }
                }
            }
        }
        print();
    }

    private Result measure(Running running, Situation situation) throws IOException, InterruptedException {
        try (DatagramChannel channel = DatagramChannel.open();
                VehicleStream vehicle = bench.stream(
                        new VehicleStream.Plan(RECORDED_KB, true, false, running.acks()), channel, running.port())) {
            Bench.awaitData(vehicle);
            SocketAddress target = loopback(running.port());
            awaitEndpoints(running, channel, target);
            Result steady = measureSteady(running, situation, channel, target);
            double top = situation.way() == Way.UDP ? measureTop(running, situation, channel, target) : Double.NaN;
            return new Result(steady.load(), steady.p50Ms(), steady.p999Ms(), steady.lost(), top);
        }
    }

    /** Waits until each ground station hears the vehicle. */
    private static void awaitEndpoints(Running running, DatagramChannel channel, SocketAddress target)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + CONNECT_LIMIT_NS;
        try (TelemetrySender first = new TelemetrySender(channel, target, 100)) {
            while (running.endpoints().fewest() == 0) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new IOException("a ground station hears nothing of " + first.sent() + " frames");
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
        TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
    }

    private Result measureSteady(Running running, Situation situation, DatagramChannel channel, SocketAddress target)
            throws IOException, InterruptedException {
        List<ProcessLoad> loads = new ArrayList<>();
        List<Double> p50 = new ArrayList<>();
        List<Double> p999 = new ArrayList<>();
        long before = running.endpoints().received();
        long sent;
        try (TelemetrySender telemetry = new TelemetrySender(channel, target, FRAMES_PER_S)) {
            TimeUnit.SECONDS.sleep(lengths.warmUpS());
            for (int run = 0; run < lengths.runs(); run++) {
                Latencies ages = new Latencies();
                running.endpoints().keepAgesIn(ages);
                loads.add(ProcessLoad.measure(running.pid(), lengths.slowRunS()));
                running.endpoints().keepAgesIn(null);
                TimeUnit.MILLISECONDS.sleep(SETTLE_MS / 10);
                p50.add(ages.ms(P50));
                p999.add(ages.ms(P99_9));
            }
            sent = telemetry.stop();
        }
        TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
        loads.sort((a, b) -> Double.compare(a.msPerS(), b.msPerS()));
        long lost = sent * situation.endpoints() - (running.endpoints().received() - before);
        return new Result(loads.get(loads.size() / 2), Bench.median(p50), Bench.median(p999), lost, Double.NaN);
    }

    /** Measures the highest rate without loss, in frames of the vehicle per second. */
    private double measureTop(Running running, Situation situation, DatagramChannel channel, SocketAddress target)
            throws InterruptedException {
        double best = 0;
        for (int rate : TOP_RATES) {
            double reached = tryRate(running, situation, channel, target, rate);
            if (reached < 0) {
                reached = tryRate(running, situation, channel, target, rate); // a second try
            }
            if (reached < 0) {
                break;
            }
            best = Math.max(best, reached);
        }
        return best;
    }

    /** The rate that was sent, or a negative number when a frame is missing. */
    private double tryRate(
            Running running, Situation situation, DatagramChannel channel, SocketAddress target, int framesPerS)
            throws InterruptedException {
        long before = running.endpoints().received();
        long beginNs = System.nanoTime();
        double tookS;
        long sent;
        try (TelemetrySender telemetry = new TelemetrySender(channel, target, framesPerS)) {
            TimeUnit.SECONDS.sleep(lengths.topS());
            sent = telemetry.stop();
            tookS = (System.nanoTime() - beginNs) / 1e9;
        }
        TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
        boolean isComplete = running.endpoints().received() - before == sent * situation.endpoints();
        return isComplete ? sent / tookS : -1;
    }

    private static SocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Makes each UDP endpoint a link of its own, as mavlink-router does; TCP endpoints share one link. */
    private Optional<Running> startRecorder(Situation situation, OtherPrograms programs) throws IOException {
        if (situation.way() == Way.NONE) {
            return Optional.of(running(startDaemon(programs, false, ""), RouterEndpoints.waiting(0)));
        }
        if (situation.way() == Way.TCP) {
            int port = OtherPrograms.freeTcpPort();
            DaemonProcess daemon = startDaemon(programs, true, link("stations", "tcp", "listen", port));
            return Optional.of(running(daemon, RouterEndpoints.tcpClients(situation.endpoints(), loopback(port))));
        }
        RouterEndpoints endpoints = RouterEndpoints.waiting(situation.endpoints());
        String links = endpoints.ports().stream()
                .map(port -> link("station-" + port, "udp", "connect", port))
                .collect(Collectors.joining("\n"));
        return Optional.of(running(startDaemon(programs, true, links), endpoints));
    }

    /** Makes all UDP endpoints clients of one listening link. */
    private Optional<Running> startOneLink(Situation situation, OtherPrograms programs) throws IOException {
        if (situation.way() != Way.UDP) {
            return Optional.empty();
        }
        int port = OtherPrograms.freeUdpPort();
        DaemonProcess daemon = startDaemon(programs, true, link("stations", "udp", "listen", port));
        return Optional.of(running(daemon, RouterEndpoints.udpClients(situation.endpoints(), loopback(port))));
    }

    private static String link(String name, String type, String end, int port) {
        return """
                [[link]]
                name = "%s"
                type = "%s"
                %s = "127.0.0.1:%d"
                forward = true
                record = false
                """.formatted(name, type, end, port);
    }

    private DaemonProcess startDaemon(OtherPrograms programs, boolean forwards, String links) throws IOException {
        return bench.startDaemon(
                "", """
                forward = %b
                %s
                [publish]
                socket = "%s"
                """.formatted(forwards, links, programs.work().resolve("publish.sock")));
    }

    private static Running running(DaemonProcess daemon, RouterEndpoints endpoints) {
        return new Running(daemon.pid(), daemon.port(), Acks.FROM_RECEIVER, endpoints.start(), daemon::close);
    }

    private static Optional<Running> startRouter(Path program, Situation situation, OtherPrograms programs)
            throws IOException {
        int port = OtherPrograms.freeUdpPort();
        String vehicle = """
                [UdpEndpoint vehicle]
                Mode = Server
                Address = 127.0.0.1
                Port = %d
                """.formatted(port);
        if (situation.way() == Way.TCP) {
            int tcpPort = OtherPrograms.freeTcpPort();
            OtherPrograms.Running running = programs.startRouter(program, "TcpServerPort = " + tcpPort, vehicle);
            RouterEndpoints endpoints =
                    retried(() -> RouterEndpoints.tcpClients(situation.endpoints(), loopback(tcpPort)));
            return Optional.of(new Running(running.pid(), port, Acks.FROM_RECEIVER, endpoints.start(), running));
        }
        RouterEndpoints endpoints = RouterEndpoints.waiting(situation.endpoints());
        String all = endpoints.ports().stream()
                .map(each -> """
                        [UdpEndpoint station%d]
                        Mode = Normal
                        Address = 127.0.0.1
                        Port = %d
                        """.formatted(each, each))
                .collect(Collectors.joining("\n", vehicle, ""));
        OtherPrograms.Running running = programs.startRouter(program, "TcpServerPort = 0", all);
        return Optional.of(new Running(running.pid(), port, Acks.FROM_RECEIVER, endpoints.start(), running));
    }

    /** An action that succeeds once a program that does not report it is ready. */
    @FunctionalInterface
    private interface Attempt {
        RouterEndpoints make() throws IOException;
    }

    private static RouterEndpoints retried(Attempt attempt) throws IOException {
        long deadlineNs = System.nanoTime() + CONNECT_LIMIT_NS;
        while (true) {
            try {
                return attempt.make();
            } catch (IOException e) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    private static Optional<Running> startRelay(Path program, Situation situation, OtherPrograms programs)
            throws IOException {
        if (situation.way() != Way.UDP) {
            return Optional.empty();
        }
        int port = OtherPrograms.freeUdpPort();
        RouterEndpoints endpoints = RouterEndpoints.waiting(situation.endpoints());
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(port)));
        endpoints.ports().forEach(each -> arguments.add(Integer.toString(each)));
        OtherPrograms.Running running = programs.startC(program, arguments);
        return Optional.of(new Running(running.pid(), port, Acks.MADE_UP, endpoints.start(), running));
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%n%,d frames/s of telemetry forwarded while %d KB/s of log are recorded; medians of %d runs of %d s%n%n"
                        + "%-18s %-18s %8s %12s %10s %8s %10s %8s %12s%n",
                FRAMES_PER_S,
                RECORDED_KB,
                lengths.runs(),
                lengths.slowRunS(),
                "",
                "",
                "CPU ms/s",
                "per 1,000",
                "wake-ups/s",
                "p50 ms",
                "p99.9 ms",
                "lost",
                "lossless/s");
        results.forEach((situation, all) -> {
            all.forEach((name, result) -> System.out.println(line(situation, name, result)));
            System.out.println(ratios(all));
        });
        printGoals();
        System.out.println("Threads of mavlogd, ms/s and wake-ups a second:");
        results.forEach((situation, all) -> all.forEach((name, result) -> {
            if (name.startsWith(OURS)) {
                System.out.printf(
                        Locale.ROOT,
                        "%-18s %-18s %s%n",
                        situation,
                        name,
                        String.join(", ", result.load().threads()));
            }
        }));
    }

    private static String line(Situation situation, String name, Result result) {
        return String.format(
                Locale.ROOT,
                "%-18s %-18s %8.1f %9.2f ms %10.0f %8s %10s %8d %12s",
                situation,
                name,
                result.load().msPerS(),
                result.msPer1000(),
                result.load().wakeUpsPerS(),
                text("%.2f", result.p50Ms()),
                text("%.2f", result.p999Ms()),
                result.lost(),
                text("%,.0f", result.topPerS()));
    }

    private static String text(String format, double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }

    /** The ratios of mavlogd to the other programs. */
    private static String ratios(Map<String, Result> all) {
        Result ours = Objects.requireNonNull(all.get(OURS));
        return all.entrySet().stream()
                .filter(each -> !each.getKey().equals(OURS))
                .map(each -> String.format(
                        Locale.ROOT,
                        "of %s: CPU %.2f x%s",
                        each.getKey(),
                        ours.load().msPerS() / each.getValue().load().msPerS(),
                        Double.isNaN(ours.p999Ms())
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        ", p99.9 %.2f x",
                                        ours.p999Ms() / each.getValue().p999Ms())))
                .collect(Collectors.joining("; ", "   " + OURS + " ", "\n"));
    }

    private void printGoals() {
        Map<String, Result> all = Objects.requireNonNull(results.get(new Situation(Way.UDP, GOAL_ENDPOINTS)));
        Result ours = Objects.requireNonNull(all.get(OURS));
        Result theirs = all.get(ROUTER);
        System.out.printf("Goals with %d UDP endpoints:%n", GOAL_ENDPOINTS);
        goal("p99.9, ms", ours.p999Ms(), GOAL_MS);
        if (theirs != null) {
            goal("p99.9, of mavlink-router's", ours.p999Ms() / theirs.p999Ms(), 2);
            goal(
                    "CPU, of mavlink-router's",
                    ours.load().msPerS() / theirs.load().msPerS(),
                    1);
        }
        System.out.println();
    }

    private static void goal(String name, double value, double limit) {
        Figure figure = Figure.atMost(name, value, "%.2f", limit, "");
        System.out.printf("%-30s %10s %8s %4s%n", figure.name(), figure.measured(), figure.goal(), figure.met());
    }
}
