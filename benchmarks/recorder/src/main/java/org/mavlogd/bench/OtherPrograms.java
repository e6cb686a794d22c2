package org.mavlogd.bench;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts the programs with which the recorder is compared, in a directory that {@link #close} deletes. */
final class OtherPrograms implements AutoCloseable {
    private final Path root;
    private final Path work;

    /** A program that runs; {@link #close} ends it. */
    record Running(long pid, Closeable end) implements Closeable {
        @Override
        public void close() throws IOException {
            end.close();
        }
    }

    /** @param root root of the source tree */
    OtherPrograms(Path root) throws IOException {
        this.root = root;
        this.work = Files.createTempDirectory("mavlogd-beside-");
    }

    Path work() {
        return work;
    }

    /**
     * Starts mavlink-router, which records into its own directory.
     *
     * @param general additional lines of {@code [General]}
     * @param endpoints sections of the endpoints
     */
    Running startRouter(Path program, String general, String endpoints) throws IOException {
        Path logs = Files.createDirectories(work.resolve("router-logs"));
        Path config = Files.writeString(work.resolve("router.conf"), """
                [General]
                Log = %s
                %s
                %s
                """.formatted(logs, general, endpoints));
        Process process = new ProcessBuilder(program.toString(), "-c", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return of(process);
    }

    /** The serial port that {@link #startCable} makes. */
    Path device() {
        return work.resolve("tty");
    }

    /** Makes a serial port whose other end is a connection to this TCP port; empty if there is no socat. */
    Optional<Running> startCable(int port) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(
                            "socat",
                            "PTY,raw,echo=0,link=" + device(),
                            "TCP-LISTEN:" + port + ",bind=127.0.0.1,reuseaddr")
                    .inheritIO()
                    .start();
        } catch (IOException e) {
            return Optional.empty(); // no socat
        }
        while (!Files.exists(device())) {
            if (process.waitFor(10, TimeUnit.MILLISECONDS)) {
                throw new IOException("socat makes no serial port: it ended with " + process.exitValue());
            }
        }
        return Optional.of(of(process));
    }

    /** Compiles a program of this module's C sources; empty if there is no compiler. */
    Optional<Path> compile(String name) throws IOException, InterruptedException {
        Path program = work.resolve(name);
        Path source = root.resolve("benchmarks/recorder/src/main/c").resolve(name + ".c");
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

    /** Starts a compiled program and waits until it prints "ready". */
    Running startC(Path program, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (!"ready".equals(line)) {
            process.destroyForcibly();
            throw new IOException(program.getFileName() + " in C does not start: " + line);
        }
        return of(process);
    }

    static Running of(Process process) {
        return new Running(process.pid(), () -> {
            process.destroy();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    static int freeUdpPort() throws IOException {
        try (DatagramSocket udp = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return udp.getLocalPort();
        }
    }

    static int freeTcpPort() throws IOException {
        try (ServerSocket tcp = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return tcp.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(work)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
