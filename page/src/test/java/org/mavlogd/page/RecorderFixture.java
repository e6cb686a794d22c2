package org.mavlogd.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mavlogd.computer.FreePorts;

/** A recorder and simulated vehicles, each in its own process, and the configuration by which a page finds them. */
final class RecorderFixture implements AutoCloseable {
    private static final long PROCESS_S = 300;

    private final Path directory;
    private final Path logs;
    private final Path config;
    private final int vehiclePort;
    private final List<Process> processes = new ArrayList<>();

    RecorderFixture(Path directory) throws IOException {
        this(directory, "", "");
    }

    /**
     * A recorder with additional lines in its configuration.
     *
     * @param http lines of section [http]
     * @param page lines of section [page]
     */
    RecorderFixture(Path directory, String http, String page) throws IOException {
        this.directory = directory;
        this.logs = Files.createDirectory(directory.resolve("logs"));
        vehiclePort = FreePorts.udp();
        int httpPort = FreePorts.tcp();
        config = Files.writeString(
                directory.resolve("mavlogd.toml"), """
                [log]
                directory = "%s"
                [http]
                listen = "127.0.0.1:%d"
                %s
                [page]
                listen = "127.0.0.1:0"
                %s
                [publish]
                enabled = false
                [[link]]
                name = "vehicles"
                type = "udp"
                listen = "127.0.0.1:%d"
                """.formatted(logs, httpPort, http, page, vehiclePort));
    }

    /** The directory into which the recorder writes. */
    Path logs() {
        return logs;
    }

    Path config() {
        return config;
    }

    Process recorder() throws IOException {
        return java("org.mavlogd.app.RunMain", "run", "--config", config.toString(), "--log-level", "warn");
    }

    Process vehicle(String kind, String log, int id) throws IOException {
        return simulate(kind, log, id, "--armed", "--loop");
    }

    /** Starts a simulated vehicle with additional options. */
    Process simulate(String kind, String log, int id, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "simulate",
                kind,
                "--log",
                log,
                "--to",
                "udp:127.0.0.1:" + vehiclePort,
                "--system-id",
                Integer.toString(id)));
        words.addAll(List.of(options));
        return java("org.mavlogd.tools.Main", words.toArray(String[]::new));
    }

    /** Starts Java with one compiler thread, since the tests' two cores also run a browser. */
    private Process java(String main, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main));
        command.addAll(List.of(words));
        Path out = directory.resolve(main + "-" + processes.size() + ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        process.onExit().orTimeout(PROCESS_S, TimeUnit.SECONDS).exceptionally(late -> process.destroyForcibly());
        processes.add(process);
        return process;
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
