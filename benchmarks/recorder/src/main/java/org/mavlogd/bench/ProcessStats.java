package org.mavlogd.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Figures of a process from {@code /proc}. */
final class ProcessStats {
    private static final double NS_PER_MS = 1e6;

    private final Path directory;

    ProcessStats(long pid) {
        directory = Path.of("/proc", Long.toString(pid));
    }

    /**
     * CPU time by thread. From {@code schedstat}, in nanoseconds: the ticks of 10 ms in {@code stat} are as long as all
     * that a slow stream costs in a second. A thread that ended is missing.
     */
    record Cpu(Map<String, Long> nsByThread) {
        /** CPU time used since an earlier time. */
        Cpu since(Cpu earlier) {
            Map<String, Long> used = new TreeMap<>();
            nsByThread.forEach((thread, ns) -> used.put(thread, ns - earlier.nsByThread.getOrDefault(thread, 0L)));
            return new Cpu(used);
        }

        double totalMs() {
            return nsByThread.values().stream().mapToLong(Long::longValue).sum() / NS_PER_MS;
        }

        /** Of all threads whose names begin so. */
        double msOf(String thread) {
            return nsByThread.entrySet().stream()
                            .filter(entry -> nameOf(entry.getKey()).startsWith(thread))
                            .mapToLong(Map.Entry::getValue)
                            .sum()
                    / NS_PER_MS;
        }

        /** Of a key, which is a number and the name. */
        static String nameOf(String thread) {
            return thread.substring(thread.indexOf(' ') + 1);
        }

        /** Threads that used the most, with their milliseconds for each of {@code units}. */
        String shares(double units) {
            StringBuilder text = new StringBuilder();
            nsByThread.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .limit(4)
                    .forEach(entry -> text.append(String.format(
                            Locale.ROOT,
                            "%s%s %.2f",
                            text.isEmpty() ? "" : ", ",
                            nameOf(entry.getKey()),
                            entry.getValue() / NS_PER_MS / units)));
            return text.toString();
        }
    }

    /** How often each thread went to sleep so far, by its own will: each time it was woken. */
    Map<String, Long> wakeUps() throws IOException {
        return byThread(thread -> {
            for (String line : Files.readAllLines(thread.resolve("status"))) {
                if (line.startsWith("voluntary_ctxt_switches:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
            throw new IOException(thread + "/status does not tell of switches");
        });
    }

    Cpu cpu() throws IOException {
        return new Cpu(byThread(thread ->
                Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", -1)[0])));
    }

    /** Reads a number of a thread from its directory. */
    @FunctionalInterface
    private interface Reading {
        long of(Path thread) throws IOException;
    }

    private Map<String, Long> byThread(Reading reading) throws IOException {
        Map<String, Long> byThread = new TreeMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(directory.resolve("task"))) {
            for (Path thread : threads) {
                try {
                    String name = Files.readString(thread.resolve("comm")).strip();
                    byThread.put(thread.getFileName() + " " + name, reading.of(thread));
                } catch (NoSuchFileException e) {
                    // The thread ended while we looked.
                }
            }
        }
        return byThread;
    }

    /** A line of {@code status} in kB: VmRSS, or VmHWM for the highest so far. */
    double statusMb(String key) throws IOException {
        for (String line : Files.readAllLines(directory.resolve("status"))) {
            if (line.startsWith(key + ":")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024 / 1e6;
            }
        }
        throw new IOException(directory + "/status has no line " + key);
    }
}
