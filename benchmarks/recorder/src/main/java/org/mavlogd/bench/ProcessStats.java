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
     * CPU time by thread, from {@code schedstat}, in nanoseconds: the ticks of 10 ms in {@code stat} are too coarse,
     * since a slow stream costs no more than one in a second. Threads that have ended are missing.
     */
    record Cpu(Map<String, Long> nsByThread) {
        /** CPU time used since {@code earlier}. */
        Cpu since(Cpu earlier) {
            Map<String, Long> used = new TreeMap<>();
            nsByThread.forEach((thread, ns) -> used.put(thread, ns - earlier.nsByThread.getOrDefault(thread, 0L)));
            return new Cpu(used);
        }

        double totalMs() {
            return nsByThread.values().stream().mapToLong(Long::longValue).sum() / NS_PER_MS;
        }

        /** Milliseconds of all threads whose names begin with {@code thread}. */
        double msOf(String thread) {
            return nsByThread.entrySet().stream()
                            .filter(entry -> nameOf(entry.getKey()).startsWith(thread))
                            .mapToLong(Map.Entry::getValue)
                            .sum()
                    / NS_PER_MS;
        }

        /** The thread's name in a key, which consists of the thread's number and name. */
        static String nameOf(String thread) {
            return thread.substring(thread.indexOf(' ') + 1);
        }

        /** The threads that used the most CPU time, with their milliseconds per unit. */
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

    /** How often each thread has gone to sleep voluntarily so far, which equals its wake-ups. */
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
                    // The thread ended in the meantime.
                }
            }
        }
        return byThread;
    }

    /** A value of {@code status}, which is in kB, as MB: VmRSS, or VmHWM for the peak. */
    double statusMb(String key) throws IOException {
        for (String line : Files.readAllLines(directory.resolve("status"))) {
            if (line.startsWith(key + ":")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024 / 1e6;
            }
        }
        throw new IOException(directory + "/status has no line " + key);
    }
}
