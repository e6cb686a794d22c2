package org.mavlogd.bench;

import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measures the cost of this computer's own data. Two daemons run in turn: one without any, one with system, iio, events
 * and a program that publishes 1,000 samples a second, in the binary form with sample times and, for comparison, in
 * lines of JSON without them. The floor is a program that only reads those datagrams.
 */
final class LocalBench {
    private static final double BYTES_PER_MB = 1e6;
    private static final double GOAL = 1.1;
    private static final String OFF = """
            [system]
            enabled = false
            [iio]
            enabled = false
            [events]
            enabled = false
            [publish]
            enabled = false
            """;

    private final Bench bench;
    private final Bench.Lengths lengths;
    private final List<Figure> figures;

    LocalBench(Bench bench, Bench.Lengths lengths, List<Figure> figures) {
        this.bench = bench;
        this.lengths = lengths;
        this.figures = figures;
    }

    void measure() throws IOException, InterruptedException {
        int publishPort = OtherPrograms.freeUdpPort();
        try (DaemonProcess without = bench.startDaemon("", OFF);
                DaemonProcess with = bench.startDaemon("", on(publishPort));
                DatagramChannel channel = DatagramChannel.open();
                DatagramChannel other = DatagramChannel.open()) {
            Side off = new Side(without, channel);
            Side on = new Side(with, other);
            try (SamplePublisher publisher = new SamplePublisher(publishPort, SamplePublisher.Form.BINARY)) {
                warmUp(off);
                warmUp(on);
                figures.add(compare(off, on, 500).figure("local data at 500 KB/s, CPU ratio", GOAL));
                figures.add(compare(off, on, 5_000).figure("local data at 5000 KB/s, CPU ratio", GOAL));
                compareAcks(off, on);
                figures.add(Figure.plain(
                        "memory (RSS) with local data, MB",
                        with.stats().statusMb("VmRSS"),
                        "%.1f",
                        String.format(
                                Locale.ROOT,
                                "without %.1f; %d samples published",
                                without.stats().statusMb("VmRSS"),
                                publisher.samples())));
            }
            try (SamplePublisher publisher = new SamplePublisher(publishPort, SamplePublisher.Form.LINES)) {
                warmUp(on);
                Comparison lines = compare(off, on, 500);
                figures.add(lines.plain("the same in " + publisher.samples() + " lines without times"));
            }
        }
        measureFloor(publishPort);
    }

    private static String on(int publishPort) {
        return """
                [system]
                enabled = true
                [iio]
                enabled = true
                [publish]
                enabled = true
                socket = ""
                udp = "127.0.0.1:%d"
                """.formatted(publishPort);
    }

    private record Side(DaemonProcess daemon, DatagramChannel channel) {}

    private void warmUp(Side side) throws IOException, InterruptedException {
        Bench.progress("local data: warm-up, %d s", lengths.warmUpS());
        try (VehicleStream vehicle =
                bench.stream(Bench.plan(5_000), side.channel(), side.daemon().port())) {
            Bench.awaitData(vehicle);
            TimeUnit.SECONDS.sleep(lengths.warmUpS());
        }
    }

    private Comparison compare(Side off, Side on, int rateKb) throws IOException, InterruptedException {
        Bench.progress(
                "local data: %d KB/s without and with it, %d times %d s", rateKb, lengths.runs(), lengths.slowRunS());
        Comparison comparison = new Comparison();
        for (int run = 0; run < lengths.runs(); run++) {
            comparison.add(run(off, rateKb), run(on, rateKb));
        }
        return comparison;
    }

    /** Pairs of runs, so that both sides of a ratio were measured under the same load of the machine. */
    private static final class Comparison {
        private final List<Double> without = new ArrayList<>();
        private final List<Double> with = new ArrayList<>();
        private final List<Double> ratios = new ArrayList<>();
        private String shares = "";
        private long lost;

        void add(Run plain, Run local) {
            without.add(plain.msPerMb());
            with.add(local.msPerMb());
            ratios.add(local.msPerMb() / plain.msPerMb());
            shares = local.shares();
            lost += local.lost();
        }

        Figure figure(String name, double goal) {
            return Figure.atMost(name, Bench.median(ratios), "%.2f", goal, note());
        }

        Figure plain(String name) {
            return Figure.plain(name, Bench.median(ratios), "%.2f", note());
        }

        private String note() {
            return String.format(
                    Locale.ROOT,
                    "%s; ms/MB %.1f without, %.1f with it: %s; %d chunks lost",
                    Bench.spread(ratios, "%.2f"),
                    Bench.median(without),
                    Bench.median(with),
                    shares,
                    lost);
        }
    }

    private record Run(double msPerMb, String shares, long lost) {}

    private Run run(Side side, int rateKb) throws IOException, InterruptedException {
        side.daemon().deleteFinishedLogs();
        VehicleStream vehicle =
                bench.stream(Bench.plan(rateKb), side.channel(), side.daemon().port());
        double mb;
        ProcessStats.Cpu used;
        try (vehicle) {
            Bench.awaitData(vehicle);
            TimeUnit.SECONDS.sleep(1);
            long bytesBefore = vehicle.counters().chunkBytes();
            ProcessStats.Cpu before = side.daemon().stats().cpu();
            TimeUnit.SECONDS.sleep(lengths.slowRunS());
            used = side.daemon().stats().cpu().since(before);
            mb = (vehicle.counters().chunkBytes() - bytesBefore) / BYTES_PER_MB;
        }
        // The recorder gives up on missing chunks after 0.2 s, and updates its counts every 0.25 s.
        TimeUnit.MILLISECONDS.sleep(800);
        long lost =
                vehicle.counters().chunks() - vehicle.unsent() - side.daemon().recordingNumber("chunks");
        return new Run(used.totalMs() / mb, used.shares(mb), lost);
    }

    private void compareAcks(Side off, Side on) throws IOException, InterruptedException {
        Bench.progress("local data: acks at 500 KB/s without and with it, %d s each", lengths.ackS());
        Latencies without = acks(off);
        Latencies with = acks(on);
        figures.add(Figure.atMost(
                "local data: ack latency p99.9, ms",
                with.ms(0.999),
                "%.2f",
                5,
                String.format(
                        Locale.ROOT,
                        "without %.2f; p50 %.2f without, %.2f with it; %d acks",
                        without.ms(0.999),
                        without.ms(0.5),
                        with.ms(0.5),
                        with.count())));
    }

    private Latencies acks(Side side) throws IOException, InterruptedException {
        VehicleStream vehicle = bench.stream(
                new VehicleStream.Plan(500, true, true, VehicleStream.Acks.FROM_RECEIVER),
                side.channel(),
                side.daemon().port());
        try (vehicle) {
            Bench.awaitData(vehicle);
            TimeUnit.SECONDS.sleep(lengths.ackS());
        }
        Latencies all = new Latencies();
        all.addAll(vehicle.inDefinitions());
        all.addAll(vehicle.amidData());
        return all;
    }

    private void measureFloor(int port) throws IOException, InterruptedException {
        Bench.progress("local data: floor");
        Process process = bench.startFloor(port);
        try (SamplePublisher publisher = new SamplePublisher(port, SamplePublisher.Form.LINES)) {
            TimeUnit.SECONDS.sleep(lengths.warmUpS() / 4);
            ProcessStats stats = new ProcessStats(process.pid());
            List<Double> msPerS = new ArrayList<>();
            for (int run = 0; run < lengths.runs(); run++) {
                ProcessStats.Cpu before = stats.cpu();
                TimeUnit.SECONDS.sleep(lengths.runS());
                msPerS.add(stats.cpu().since(before).totalMs() / lengths.runS());
            }
            figures.add(Figure.plain(
                    "floor of the publishing, ms/s",
                    Bench.median(msPerS),
                    "%.1f",
                    Bench.spread(msPerS, "%.1f") + "; a program that reads " + publisher.samples()
                            + " samples in datagrams of twenty and forgets them"));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
