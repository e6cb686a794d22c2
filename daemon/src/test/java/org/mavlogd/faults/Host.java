package org.mavlogd.faults;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.mavlogd.computer.PromisedTime;

/** The machine that the tests run on: what it can do, its commands, and what must be undone when this process ends early. */
final class Host {
    private static final long COMMAND_LIMIT_S = 60;
    private static final Set<AutoCloseable> LEFTOVERS = ConcurrentHashMap.newKeySet();
    private static final Set<Path> DIRECTORIES = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Host::closeLeftovers, "clean-up"));
    }

    private Host() {}

    /** Why nothing can be mounted here; empty when it can. */
    static String mountObstacle() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return "needs root, to mount a file system";
        }
        return Files.exists(Path.of("/dev/loop-control"))
                ? missing("mkfs.ext4", "mount", "umount")
                : "needs loop devices: there is no /dev/loop-control";
    }

    /** Which of these commands is missing; empty when none is. */
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
     * Whether other tests run beside this one, as in a build, or more programs wanted to run lately than there are processors: how long
     * things take then says little of ours. {@code scripts/soak --short} judges times where the machine is idle.
     */
    static boolean isBusy() {
        return PromisedTime.hasTestsBeside()
                || ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
                        > Runtime.getRuntime().availableProcessors();
    }

    /** Runs a command to its end; fails when it does. */
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

    /** A new directory for one fault. */
    static Path newDirectory() throws IOException {
        Path directory = Files.createTempDirectory("mavlogd-fault-");
        DIRECTORIES.add(directory);
        return directory;
    }

    /** Deletes a directory with all that is in it. */
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

    /** To be closed when this process ends, if it was not before. */
    static void closeAtEnd(AutoCloseable leftover) {
        LEFTOVERS.add(leftover);
    }

    static void closed(AutoCloseable leftover) {
        LEFTOVERS.remove(leftover);
    }

    private static void closeLeftovers() {
        // Processes first: what they hold open cannot be unmounted.
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
