package org.mavlogd.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes that each thread of a JVM has allocated, from {@code jcmd Thread.print -e}, which needs no change to the
 * measured program. The JVM prints whole KiB above 10 KiB and whole MiB above 10 MiB.
 */
record ThreadAllocations(Map<String, Long> bytesByThread) {
    private static final Pattern LINE =
            Pattern.compile("^\"(?<name>[^\"]+)\".* allocated=(?<amount>\\d+)(?<unit>[BKMG]) ", Pattern.MULTILINE);
    private static final long LIMIT_S = 20;

    static ThreadAllocations of(long pid) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), "Thread.print", "-e")
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("jcmd failed: " + text);
        }
        Map<String, Long> bytes = new TreeMap<>();
        Matcher matcher = LINE.matcher(text);
        while (matcher.find()) {
            long unit = 1L << (10 * "BKMG".indexOf(matcher.group("unit")));
            bytes.merge(matcher.group("name"), Long.parseLong(matcher.group("amount")) * unit, Long::sum);
        }
        if (bytes.isEmpty()) {
            throw new IOException("jcmd tells no allocations: " + text);
        }
        return new ThreadAllocations(bytes);
    }

    /** Bytes that a thread has allocated since {@code earlier}. */
    long since(ThreadAllocations earlier, String thread) {
        Long now = bytesByThread.get(thread);
        if (now == null) {
            throw new IllegalStateException("no thread " + thread + " among " + bytesByThread.keySet());
        }
        return now - earlier.bytesByThread.getOrDefault(thread, 0L);
    }
}
