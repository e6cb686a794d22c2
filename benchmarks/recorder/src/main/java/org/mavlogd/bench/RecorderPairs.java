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
    private record Run(double ackMs, double cpuMsPerS, long lost) {}

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
        addRatio(figures, "ack p99.9 beside " + name + ", ms", of(alone, Run::ackMs), of(beside, Run::ackMs), "%.2f");
        addRatio(
                figures,
                "CPU beside " + name + ", ms/s",
                of(alone, Run::cpuMsPerS),
                of(beside, Run::cpuMsPerS),
                "%.1f");
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

    private static void addRatio(
            List<Figure> figures, String name, List<Double> alone, List<Double> beside, String format) {
        String note = String.format(
                Locale.ROOT,
                "alone " + format + " (%s); beside %s",
                Bench.median(alone),
                Bench.spread(alone, format),
                Bench.spread(beside, format));
        figures.add(Figure.plain(name, Bench.median(beside), format, note));
        double ratio = Bench.median(beside) / Bench.median(alone);
        figures.add(Figure.atMost("   ratio to the recorder alone", ratio, "%.2f", RATIO_GOAL, ""));
    }

    private Run run(Other other) throws IOException, InterruptedException {
        try (DaemonProcess recorder = bench.startDaemon("", "");
                DatagramChannel channel = DatagramChannel.open()) {
            VehicleStream vehicle =
                    bench.stream(new Plan(RATE_KB, true, true, Acks.FROM_RECEIVER), channel, recorder.port());
            double cpuMsPerS;
            try {
                Bench.awaitData(vehicle);
                // Warms up, so that the same code is compiled in both cases.
                TimeUnit.SECONDS.sleep(Math.max(2, seconds / 4));
                Running running = other.start(recorder);
                try {
                    cpuMsPerS = cpuMsPerS(recorder);
                } finally {
                    running.close();
                }
            } finally {
                vehicle.close();
            }
            TimeUnit.MILLISECONDS.sleep(800); // time to give up on gaps and update counts
            long sent = vehicle.counters().chunks() - vehicle.unsent();
            return new Run(vehicle.amidData().ms(0.999), cpuMsPerS, sent - recorder.recordingNumber("chunks"));
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
