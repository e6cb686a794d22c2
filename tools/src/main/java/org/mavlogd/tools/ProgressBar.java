package org.mavlogd.tools;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.mavlogd.logtools.Progress;

/** A line on a terminal that shows the progress of a long operation; short operations are not shown. */
final class ProgressBar implements Progress, AutoCloseable {
    private static final long FIRST_NS = 400_000_000L;
    private static final long INTERVAL_NS = 100_000_000L;
    private static final int CELLS = 40;
    private static final double BYTES_PER_MB = 1e6;
    private static final double BYTES_PER_KB = 1e3;
    /** From this size on, tenths of a megabyte are not shown. */
    private static final double MANY_BYTES = 20e6;

    private final PrintWriter terminal;
    private final LongSupplier nanoClock;
    private String label = "";
    private long firstBytes;
    private long startNs;
    private long nextNs;
    private boolean shown;

    ProgressBar(PrintWriter terminal, LongSupplier nanoClock) {
        this.terminal = terminal;
        this.nanoClock = nanoClock;
        this.startNs = nanoClock.getAsLong();
        this.nextNs = startNs + FIRST_NS;
    }

    /** A progress bar without output. */
    static ProgressBar nowhere() {
        return new ProgressBar(new PrintWriter(Writer.nullWriter()), System::nanoTime);
    }

    /**
     * Starts another operation.
     *
     * @param name of the operation
     * @param doneBytes bytes that were done before, which do not count for its speed
     */
    void begin(String name, long doneBytes) {
        close();
        label = name + ' ';
        firstBytes = doneBytes;
        startNs = nanoClock.getAsLong();
        nextNs = startNs + FIRST_NS;
    }

    @Override
    public void onProgress(long doneBytes, long totalBytes) {
        long nowNs = nanoClock.getAsLong();
        if (nowNs - nextNs < 0) {
            return;
        }
        nextNs = nowNs + INTERVAL_NS;
        shown = true;
        double part = totalBytes <= 0 ? 0 : Math.min(1, doneBytes / (double) totalBytes);
        int full = (int) (part * CELLS);
        int digits = totalBytes < MANY_BYTES ? 1 : 0;
        terminal.printf(
                Locale.ROOT,
                "\r%s[%s%s] %3.0f %%  %." + digits + "f of %." + digits + "f MB, %s\033[K",
                label,
                "#".repeat(full),
                ".".repeat(CELLS - full),
                Math.floor(100 * part),
                doneBytes / BYTES_PER_MB,
                totalBytes / BYTES_PER_MB,
                speed(Math.max(0, doneBytes - firstBytes) / ((nowNs - startNs) / 1e9)));
        terminal.flush();
    }

    private static String speed(double bytesPerSecond) {
        return bytesPerSecond < BYTES_PER_MB
                ? String.format(Locale.ROOT, "%.0f KB/s", bytesPerSecond / BYTES_PER_KB)
                : String.format(Locale.ROOT, "%.0f MB/s", bytesPerSecond / BYTES_PER_MB);
    }

    /** Removes the line. */
    @Override
    public void close() {
        if (shown) {
            shown = false;
            terminal.print("\r\033[K");
            terminal.flush();
        }
    }
}
