package org.mavlogd.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.mavlogd.simulate.ardupilot.DataFlashImage;

/**
 * Measures how long the acknowledgements of an ArduPilot's blocks take. A vehicle with its default buffer of 8 kB
 * repeats a block after 100 ms, and drops messages soon after that. The floor is a program that only acknowledges.
 */
final class BlockBench {
    private static final double GOAL_MS = 100;
    private static final long BEGIN_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int WARM_BLOCKS = 2000;

    private final Bench bench;
    private final Bench.Lengths lengths;
    private final List<Figure> figures;
    private final DataFlashImage log;

    BlockBench(Bench bench, Path root, Bench.Lengths lengths, List<Figure> figures) throws IOException {
        this.bench = bench;
        this.lengths = lengths;
        this.figures = figures;
        this.log = log(root);
    }

    /** The log that the vehicle plays. */
    static DataFlashImage log(Path root) throws IOException {
        return DataFlashImage.read(root.resolve("test-data/captures/ardupilot/s1_clean_rover.mav.bin.gz"));
    }

    void measure() throws IOException, InterruptedException {
        Bench.progress("acks of ArduPilot's blocks, %d s", lengths.ackS());
        try (DaemonProcess daemon = bench.startDaemon("", "")) {
            add("ArduPilot ack", daemon.port(), GOAL_MS);
        }
        int port = OtherPrograms.freeUdpPort();
        Process floor = bench.startFloor(FloorAcker.class, Integer.toString(port));
        try {
            add("floor of ArduPilot ack", port, Double.NaN);
        } finally {
            floor.destroyForcibly().waitFor();
        }
    }

    private void add(String name, int port, double goalMs) throws IOException, InterruptedException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            BlockVehicle vehicle = new BlockVehicle(log, channel);
            try {
                awaitBlocks(vehicle);
                vehicle.measure();
                TimeUnit.SECONDS.sleep(lengths.ackS());
            } finally {
                vehicle.close();
            }
            Latencies all = vehicle.latencies();
            String note = String.format(
                    Locale.ROOT,
                    "%d acks in %d s; p99 %.2f, longest %.2f; messages dropped by the vehicle %d",
                    all.count(),
                    lengths.ackS(),
                    all.ms(0.99),
                    all.ms(1),
                    vehicle.counters().droppedMessages());
            figures.add(Figure.plain(name + " p50, ms", all.ms(0.5), "%.2f", ""));
            figures.add(
                    Double.isNaN(goalMs)
                            ? Figure.plain(name + " p99.9, ms", all.ms(0.999), "%.2f", note)
                            : Figure.atMost(name + " p99.9, ms", all.ms(0.999), "%.2f", goalMs, note));
        }
    }

    static void awaitBlocks(BlockVehicle vehicle) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + BEGIN_LIMIT_NS;
        while (vehicle.counters().acks() < WARM_BLOCKS) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException("the vehicle's blocks do not get through: "
                        + vehicle.counters().acks() + " acks came");
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
