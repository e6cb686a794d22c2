package org.mavlogd.bench;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
    private static final int THREADS_SHOWN = 8;

    /** A receiver that runs. */
    private record Running(long pid, int port, Acks acks, Closeable end) {}

    /** Starts a receiver. */
    @FunctionalInterface
    private interface Starter {
        Running start() throws IOException;
    }

    /** What a receiver took of the processor, and how much memory it had then. */
    private record Result(double msPerS, double rssMb, List<String> threads) {}

    /** A line of the table, by name of the receiver. */
    private record Row(Situation situation, Map<String, Result> results) {
        Result ours() {
            return Objects.requireNonNull(results.get(OURS));
        }
    }

    private final Bench bench;
    private final Path root;
    private final Optional<Path> router;
    private final int runs;
    private final int runS;
    private final Map<String, Starter> receivers = new LinkedHashMap<>();
    private final List<Row> rows = SITUATIONS.stream()
            .map(situation -> new Row(situation, new LinkedHashMap<>()))
            .toList();

    /** @param router the built mavlink-routerd, if there is one */
    BesideBench(Bench bench, Path root, Bench.Lengths lengths, Optional<Path> router) {
        this.bench = bench;
        this.root = root;
        this.router = router;
        this.runs = lengths.runs();
        this.runS = lengths.runS();
    }

    void measure() throws IOException, InterruptedException {
        Path work = Files.createTempDirectory("mavlogd-beside-");
        try {
            receivers.put(OURS, this::startRecorder);
            router.ifPresentOrElse(
                    program -> receivers.put("router", () -> startRouter(program, work)),
                    () -> Bench.progress(
                            "no mavlink-router: give the path of mavlink-routerd with --router to compare"));
            receivers.put("Java", this::startJava);
            Optional<Path> compiled = compile(work);
            compiled.ifPresentOrElse(
                    program -> receivers.put("C", () -> startC(program, work)),
                    () -> Bench.progress("no C compiler: no receiver in C"));
            for (Map.Entry<String, Starter> receiver : receivers.entrySet()) {
                measure(receiver.getKey(), receiver.getValue());
            }
        } finally {
            delete(work);
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

    private Result measure(Running running, Situation situation) throws IOException, InterruptedException {
        if (situation.rateKb() == 0) {
            TimeUnit.SECONDS.sleep(COLD_S);
            return medianOf(running, runs);
        }
        try (DatagramChannel channel = DatagramChannel.open();
                VehicleStream vehicle = bench.stream(
                        new VehicleStream.Plan(situation.rateKb(), true, false, running.acks(), situation.burst()),
                        channel,
                        running.port())) {
            if (situation.isCold()) {
                return once(running, COLD_S);
            }
            Bench.awaitData(vehicle);
            TimeUnit.SECONDS.sleep(runS);
            return medianOf(running, runs);
        }
    }

    private Result medianOf(Running running, int count) throws IOException, InterruptedException {
        List<Result> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(once(running, runS));
        }
        all.sort(Comparator.comparingDouble(Result::msPerS));
        return all.get(all.size() / 2);
    }

    private static Result once(Running running, int seconds) throws IOException, InterruptedException {
        ProcessStats stats = new ProcessStats(running.pid());
        long beginNs = System.nanoTime();
        ProcessStats.Cpu before = stats.cpu();
        Map<String, Long> wokenBefore = stats.wakeUps();
        TimeUnit.SECONDS.sleep(seconds);
        ProcessStats.Cpu used = stats.cpu().since(before);
        Map<String, Long> woken = stats.wakeUps();
        double took = (System.nanoTime() - beginNs) / 1e9;
        List<String> threads = used.nsByThread().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(THREADS_SHOWN)
                .map(thread -> String.format(
                        Locale.ROOT,
                        "%s %.2f/%.0f",
                        thread.getKey().substring(thread.getKey().indexOf(' ') + 1),
                        thread.getValue() / 1e6 / took,
                        (woken.getOrDefault(thread.getKey(), 0L) - wokenBefore.getOrDefault(thread.getKey(), 0L))
                                / took))
                .toList();
        return new Result(used.totalMs() / took, stats.statusMb("VmRSS"), threads);
    }

    private Running startRecorder() throws IOException {
        DaemonProcess daemon = bench.startDaemon("", "");
        return new Running(daemon.pid(), daemon.port(), Acks.FROM_RECEIVER, daemon::close);
    }

    private Running startRouter(Path program, Path work) throws IOException {
        int port = freePort();
        Path logs = Files.createDirectories(work.resolve("router-logs"));
        Path config = Files.writeString(work.resolve("router.conf"), """
                [General]
                TcpServerPort = 0
                Log = %s
                [UdpEndpoint bench]
                Mode = Server
                Address = 127.0.0.1
                Port = %d
                """.formatted(logs, port));
        Process process = new ProcessBuilder(program.toString(), "-c", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new Running(process.pid(), port, Acks.FROM_RECEIVER, ending(process));
    }

    private Running startJava() throws IOException {
        int port = freePort();
        Process process = bench.startFloor(port);
        return new Running(process.pid(), port, Acks.MADE_UP, ending(process));
    }

    private Running startC(Path program, Path work) throws IOException {
        int port = freePort();
        Process process = new ProcessBuilder(
                        program.toString(),
                        Integer.toString(port),
                        work.resolve("c.out").toString())
                .redirectErrorStream(true)
                .start();
        String line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (!"ready".equals(line)) {
            process.destroyForcibly();
            throw new IOException("the receiver in C does not start: " + line);
        }
        return new Running(process.pid(), port, Acks.MADE_UP, ending(process));
    }

    private static Closeable ending(Process process) {
        return () -> {
            process.destroy();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private Optional<Path> compile(Path work) throws IOException, InterruptedException {
        Path program = work.resolve("receiver");
        Path source = root.resolve("benchmarks/recorder/src/main/c/receiver.c");
        try {
            int code = new ProcessBuilder("cc", "-O2", "-o", program.toString(), source.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            return code == 0 ? Optional.of(program) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // no compiler
        }
    }

    private static int freePort() throws IOException {
        try (DatagramSocket udp = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return udp.getLocalPort();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
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
