package org.mavlogd.faults;

import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mavlogd.computer.FreePorts;

/** The built program as users start it, with the configuration and controls that faults need. */
final class RecorderProcess implements AutoCloseable {
    private static final Path PROJECT = Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .resolve("..")
            .normalize();
    private static final Logger LOG = Logger.getLogger(RecorderProcess.class.getName());
    private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(50);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long END_LIMIT_S = 40;
    private static final int HTTP_OK = 200;
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(HTTP_TIMEOUT).build();

    private final Process process;
    private final Path output;
    private final int httpPort;

    /** The options of a start; by default with one link over UDP. */
    static final class Setup {
        private final Path home;
        private final Path logs;
        private final int port;
        private String logTable = "";
        private String moreLinks = "";
        private String publish = "enabled = false";
        private final List<String> before = new ArrayList<>();
        private final Map<String, String> environment = new TreeMap<>();

        /** Configuration and output in {@code home}, logs in {@code logs}. */
        Setup(Path home, Path logs, int port) {
            this.home = home;
            this.logs = logs;
            this.port = port;
        }

        /** Adds lines to {@code [log]}. */
        Setup log(String lines) {
            logTable = lines;
            return this;
        }

        /** Adds a link over UDP. */
        Setup alsoListen(String name, int itsPort) {
            moreLinks += """
                    [[link]]
                    name = "%s"
                    type = "udp"
                    listen = "127.0.0.1:%d"
                    """.formatted(name, itsPort);
            return this;
        }

        /** Lets programs publish through this socket; their topics come with a log's next file. */
        Setup publish(Path socket) {
            publish = "socket = \"%s\"\n[local]\nnew_topics = \"next_file\"".formatted(socket);
            return this;
        }

        /** A command that starts the program given as its further arguments. */
        Setup startedBy(String... command) {
            before.addAll(List.of(command));
            return this;
        }

        Setup environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Starts the program without waiting. */
        RecorderProcess launch() throws IOException {
            int httpPort = FreePorts.tcp();
            Path config = Files.writeString(
                    home.resolve("mavlogd.toml"), """
                    [log]
                    directory = "%s"
                    %s
                    [http]
                    listen = "127.0.0.1:%d"
                    [[link]]
                    name = "air"
                    type = "udp"
                    listen = "127.0.0.1:%d"
                    %s
                    # The vehicle's log alone: it is compared with what was sent.
                    [mavlink]
                    timesync = false
                    [messages]
                    include = []
                    statustext = "never"
                    [system]
                    enabled = false
                    [events]
                    enabled = false
                    [publish]
                    %s
                    """.formatted(logs, logTable, httpPort, port, moreLinks, publish));
            List<String> command = new ArrayList<>(before);
            command.addAll(
                    List.of(PROJECT.resolve("scripts/mavlogd").toString(), "run", "--config", config.toString()));
            Path output = Files.createTempFile(home, "output-", ".txt");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(home.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JOURNAL_STREAM", "NOTIFY_SOCKET"));
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().putAll(environment);
            RecorderProcess recorder = new RecorderProcess(builder.start(), output, httpPort);
            Host.closeAtEnd(recorder);
            return recorder;
        }

        /** Starts the program and waits until it is ready. */
        RecorderProcess start() throws IOException {
            RecorderProcess recorder = launch();
            recorder.awaitReady();
            return recorder;
        }
    }

    private RecorderProcess(Process process, Path output, int httpPort) {
        this.process = process;
        this.output = output;
        this.httpPort = httpPort;
    }

    /** Why the program cannot be started; empty if it can. */
    static String obstacle() {
        Path target = PROJECT.resolve("daemon/target");
        try (Stream<Path> files = Files.list(target)) {
            boolean built = files.anyMatch(file -> file.toString().endsWith(".jar"));
            return built && Files.isDirectory(target.resolve("lib")) ? "" : "needs the program: run mvn package";
        } catch (IOException e) {
            return "needs the program: run mvn package";
        }
    }

    /** The same for a program that writes to a {@link LoopDisk}. */
    static String obstacleOnLoopDisk() {
        String obstacle = LoopDisk.obstacle();
        return obstacle.isEmpty() ? obstacle() : obstacle;
    }

    int httpPort() {
        return httpPort;
    }

    long processId() {
        return process.pid();
    }

    void awaitReady() {
        await("ready", START_LIMIT, () -> {
            requireAlive();
            return output().contains("ready");
        });
    }

    /** Fails with the program's output if it has ended by itself. */
    void requireAlive() {
        if (!process.isAlive()) {
            throw new AssertionError("the recorder ended with " + process.exitValue() + ": " + output());
        }
    }

    /** Waits; fails if the program ends meanwhile. */
    void continueFor(Duration time) {
        long endNs = System.nanoTime() + time.toNanos();
        await("time to pass", time.plus(PATIENCE), () -> {
            requireAlive();
            return System.nanoTime() - endNs >= 0;
        });
    }

    String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** How often the output contains a text. */
    long printed(String text) {
        return output().lines().filter(line -> line.contains(text)).count();
    }

    /** The code and body of the health page. */
    String health() throws IOException, InterruptedException {
        HttpResponse<String> response = get("/healthz");
        return response.statusCode() + " " + response.body().strip();
    }

    /** The sum of a counter's lines that contain all of these words. */
    long metric(String name, String... words) throws IOException, InterruptedException {
        return (long) figure(name, words);
    }

    /** The same with decimals. */
    double figure(String name, String... words) throws IOException, InterruptedException {
        return get("/metrics")
                .body()
                .lines()
                .filter(line ->
                        line.startsWith("mavlogd_" + name) && Stream.of(words).allMatch(line::contains))
                .collect(Collectors.summingDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ')))))
                .doubleValue();
    }

    /** The status page; empty while the server refuses further clients. */
    String status() throws InterruptedException {
        try {
            HttpResponse<String> response = get("/status");
            return response.statusCode() == HTTP_OK ? response.body() : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** The time limit is that of the complete answer: the client's own ends with the answer's head. */
    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
                .build();
        CompletableFuture<HttpResponse<String>> answer = HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            return answer.get(HTTP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            answer.cancel(true);
            throw new IOException(path + ": no complete answer", e);
        }
    }

    /** Sends a signal such as SIGSTOP or SIGCONT. */
    void signal(String signal) throws IOException {
        Host.run("kill", "-" + signal, Long.toString(process.pid()));
    }

    /** Sends SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Sends SIGTERM; fails if the program does not end cleanly. */
    void terminate() throws InterruptedException {
        process.destroy();
        awaitEnd();
        if (process.exitValue() != 0) {
            throw new AssertionError("the recorder ended with " + process.exitValue() + ": " + output());
        }
    }

    private void awaitEnd() throws InterruptedException {
        if (!process.waitFor(END_LIMIT_S, TimeUnit.SECONDS)) {
            throw new AssertionError("the recorder does not end: " + output());
        }
        Host.closed(this);
    }

    /** Ends the program if it still runs, and logs what it said: its file is deleted with the fault's directory. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(END_LIMIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Host.closed(this);
        LOG.info("a recorder said:\n" + output());
    }
}
