package org.mavlogd.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The CPU time of a process over some seconds.
 *
 * @param msPerS milliseconds of CPU time of all threads per second
 * @param wakeUpsPerS wake-ups of its threads per second
 * @param rssMb resident memory at the end, in MB
 * @param threads the threads that used the most CPU time: name, ms/s and wake-ups a second
 */
record ProcessLoad(double msPerS, double wakeUpsPerS, double rssMb, List<String> threads) {
    private static final int THREADS_SHOWN = 8;
    /** The prefix of the names of Java's compiler threads. */
    private static final String COMPILER = "C1 Compiler";

    private static final double AT_REST_MS_PER_S = 0.3;
    private static final int COMPILER_LOOK_S = 20;
    private static final int COMPILER_LIMIT_S = 180;

    static ProcessLoad measure(long pid, int seconds) throws IOException, InterruptedException {
        ProcessStats stats = new ProcessStats(pid);
        long beginNs = System.nanoTime();
        ProcessStats.Cpu before = stats.cpu();
        Map<String, Long> wokenBefore = stats.wakeUps();
        TimeUnit.SECONDS.sleep(seconds);
        ProcessStats.Cpu used = stats.cpu().since(before);
        Map<String, Long> woken = stats.wakeUps();
        woken.replaceAll((thread, count) -> count - wokenBefore.getOrDefault(thread, 0L));
        double took = (System.nanoTime() - beginNs) / 1e9;
        List<String> threads = used.nsByThread().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(THREADS_SHOWN)
                .map(thread -> String.format(
                        Locale.ROOT,
                        "%s %.2f/%.0f",
                        ProcessStats.Cpu.nameOf(thread.getKey()),
                        thread.getValue() / 1e6 / took,
                        woken.getOrDefault(thread.getKey(), 0L) / took))
                .toList();
        long wakeUps = woken.values().stream().mapToLong(Long::longValue).sum();
        return new ProcessLoad(used.totalMs() / took, wakeUps / took, stats.statusMb("VmRSS"), threads);
    }

    /**
     * Waits until Java's compiler is at rest, and returns the seconds that it waited. The JVM takes minutes to compile
     * the methods of a new kind of work, a few milliseconds at a time.
     */
    static int awaitCompiler(long pid) throws IOException, InterruptedException {
        ProcessStats stats = new ProcessStats(pid);
        int waited = 0;
        double msPerS = Double.MAX_VALUE;
        while (msPerS > AT_REST_MS_PER_S && waited < COMPILER_LIMIT_S) {
            ProcessStats.Cpu before = stats.cpu();
            TimeUnit.SECONDS.sleep(COMPILER_LOOK_S);
            waited += COMPILER_LOOK_S;
            msPerS = stats.cpu().since(before).msOf(COMPILER) / COMPILER_LOOK_S;
        }
        return waited;
    }

    static ProcessLoad medianOf(long pid, int seconds, int runs) throws IOException, InterruptedException {
        List<ProcessLoad> all = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            all.add(measure(pid, seconds));
        }
        return median(all);
    }

    /** The one in the middle by CPU time. */
    static ProcessLoad median(List<ProcessLoad> loads) {
        List<ProcessLoad> sorted = new ArrayList<>(loads);
        sorted.sort(Comparator.comparingDouble(ProcessLoad::msPerS));
        return sorted.get(sorted.size() / 2);
    }
}
