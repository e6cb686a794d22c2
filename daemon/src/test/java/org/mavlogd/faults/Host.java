package org.mavlogd.faults;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.mavlogd.computer.PromisedTime;

/** The machine that the tests run on: its abilities, its commands, and the cleanup if this process ends early. */
final class Host {
    private static final long COMMAND_LIMIT_S = 60;
    private static final Duration DURABLE = Duration.ofMillis(500);
    private static final Set<AutoCloseable> LEFTOVERS = ConcurrentHashMap.newKeySet();
    private static final Set<Path> DIRECTORIES = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Host::closeLeftovers, "clean-up"));
    }

    private Host() {}

    /** Why nothing can be mounted here; empty if it can. */
    static String mountObstacle() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return "needs root, to mount a file system";
        }
        return Files.exists(Path.of("/dev/loop-control"))
                ? missing("mkfs.ext4", "mount", "umount")
                : "needs loop devices: there is no /dev/loop-control";
    }

    /** The first of these commands that is missing; empty if none is. */
    static String missing(String... commands) {
        for (String command : commands) {
            boolean found = Stream.of("/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/", "/usr/local/bin/")
                    .anyMatch(place -> Files.isExecutable(Path.of(place + command)));
            if (!found) {
                return "needs the command " + command;
            }
        }
        return "";
    }

    /**
     * Whether other tests run beside this one, as in a build, or more programs wanted to run lately than there are
     * processors: durations then say little about the recorder. {@code scripts/soak --short} checks durations on an
     * idle machine.
     */
    static boolean isBusy() {
        return PromisedTime.hasTestsBeside() || programsPerProcessor() > 1;
    }

    /**
     * Data that is older than this must be in the file, and on disk. A busy machine may take twice as long, or as many
     * times as there are programs for each processor.
     */
    static Duration durable() {
        return isBusy() ? DURABLE.multipliedBy(Math.max(2, Math.round(programsPerProcessor()))) : DURABLE;
    }

    private static double programsPerProcessor() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
                / Runtime.getRuntime().availableProcessors();
    }

    /** Runs a command until it ends; fails if the command fails. */
    static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor(COMMAND_LIMIT_S, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return output;
            }
            throw new IOException(String.join(" ", command) + ": " + output.strip());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(String.join(" ", command) + " was interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Makes a directory for one fault. */
    static Path newDirectory() throws IOException {
        Path directory = Files.createTempDirectory("mavlogd-fault-");
        DIRECTORIES.add(directory);
        return directory;
    }

    /** Deletes a directory with its contents. */
    static void delete(Path directory) throws IOException {
        DIRECTORIES.remove(directory);
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> deepestFirst =
                    all.sorted((a, b) -> b.getNameCount() - a.getNameCount()).toList();
            for (Path path : deepestFirst) {
                Files.delete(path);
            }
        }
    }

    /** Closes this when the process ends, unless it was closed before. */
    static void closeAtEnd(AutoCloseable leftover) {
        LEFTOVERS.add(leftover);
    }

    static void closed(AutoCloseable leftover) {
        LEFTOVERS.remove(leftover);
    }

    private static void closeLeftovers() {
        // Processes first: a directory that they use cannot be unmounted.
        LEFTOVERS.stream()
                .sorted((a, b) -> Boolean.compare(b instanceof RecorderProcess, a instanceof RecorderProcess))
                .forEach(Host::closeQuietly);
        DIRECTORIES.forEach(directory -> closeQuietly(() -> delete(directory)));
    }

    private static void closeQuietly(AutoCloseable leftover) {
        try {
            leftover.close();
        } catch (Exception e) {
            System.err.println("clean-up: " + e);
        }
    }
}
