package org.mavlogd.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** The built program as a process, started with {@code scripts/mavlogd}. */
final class ProgramProcess implements AutoCloseable {
    private static final Path PROJECT = Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .resolve("..")
            .normalize();
    private static final Logger LOG = Logger.getLogger(ProgramProcess.class.getName());
    private static final long DEADLINE_S = 30;

    /** Environment variable with additional Java options. */
    static final String JAVA_OPTIONS = "JDK_JAVA_OPTIONS";

    private final Process process;
    private final Path output;

    private ProgramProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Whether the jar exists; it does when Maven runs these tests. */
    static boolean isBuilt() {
        Path target = PROJECT.resolve("daemon/target");
        try (var files = Files.list(target)) {
            return Files.isDirectory(target.resolve("lib"))
                    && files.anyMatch(file -> file.toString().endsWith(".jar"));
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts the program; its output goes to a file in {@code directory}. */
    static ProgramProcess start(Path directory, String... arguments) throws IOException {
        return start(directory, Map.of(), arguments);
    }

    /** The same with additional environment variables, such as {@link #JAVA_OPTIONS}. */
    static ProgramProcess start(Path directory, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(PROJECT.resolve("scripts/mavlogd").toString());
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().remove("JOURNAL_STREAM");
        builder.environment().remove("NOTIFY_SOCKET");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove(JAVA_OPTIONS);
        builder.environment().putAll(environment);
        return new ProgramProcess(builder.start(), output);
    }

    /** Runs the program until it ends. */
    static ProgramProcess run(Path directory, String... arguments) throws IOException, InterruptedException {
        ProgramProcess program = start(directory, arguments);
        try {
            program.awaitEnd();
            return program;
        } catch (AssertionError | InterruptedException e) {
            program.close();
            throw e;
        }
    }

    /** All output so far. */
    String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The libraries that the process has loaded. */
    List<String> libraries() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/" + process.pid() + "/maps"))) {
            return maps.filter(line -> line.endsWith(".so"))
                    .map(line -> line.substring(line.indexOf('/')))
                    .distinct()
                    .toList();
        }
    }

    void awaitReady() {
        SystemTests.await("ready", () -> {
            if (!process.isAlive()) {
                throw new AssertionError("ended with " + process.exitValue() + ": " + output());
            }
            return output().contains("ready");
        });
    }

    /** Sends SIGTERM, as systemd does; returns the time until the process ended. */
    Duration terminate() throws InterruptedException {
        long startNs = System.nanoTime();
        process.destroy();
        awaitEnd();
        return Duration.ofNanos(System.nanoTime() - startNs);
    }

    /** Sends SIGKILL: like a power cut after which the disk keeps everything written. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    int exitCode() {
        return process.exitValue();
    }

    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
            throw new AssertionError("does not end: " + output());
        }
    }

    /** Ends the process if it still runs, and logs what it said: its file may be deleted with the test's directory. */
    @Override
    public void close() {
        process.destroyForcibly();
        LOG.info("a program said:\n" + output());
    }
}
