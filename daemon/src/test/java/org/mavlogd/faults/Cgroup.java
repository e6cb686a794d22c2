package org.mavlogd.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A control group of version 1 or 2 with a limit, for one process. */
final class Cgroup implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_US = 100_000;
    private static final int ATTEMPTS = 100;

    private final Path directory;
    private final boolean unified;

    private Cgroup(Path directory, boolean unified) {
        this.directory = directory;
        this.unified = unified;
        Host.closeAtEnd(this);
    }

    /** Why a controller cannot be used; empty if it can. */
    static String obstacle(String controller) {
        try {
            make(controller).close();
            return "";
        } catch (IOException e) {
            return "needs root and the " + controller + " controller of control groups: " + e.getMessage();
        }
    }

    static Cgroup withCpuQuarter() throws IOException {
        Cgroup group = make("cpu");
        if (group.unified) {
            group.write("cpu.max", PERIOD_US / 4 + " " + PERIOD_US);
        } else {
            group.write("cpu.cfs_period_us", Integer.toString(PERIOD_US));
            group.write("cpu.cfs_quota_us", Integer.toString(PERIOD_US / 4));
        }
        return group;
    }

    static Cgroup withMemory(int mebibytes) throws IOException {
        Cgroup group = make("memory");
        group.write(group.unified ? "memory.max" : "memory.limit_in_bytes", Long.toString((long) mebibytes << 20));
        return group;
    }

    private static Cgroup make(String controller) throws IOException {
        boolean unified = !Files.isDirectory(ROOT.resolve(controller));
        Path parent = unified ? ROOT : ROOT.resolve(controller);
        if (unified && !Files.readString(ROOT.resolve("cgroup.subtree_control")).contains(controller)) {
            throw new IOException("it is not in " + ROOT + "/cgroup.subtree_control");
        }
        Path directory =
                parent.resolve("mavlogd-fault-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        return new Cgroup(Files.createDirectory(directory), unified);
    }

    /** A command that enters the group and then executes its arguments. */
    String[] entry() {
        return new String[] {"sh", "-c", "echo $$ >" + directory.resolve("cgroup.procs") + " && exec \"$@\"", "sh"};
    }

    long throttledMs() throws IOException {
        return unified ? figure("cpu.stat", "throttled_usec") / 1000 : figure("cpu.stat", "throttled_time") / 1_000_000;
    }

    long mostUsedBytes() throws IOException {
        return Long.parseLong(Files.readString(directory.resolve(unified ? "memory.peak" : "memory.max_usage_in_bytes"))
                .strip());
    }

    private long figure(String file, String name) throws IOException {
        Optional<String> line = Files.readAllLines(directory.resolve(file)).stream()
                .filter(text -> text.startsWith(name + " "))
                .findFirst();
        return line.map(text -> Long.parseLong(text.substring(name.length() + 1)))
                .orElse(0L);
    }

    private void write(String file, String value) throws IOException {
        Files.writeString(directory.resolve(file), value);
    }

    /** The group's process must have ended; the kernel may take a moment to notice. */
    @Override
    public void close() throws IOException {
        Host.closed(this);
        for (int attempt = 1; ; attempt++) {
            try {
                Files.deleteIfExists(directory);
                return;
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }
}
