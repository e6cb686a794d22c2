package org.mavlogd.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A {@code mavlogd run} process, started as users start it, with its own directory and ports. */
final class DaemonProcess implements AutoCloseable {
    private static final long START_LIMIT_S = 30;
    private static final long STOP_LIMIT_S = 15;

    private final Path directory;
    private final Process process;
    private final List<String> output = new ArrayList<>();
    private final double readyMs;
    private final int port;
    private final int httpPort;

    /**
     * Starts the daemon and waits until it is ready.
     *
     * @param logTable additional lines of the configuration's {@code [log]}
     * @param tables additional tables of the configuration
     */
    static DaemonProcess start(Path script, String logTable, String tables) throws IOException {
        return start(script, logTable, tables, Map.of());
    }

    /** Starts the daemon with default settings and further variables of the environment. */
    static DaemonProcess start(Path script, Map<String, String> environment) throws IOException {
        return start(script, "", "", environment);
    }

    private static DaemonProcess start(Path script, String logTable, String tables, Map<String, String> environment)
            throws IOException {
        int port = OtherPrograms.freeUdpPort();
        return start(script, logTable, """
                type = "udp"
                listen = "127.0.0.1:%d"
                """.formatted(port), tables, port, environment);
    }

    /**
     * Starts the daemon as {@link #start} does, with another link to its vehicle.
     *
     * @param link lines of the link's table: type and address
     */
    static DaemonProcess startWithLink(Path script, String link) throws IOException {
        return start(script, "", link, "", 0, Map.of());
    }

    private static DaemonProcess start(
            Path script, String logTable, String link, String tables, int port, Map<String, String> environment)
            throws IOException {
        Path directory = Files.createTempDirectory("mavlogd-bench-");
        int httpPort = OtherPrograms.freeTcpPort();
        Path config = directory.resolve("bench.toml");
        Files.writeString(config, """
                [log]
                directory = "%s"
                %s
                [http]
                listen = "127.0.0.1:%d"
                [[link]]
                name = "bench"
                %s
                %s
                """.formatted(
                        directory.resolve("logs"),
                        logTable,
                        httpPort,
                        link,
                        tables.isEmpty() ? publishing(directory) : tables));
        return new DaemonProcess(script, config, directory, port, httpPort, environment);
    }

    /**
     * The socket's path in a directory that exists, as the service has it; otherwise the daemon would retry again and
     * again.
     */
    private static String publishing(Path directory) {
        return "[publish]\nsocket = \"" + directory.resolve("publish.sock") + "\"";
    }

    private DaemonProcess(
            Path script, Path config, Path directory, int port, int httpPort, Map<String, String> environment)
            throws IOException {
        this.directory = directory;
        this.port = port;
        this.httpPort = httpPort;
        long startNs = System.nanoTime();
        ProcessBuilder program = new ProcessBuilder(script.toString(), "run", "--config", config.toString());
        program.environment().putAll(environment);
        process = program.redirectErrorStream(true).start();
        readyMs = (awaitReady() - startNs) / 1e6;
    }

    private long awaitReady() throws IOException {
        Thread killer = new Thread(this::killWhenLate, "bench-start-limit");
        killer.setDaemon(true);
        killer.start();
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            keep(line);
            if (line.endsWith("ready")) {
                long readyNs = System.nanoTime();
                killer.interrupt();
                Thread drain = new Thread(() -> drain(reader), "bench-output");
                drain.setDaemon(true);
                drain.start();
                return readyNs;
            }
        }
        throw new IOException("mavlogd did not get ready: " + lastLines());
    }

    /** Waits until the UDP port is bound: links open by themselves, and {@code ready} does not wait for them. */
    void awaitPort() throws IOException, InterruptedException {
        String local = String.format(":%04X ", port);
        while (Files.readAllLines(Path.of("/proc/net/udp")).stream().noneMatch(line -> line.contains(local))) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void drain(BufferedReader reader) {
        try {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                keep(line);
            }
        } catch (IOException e) {
            keep("(its output was closed)");
        }
    }

    private void killWhenLate() {
        try {
            TimeUnit.SECONDS.sleep(START_LIMIT_S);
            process.destroyForcibly();
        } catch (InterruptedException e) {
            // The daemon is ready.
        }
    }

    private void keep(String line) {
        synchronized (output) {
            output.add(line);
        }
    }

    /** Time from the start of the process to its line "ready", in milliseconds. */
    double readyMs() {
        return readyMs;
    }

    int port() {
        return port;
    }

    /** The directory of the logs. */
    Path logs() {
        return directory.resolve("logs");
    }

    /** The process id. The start script replaces itself by the JVM, so the id does not change. */
    long pid() {
        return process.pid();
    }

    ProcessStats stats() {
        return new ProcessStats(pid());
    }

    /** A number of the first recording on the status page; -1 when there is none. */
    long recordingNumber(String key) throws IOException {
        String status;
        try (InputStream in =
                URI.create("http://127.0.0.1:" + httpPort + "/status").toURL().openStream()) {
            status = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        int recordings = status.indexOf("\"recordings\"");
        Matcher matcher = Pattern.compile("\"" + key + "\"\\s*:\\s*(\\d+)").matcher(status);
        return recordings >= 0 && matcher.find(recordings) ? Long.parseLong(matcher.group(1)) : -1;
    }

    /** Deletes finished logs, so that a long run does not fill the disk. */
    void deleteFinishedLogs() throws IOException {
        Path logs = directory.resolve("logs");
        if (Files.isDirectory(logs)) {
            try (Stream<Path> files = Files.list(logs)) {
                files.filter(file -> file.toString().endsWith(".ulg")).forEach(DaemonProcess::delete);
            }
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        if (!hasEnded()) {
            process.destroyForcibly();
            throw new IOException("mavlogd did not stop: " + lastLines());
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(DaemonProcess::delete);
        }
        if (process.exitValue() != 0) {
            throw new IOException("mavlogd ended with " + process.exitValue() + ": " + lastLines());
        }
    }

    private boolean hasEnded() {
        try {
            return process.waitFor(STOP_LIMIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String lastLines() {
        synchronized (output) {
            return String.join("\n", output.subList(Math.max(0, output.size() - 20), output.size()));
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
