package org.mavlogd.bench;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mavlogd.bench.VehicleStream.Acks;

/**
 * The recorder beside others that receive the same: mavlink-router, if there is one, a bare receiver in Java and one in C.
 * Milliseconds of processor time for each second, in one table, and what each thread of the recorder takes, with its wake-ups.
 */
final class BesideBench {
    /** A situation in which all are measured. */
    private record Situation(String name, int rateKb, int burst, boolean isCold) {}

    private static final List<Situation> SITUATIONS = List.of(
            new Situation("no vehicle", 0, 1, false),
            new Situation("50 KB/s, bursts of 8, first seconds", 50, 8, true),
            new Situation("50 KB/s, bursts of 8", 50, 8, false),
            new Situation("50 KB/s, single frames", 50, 1, false),
            new Situation("500 KB/s, bursts of 8", 500, 8, false),
            new Situation("500 KB/s, single frames", 500, 1, false),
            new Situation("5,000 KB/s, bursts of 8", 5_000, 8, false));
    private static final String OURS = "mavlogd";
    private static final int COLD_S = 10;

    /** A receiver that runs. */
    private record Running(long pid, int port, Acks acks, Closeable end) {
        static Running of(OtherPrograms.Running program, int port, Acks acks) {
            return new Running(program.pid(), port, acks, program);
        }
    }

    /** Starts a receiver. */
    @FunctionalInterface
    private interface Starter {
        Running start() throws IOException;
    }

    /** A line of the table, by name of the receiver. */
    private record Row(Situation situation, Map<String, ProcessLoad> results) {
        ProcessLoad ours() {
            return Objects.requireNonNull(results.get(OURS));
        }
    }

    private final Bench bench;
    private final Optional<Path> router;
    private final int runs;
    private final int runS;
    private final Map<String, Starter> receivers = new LinkedHashMap<>();
    private final List<Row> rows = SITUATIONS.stream()
            .map(situation -> new Row(situation, new LinkedHashMap<>()))
            .toList();

    /** @param router the built mavlink-routerd, if there is one */
    BesideBench(Bench bench, Bench.Lengths lengths, Optional<Path> router) {
        this.bench = bench;
        this.router = router;
        this.runs = lengths.runs();
        this.runS = lengths.runS();
    }

    void measure(OtherPrograms programs) throws IOException, InterruptedException {
        receivers.put(OURS, this::startRecorder);
        router.ifPresentOrElse(
                program -> receivers.put("router", () -> startRouter(program, programs)),
                () -> Bench.progress("no mavlink-router: give the path of mavlink-routerd with --router to compare"));
        receivers.put("Java", this::startJava);
        programs.compile("receiver")
                .ifPresentOrElse(
                        program -> receivers.put("C", () -> startC(program, programs)),
                        () -> Bench.progress("no C compiler: no receiver in C"));
        for (Map.Entry<String, Starter> receiver : receivers.entrySet()) {
            measure(receiver.getKey(), receiver.getValue());
        }
        print();
    }

    private void measure(String name, Starter starter) throws IOException, InterruptedException {
        Running running = starter.start();
        try {
            for (Row row : rows) {
                Bench.progress("%s: %s", name, row.situation().name());
                row.results().put(name, measure(running, row.situation()));
            }
        } finally {
            running.end().close();
        }
    }

    private ProcessLoad measure(Running running, Situation situation) throws IOException, InterruptedException {
        if (situation.rateKb() == 0) {
            TimeUnit.SECONDS.sleep(COLD_S);
            return ProcessLoad.medianOf(running.pid(), runS, runs);
        }
        try (DatagramChannel channel = DatagramChannel.open();
                VehicleStream vehicle = bench.stream(
                        new VehicleStream.Plan(situation.rateKb(), true, false, running.acks(), situation.burst()),
                        channel,
                        running.port())) {
            if (situation.isCold()) {
                return ProcessLoad.measure(running.pid(), COLD_S);
            }
            Bench.awaitData(vehicle);
            TimeUnit.SECONDS.sleep(runS);
            return ProcessLoad.medianOf(running.pid(), runS, runs);
        }
    }

    private Running startRecorder() throws IOException {
        DaemonProcess daemon = bench.startDaemon("", "");
        return new Running(daemon.pid(), daemon.port(), Acks.FROM_RECEIVER, daemon::close);
    }

    private static Running startRouter(Path program, OtherPrograms programs) throws IOException {
        int port = OtherPrograms.freeUdpPort();
        OtherPrograms.Running running = programs.startRouter(program, "TcpServerPort = 0", """
                [UdpEndpoint bench]
                Mode = Server
                Address = 127.0.0.1
                Port = %d
                """.formatted(port));
        return Running.of(running, port, Acks.FROM_RECEIVER);
    }

    private Running startJava() throws IOException {
        int port = OtherPrograms.freeUdpPort();
        return Running.of(OtherPrograms.of(bench.startFloor(port)), port, Acks.MADE_UP);
    }

    private static Running startC(Path program, OtherPrograms programs) throws IOException {
        int port = OtherPrograms.freeUdpPort();
        List<String> arguments =
                List.of(Integer.toString(port), programs.work().resolve("c.out").toString());
        return Running.of(programs.startC(program, arguments), port, Acks.MADE_UP);
    }

    private void print() {
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%n%-38s", "CPU, ms/s"));
        receivers.keySet().forEach(name -> head.append(String.format(Locale.ROOT, "%18s", name)));
        System.out.println(head);
        rows.forEach(row -> System.out.println(text(row)));
        StringBuilder memory = new StringBuilder(String.format(Locale.ROOT, "%-38s", "memory (RSS) at the end, MB"));
        rows.get(rows.size() - 1)
                .results()
                .values()
                .forEach(result -> memory.append(String.format(Locale.ROOT, "%18.1f", result.rssMb())));
        System.out.println(memory);
        System.out.println(
                "Behind a figure: how many times that the recorder takes. Its threads, ms/s and wake-ups a second:");
        rows.forEach(row -> System.out.printf(
                Locale.ROOT,
                "%-38s  %s%n",
                row.situation().name(),
                String.join(", ", row.ours().threads())));
    }

    private static String text(Row row) {
        double ours = row.ours().msPerS();
        StringBuilder text = new StringBuilder(
                String.format(Locale.ROOT, "%-38s", row.situation().name()));
        row.results()
                .forEach((name, result) -> text.append(
                        name.equals(OURS)
                                ? String.format(Locale.ROOT, "%18.1f", ours)
                                : String.format(
                                        Locale.ROOT, "%9.1f (%5.1f x)", result.msPerS(), ours / result.msPerS())));
        return text.toString();
    }
}
