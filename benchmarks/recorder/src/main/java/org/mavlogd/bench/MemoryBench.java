package org.mavlogd.bench;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures the memory of the recorder after an hour of recording at PX4's usual rate, with default settings and with
 * the small profile, in two processes at the same time. Other load hardly changes these figures.
 */
final class MemoryBench {
    private static final int RATE_KB = 50;
    private static final int SETTLED_MIN = 5;
    private static final int LENGTH_MIN = 60;
    private static final double GOAL_MB = 65;
    private static final double SMALL_GOAL_MB = 50;
    // As systemd/small.conf.
    private static final Map<String, String> SMALL =
            Map.of("MAVLOGD_MEMORY", "small", "MAVLOGD_RECORDER_RING_MIB", "4");

    private final Bench bench;
    private final List<Figure> figures;

    MemoryBench(Bench bench, List<Figure> figures) {
        this.bench = bench;
        this.figures = figures;
    }

    void measure() throws IOException, InterruptedException {
        Bench.progress("memory after %d minutes at %d KB/s", LENGTH_MIN, RATE_KB);
        try (DaemonProcess usual = bench.startDaemon("", "");
                DaemonProcess small = bench.startDaemon(SMALL);
                DatagramChannel toUsual = DatagramChannel.open(StandardProtocolFamily.INET);
                DatagramChannel toSmall = DatagramChannel.open(StandardProtocolFamily.INET);
                VehicleStream first = bench.stream(Bench.plan(RATE_KB), toUsual, usual.port());
                VehicleStream second = bench.stream(Bench.plan(RATE_KB), toSmall, small.port())) {
            TimeUnit.MINUTES.sleep(SETTLED_MIN);
            double usualBefore = usual.stats().statusMb("VmRSS");
            double smallBefore = small.stats().statusMb("VmRSS");
            TimeUnit.MINUTES.sleep(LENGTH_MIN - SETTLED_MIN);
            add("memory (RSS) after an hour, MB", usual, first, usualBefore, GOAL_MB);
            add("   with the small profile, MB", small, second, smallBefore, SMALL_GOAL_MB);
        }
    }

    private void add(String name, DaemonProcess daemon, VehicleStream vehicle, double before, double goal)
            throws IOException {
        // At most some chunks are still under way, or wait for their turn.
        long sent = vehicle.counters().chunks() - vehicle.unsent();
        long missing = sent - daemon.recordingNumber("chunks");
        figures.add(Figure.atMost(
                name,
                daemon.stats().statusMb("VmRSS"),
                "%.1f",
                goal,
                String.format(
                        Locale.ROOT,
                        "after %d minutes %.1f, highest %.1f; %d chunks sent, %d of them not stored yet",
                        SETTLED_MIN,
                        before,
                        daemon.stats().statusMb("VmHWM"),
                        sent,
                        missing)));
    }
}
