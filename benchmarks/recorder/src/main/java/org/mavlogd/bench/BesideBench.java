package org.mavlogd.bench;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.bench.VehicleStream.Acks;
import org.mavlogd.simulate.ardupilot.DataFlashImage;

/**
 * Compares the recorder with other programs that receive the same data: mavlink-router if it is built, a bare receiver
 * in Java and one in C. One table shows milliseconds of CPU time per second for each, and for each thread of the
 * recorder its CPU time and wake-ups.
 */
final class BesideBench {
    /** The transport of a stream. Each has its own, newly started receiver. */
    private enum Carrier {
        UDP,
        TCP,
        /** A pseudo terminal, paced to at most 921,600 baud. */
        SERIAL,
        /** UDP with the blocks of an ArduPilot log at the log's own pace. */
        BLOCKS
    }

    /**
     * A situation in which every program is measured.
     *
     * @param isCold whether each run is the first of a new process
     * @param isQuick whether the quick form measures it too
     * @param goalMs the recorder's goal in ms of CPU time per second; NaN for none
     * @param goalRatio its goal as a multiple of mavlink-router's time; NaN for none
     */
    private record Situation(
            String name,
            Carrier carrier,
            int rateKb,
            int burst,
            boolean isCold,
            boolean isQuick,
            double goalMs,
            double goalRatio) {
        Situation(String name, Carrier carrier, int rateKb, int burst) {
            this(name, carrier, rateKb, burst, false, true, Double.NaN, Double.NaN);
        }

        Situation fullOnly() {
            return new Situation(name, carrier, rateKb, burst, isCold, false, goalMs, goalRatio);
        }

        Situation cold() {
            return new Situation(name, carrier, rateKb, burst, true, isQuick, goalMs, goalRatio);
        }

        Situation atMostMs(double ms) {
            return new Situation(name, carrier, rateKb, burst, isCold, isQuick, ms, goalRatio);
        }

        Situation atMostTimes(double ratio) {
            return new Situation(name, carrier, rateKb, burst, isCold, isQuick, goalMs, ratio);
        }

        /** The goal and whether it is met; empty if there is none, or nothing to compare with. */
        String verdict(ProcessLoad ours, @Nullable ProcessLoad router) {
            double value = Double.isNaN(goalRatio) ? ours.msPerS() : ratio(ours, router);
            double goal = Double.isNaN(goalRatio) ? goalMs : goalRatio;
            if (Double.isNaN(value) || Double.isNaN(goal)) {
                return "";
            }
            String unit = Double.isNaN(goalRatio) ? "ms/s" : "x";
            return String.format(Locale.ROOT, "  <= %s %s: %s", goal, unit, value <= goal ? "met" : "MISSED");
        }

        private static double ratio(ProcessLoad ours, @Nullable ProcessLoad router) {
            return router == null ? Double.NaN : ours.msPerS() / router.msPerS();
        }
    }

    private static final List<Situation> SITUATIONS = List.of(
            new Situation("50 KB/s, bursts of 8, first seconds", Carrier.UDP, 50, 8)
                    .cold()
                    .atMostMs(30),
            new Situation("no vehicle", Carrier.UDP, 0, 1).atMostMs(3),
            new Situation("50 KB/s, bursts of 8", Carrier.UDP, 50, 8).atMostMs(5),
            new Situation("50 KB/s, single frames", Carrier.UDP, 50, 1).atMostMs(8),
            new Situation("500 KB/s, bursts of 8", Carrier.UDP, 500, 8).atMostTimes(0.7),
            new Situation("500 KB/s, single frames", Carrier.UDP, 500, 1)
                    .fullOnly()
                    .atMostTimes(0.7),
            new Situation("5,000 KB/s, bursts of 8", Carrier.UDP, 5_000, 8).atMostTimes(0.45),
            new Situation("TCP, 50 KB/s", Carrier.TCP, 50, 1).fullOnly(),
            new Situation("TCP, 500 KB/s", Carrier.TCP, 500, 1).fullOnly(),
            new Situation("TCP, 5,000 KB/s", Carrier.TCP, 5_000, 1).fullOnly(),
            new Situation("serial port, 50 KB/s", Carrier.SERIAL, 50, 1),
            new Situation("ArduPilot's blocks", Carrier.BLOCKS, 0, 1));
    private static final String OURS = "mavlogd";
    private static final String ROUTER = "router";
    private static final int COLD_S = 10;
    // For programs whose first seconds are like all others.
    private static final int WARM_S = 3;
    private static final int BAUD = 921_600;
    private static final long LISTEN_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    /**
     * A receiver that runs. The stream goes to {@code port}: the receiver's own, or that of the serial port's other
     * end.
     */
    private record Running(long pid, int port, Acks acks, Closeable end) {
        static Running of(OtherPrograms.Running program, int port, Acks acks) {
            return new Running(program.pid(), port, acks, program);
        }
    }

    /** Starts a receiver; empty if there is none for this carrier. */
    @FunctionalInterface
    private interface Starter {
        Optional<Running> start(Carrier carrier, Address address) throws IOException;
    }

    /** The address of the stream for a receiver: a UDP or TCP port, or a device. */
    private record Address(int port, String device) {}

    /** A line of the table, with its results by the receiver's name. */
    private record Row(Situation situation, Map<String, ProcessLoad> results) {
        ProcessLoad ours() {
            return Objects.requireNonNull(results.get(OURS));
        }
    }

    private final Bench bench;
    private final Optional<Path> router;
    private final DataFlashImage blocks;
    private final int runs;
    private final int runS;
    private final int floorRunS;
    private final boolean isQuick;
    private final Map<String, Starter> receivers = new LinkedHashMap<>();
    private final List<Row> rows;

    /** @param router the built mavlink-routerd, if available */
    BesideBench(Bench bench, Path root, Bench.Lengths lengths, Optional<Path> router) throws IOException {
        this.bench = bench;
        this.router = router;
        this.blocks = BlockBench.log(root);
        this.runs = lengths.runs();
        this.runS = lengths.runS();
        this.floorRunS = Math.max(1, runS / 2); // the bare receivers need no time to settle
        this.isQuick = lengths.equals(Bench.Lengths.QUICK);
        this.rows = SITUATIONS.stream()
                .filter(situation -> situation.isQuick() || !isQuick)
                .map(situation -> new Row(situation, new LinkedHashMap<>()))
                .toList();
    }

    void measure(OtherPrograms programs) throws IOException, InterruptedException {
        receivers.put(OURS, this::startRecorder);
        router.ifPresentOrElse(
                program -> receivers.put(ROUTER, (carrier, at) -> startRouter(program, carrier, at, programs)),
                () -> Bench.progress("no mavlink-router: give the path of mavlink-routerd with --router to compare"));
        receivers.put("Java", this::startJava);
        programs.compile("receiver")
                .ifPresentOrElse(
                        program -> receivers.put("C", (carrier, at) -> startC(program, carrier, at, programs)),
                        () -> Bench.progress("no C compiler: no receiver in C"));
        for (Map.Entry<String, Starter> receiver : receivers.entrySet()) {
            for (Carrier carrier : Carrier.values()) {
                measure(receiver.getKey(), receiver.getValue(), carrier, programs);
            }
        }
        print();
    }

    private void measure(String name, Starter starter, Carrier carrier, OtherPrograms programs)
            throws IOException, InterruptedException {
        Address address = switch (carrier) {
            case UDP, BLOCKS -> new Address(OtherPrograms.freeUdpPort(), "");
            case TCP, SERIAL -> new Address(OtherPrograms.freeTcpPort(), "");
        };
        if (carrier == Carrier.SERIAL) {
            Optional<OtherPrograms.Running> cable = programs.startCable(address.port());
            if (cable.isEmpty()) {
                Bench.progress("no socat: no serial port");
                return;
            }
            try {
                measure(
                        name,
                        starter,
                        carrier,
                        new Address(address.port(), programs.device().toString()));
            } finally {
                cable.get().close();
            }
        } else {
            measure(name, starter, carrier, address);
        }
    }

    private void measure(String name, Starter starter, Carrier carrier, Address address)
            throws IOException, InterruptedException {
        List<Row> its = rows.stream()
                .filter(row -> row.situation().carrier() == carrier)
                .toList();
        for (Row row : its) {
            if (row.situation().isCold()) {
                measureCold(name, starter, carrier, address, row);
            }
        }
        List<Row> warm = its.stream().filter(row -> !row.situation().isCold()).toList();
        if (name.equals(ROUTER)) {
            // mavlink-router that has had one stream takes ten seconds to accept another one.
            for (Row row : warm) {
                measure(name, starter, carrier, address, List.of(row));
            }
        } else {
            measure(name, starter, carrier, address, warm);
        }
    }

    private void measureCold(String name, Starter starter, Carrier carrier, Address address, Row row)
            throws IOException, InterruptedException {
        List<ProcessLoad> loads = new ArrayList<>();
        for (int run = 0; run < (isQuick ? 1 : runs); run++) {
            measure(name, starter, carrier, address, List.of(row));
            ProcessLoad load = row.results().get(name);
            if (load != null) {
                loads.add(load);
            }
        }
        if (!loads.isEmpty()) {
            row.results().put(name, ProcessLoad.median(loads));
        }
    }

    private void measure(String name, Starter starter, Carrier carrier, Address address, List<Row> its)
            throws IOException, InterruptedException {
        Optional<Running> started = starter.start(carrier, address);
        if (started.isEmpty()) {
            return;
        }
        Running running = started.get();
        // All streams come from one address: the recorder accepts the vehicle from another address only after ten
        // seconds of silence.
        try (DatagramChannel vehicle = DatagramChannel.open()) {
            for (Row row : its) {
                Bench.progress("%s: %s", name, row.situation().name());
                int seconds = name.equals(OURS) ? runS : floorRunS;
                row.results().put(name, measure(running, row.situation(), seconds, vehicle));
            }
        } finally {
            running.end().close();
        }
    }

    private ProcessLoad measure(Running running, Situation situation, int seconds, DatagramChannel channel)
            throws IOException, InterruptedException {
        if (situation.carrier() == Carrier.BLOCKS) {
            return measureBlocks(running, seconds);
        }
        if (situation.rateKb() == 0) {
            TimeUnit.SECONDS.sleep(seconds == runS ? COLD_S : 0);
            settle(running, seconds);
            return ProcessLoad.medianOf(running.pid(), seconds, runs);
        }
        VehicleStream.Plan plan =
                new VehicleStream.Plan(situation.rateKb(), true, false, running.acks(), situation.burst());
        if (situation.carrier() == Carrier.UDP) {
            try (VehicleStream vehicle = bench.stream(plan, channel, running.port())) {
                return measure(running, situation, seconds, vehicle);
            }
        }
        try (SocketChannel connection = connect(running.port());
                VehicleStream vehicle = bench.stream(plan, connection)) {
            return measure(running, situation, seconds, vehicle);
        }
    }

    private ProcessLoad measure(Running running, Situation situation, int seconds, VehicleStream vehicle)
            throws IOException, InterruptedException {
        if (situation.isCold()) {
            return ProcessLoad.measure(running.pid(), seconds == runS ? COLD_S : WARM_S);
        }
        Bench.awaitData(vehicle);
        TimeUnit.SECONDS.sleep(seconds);
        settle(running, seconds);
        return ProcessLoad.medianOf(running.pid(), seconds, runs);
    }

    /** Waits until Java's compiler is at rest, for a recorder runs for hours. The quick form does not wait. */
    private void settle(Running running, int seconds) throws IOException, InterruptedException {
        if (!isQuick && seconds == runS) {
            Bench.progress("  Java's compiler at rest after %d s", ProcessLoad.awaitCompiler(running.pid()));
        }
    }

    private ProcessLoad measureBlocks(Running running, int seconds) throws IOException, InterruptedException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), running.port()));
            try (BlockVehicle vehicle = new BlockVehicle(blocks, channel)) {
                BlockBench.awaitBlocks(vehicle);
                settle(running, seconds);
                return ProcessLoad.medianOf(running.pid(), seconds, runs);
            }
        }
    }

    /** Connects as soon as the receiver listens on the port. */
    private static SocketChannel connect(int port) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + LISTEN_LIMIT_NS;
        while (true) {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return channel;
            } catch (ConnectException e) {
                channel.close();
                if (System.nanoTime() - deadlineNs > 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
    }

    private Optional<Running> startRecorder(Carrier carrier, Address at) throws IOException {
        DaemonProcess daemon = bench.startDaemonWithLink(
                switch (carrier) {
                    case UDP, BLOCKS -> "type = \"udp\"\nlisten = \"127.0.0.1:%d\"".formatted(at.port());
                    case TCP -> "type = \"tcp\"\nlisten = \"127.0.0.1:%d\"".formatted(at.port());
                    case SERIAL -> "type = \"serial\"\ndevice = \"%s\"\nbaud = %d".formatted(at.device(), BAUD);
                });
        return Optional.of(new Running(daemon.pid(), at.port(), Acks.FROM_RECEIVER, daemon::close));
    }

    private static Optional<Running> startRouter(Path program, Carrier carrier, Address at, OtherPrograms programs)
            throws IOException {
        int tcpServer = carrier == Carrier.TCP ? at.port() : 0;
        String endpoint = switch (carrier) {
            case UDP, BLOCKS -> "[UdpEndpoint bench]\nMode = Server\nAddress = 127.0.0.1\nPort = " + at.port();
            case TCP -> "";
            case SERIAL -> "[UartEndpoint bench]\nDevice = %s\nBaud = %d".formatted(at.device(), BAUD);
        };
        return Optional.of(Running.of(
                programs.startRouter(program, "TcpServerPort = " + tcpServer, endpoint),
                at.port(),
                Acks.FROM_RECEIVER));
    }

    private Optional<Running> startJava(Carrier carrier, Address at) throws IOException {
        String port = Integer.toString(at.port());
        Process process = switch (carrier) {
            case UDP -> bench.startFloor(FloorReceiver.class, "udp", port);
            case TCP -> bench.startFloor(FloorReceiver.class, "tcp", port);
            case SERIAL -> bench.startFloor(FloorReceiver.class, "tty", at.device());
            case BLOCKS -> bench.startFloor(FloorAcker.class, port);
        };
        return Optional.of(Running.of(OtherPrograms.of(process), at.port(), Acks.MADE_UP));
    }

    /** The program in C does not acknowledge an ArduPilot's blocks, so it is not started for them. */
    private static Optional<Running> startC(Path program, Carrier carrier, Address at, OtherPrograms programs)
            throws IOException {
        String out = programs.work().resolve("c.out").toString();
        String port = Integer.toString(at.port());
        List<String> arguments = switch (carrier) {
            case UDP -> List.of("udp", port, out);
            case TCP -> List.of("tcp", port, out);
            case SERIAL -> List.of("tty", at.device(), out);
            case BLOCKS -> List.of();
        };
        return arguments.isEmpty()
                ? Optional.empty()
                : Optional.of(Running.of(programs.startC(program, arguments), at.port(), Acks.MADE_UP));
    }

    private void print() {
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%n%-38s", "CPU, ms/s"));
        receivers.keySet().forEach(name -> head.append(String.format(Locale.ROOT, "%18s", name)));
        head.append("  goal of mavlogd");
        System.out.println(head);
        List<Row> measured =
                rows.stream().filter(row -> !row.results().isEmpty()).toList();
        measured.forEach(row -> System.out.println(text(row)));
        StringBuilder memory =
                new StringBuilder(String.format(Locale.ROOT, "%-38s", "memory (RSS) behind all over UDP, MB"));
        Map<String, ProcessLoad> last = rows.stream()
                .filter(row -> row.situation().carrier() == Carrier.UDP)
                .reduce((one, other) -> other)
                .orElseThrow()
                .results();
        last.values().forEach(result -> memory.append(String.format(Locale.ROOT, "%18.1f", result.rssMb())));
        System.out.println(memory);
        System.out.println(
                "Behind a figure: how many times that the recorder takes. Its threads, ms/s and wake-ups a second:");
        measured.forEach(row -> System.out.printf(
                Locale.ROOT,
                "%-38s  %s%n",
                row.situation().name(),
                String.join(", ", row.ours().threads())));
    }

    private String text(Row row) {
        double ours = row.ours().msPerS();
        StringBuilder text = new StringBuilder(
                String.format(Locale.ROOT, "%-38s", row.situation().name()));
        for (String name : receivers.keySet()) {
            ProcessLoad result = row.results().get(name);
            if (result == null) {
                text.append(String.format(Locale.ROOT, "%18s", "-"));
            } else if (name.equals(OURS)) {
                text.append(String.format(Locale.ROOT, "%18.1f", ours));
            } else {
                text.append(String.format(Locale.ROOT, "%9.1f (%5.1f x)", result.msPerS(), ours / result.msPerS()));
            }
        }
        return text.append(row.situation().verdict(row.ours(), row.results().get(ROUTER)))
                .toString();
    }
}
