package org.mavlogd.bench;

import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.mavlogd.bench.VehicleStream.Acks;
import org.mavlogd.bench.VehicleStream.Plan;

/** Measures the recorder at 500 KB/s alone and, in turn, beside another program: it must not be slowed down. */
final class RecorderPairs {
    private static final int RATE_KB = 500;
    private static final double RATIO_GOAL = 1.05;

    private final Bench bench;
    private final int pairs;
    private final int seconds;

    /** The other program, which is at work when its start returns. */
    @FunctionalInterface
    interface Other {
        Running start(DaemonProcess recorder) throws IOException, InterruptedException;
    }

    /** The other program at work. */
    @FunctionalInterface
    interface Running {
        void close() throws IOException, InterruptedException;
    }

    /** The measurements of a run. */
    private record Run(Latencies acks, double cpuMsPerS, long lost) {}

    /**
     * Measures nothing yet.
     *
     * @param pairs runs alone, and as many beside the other program
     * @param seconds that each run is measured
     */
    RecorderPairs(Path root, int pairs, int seconds) throws IOException {
        this.bench = new Bench(root, Bench.Lengths.QUICK);
        this.pairs = pairs;
        this.seconds = seconds;
    }

    /**
     * Runs all pairs, and returns their figures.
     *
     * @param name of the other program, such as "the page"
     */
    List<Figure> measure(String name, Other other) throws IOException, InterruptedException {
        List<Run> alone = new ArrayList<>();
        List<Run> beside = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            Bench.progress("recorder alone and beside %s, %d of %d, %d s each", name, pair + 1, pairs, seconds);
            // In both orders, since a run affects the next one.
            boolean isAloneFirst = pair % 2 == 0;
            if (isAloneFirst) {
                alone.add(run(recorder -> () -> {}));
            }
            beside.add(run(other));
            if (!isAloneFirst) {
                alone.add(run(recorder -> () -> {}));
            }
        }
        List<Figure> figures = new ArrayList<>();
        addAcks(figures, name, alone, beside);
        addCpu(figures, name, of(alone, Run::cpuMsPerS), of(beside, Run::cpuMsPerS));
        double lostAlone =
                of(alone, Run::lost).stream().mapToDouble(lost -> lost).sum();
        double lostBeside =
                of(beside, Run::lost).stream().mapToDouble(lost -> lost).sum();
        figures.add(Figure.atMost("chunks lost beside " + name, lostBeside, "%.0f", lostAlone, ""));
        return figures;
    }

    private static List<Double> of(List<Run> runs, ToDoubleFunction<Run> figure) {
        return runs.stream().map(figure::applyAsDouble).toList();
    }

    /** Of all runs together, since a run has too few acknowledgements for its own. */
    private static void addAcks(List<Figure> figures, String name, List<Run> alone, List<Run> beside) {
        Latencies acksAlone = acks(alone);
        Latencies acksBeside = acks(beside);
        double aloneMs = acksAlone.ms(0.999);
        double besideMs = acksBeside.ms(0.999);
        String note = String.format(
                Locale.ROOT,
                "alone %.2f of %d acks (p50 %.2f); beside %d (p50 %.2f)",
                aloneMs,
                acksAlone.count(),
                acksAlone.ms(0.5),
                acksBeside.count(),
                acksBeside.ms(0.5));
        figures.add(Figure.plain("ack p99.9 beside " + name + ", ms", besideMs, "%.2f", note));
        addRatio(figures, besideMs / aloneMs);
    }

    private static Latencies acks(List<Run> runs) {
        Latencies all = new Latencies();
        runs.forEach(run -> all.addAll(run.acks()));
        return all;
    }

    private static void addCpu(List<Figure> figures, String name, List<Double> alone, List<Double> beside) {
        String note = String.format(
                Locale.ROOT,
                "alone %.1f (%s); beside %s",
                Bench.median(alone),
                Bench.spread(alone, "%.1f"),
                Bench.spread(beside, "%.1f"));
        figures.add(Figure.plain("CPU beside " + name + ", ms/s", Bench.median(beside), "%.1f", note));
        addRatio(figures, Bench.median(beside) / Bench.median(alone));
    }

    private static void addRatio(List<Figure> figures, double ratio) {
        figures.add(Figure.atMost("   ratio to the recorder alone", ratio, "%.2f", RATIO_GOAL, ""));
    }

    private Run run(Other other) throws IOException, InterruptedException {
        try (DaemonProcess recorder = bench.startDaemon("", "");
                DatagramChannel channel = DatagramChannel.open()) {
            VehicleStream vehicle =
                    bench.stream(new Plan(RATE_KB, true, true, Acks.FROM_RECEIVER), channel, recorder.port());
            double cpuMsPerS;
            int firstAck;
            try {
                Bench.awaitData(vehicle);
                // Warms up, so that the same code is compiled in both cases.
                TimeUnit.SECONDS.sleep(Math.max(2, seconds / 4));
                Running running = other.start(recorder);
                try {
                    firstAck = vehicle.amidData().count();
                    cpuMsPerS = cpuMsPerS(recorder);
                } finally {
                    running.close();
                }
            } finally {
                vehicle.close();
            }
            TimeUnit.MILLISECONDS.sleep(800); // time to give up on gaps and update counts
            long sent = vehicle.counters().chunks() - vehicle.unsent();
            Latencies acks = new Latencies();
            acks.addAll(vehicle.amidData(), firstAck);
            return new Run(acks, cpuMsPerS, sent - recorder.recordingNumber("chunks"));
        }
    }

    private double cpuMsPerS(DaemonProcess recorder) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        ProcessStats.Cpu before = recorder.stats().cpu();
        TimeUnit.SECONDS.sleep(seconds);
        double ms = recorder.stats().cpu().since(before).totalMs();
        return ms / ((System.nanoTime() - startNs) / 1e9);
    }
}
