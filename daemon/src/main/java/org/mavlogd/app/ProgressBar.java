package org.mavlogd.app;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.mavlogd.logtools.Progress;

/** A line on a terminal that shows how far a work has come; only work that takes longer than a moment is shown. */
final class ProgressBar implements Progress, AutoCloseable {
    private static final long FIRST_NS = 400_000_000L;
    private static final long INTERVAL_NS = 100_000_000L;
    private static final int CELLS = 40;
    private static final double BYTES_PER_MB = 1e6;

    private final PrintWriter terminal;
    private final LongSupplier nanoClock;
    private final long startNs;
    private long nextNs;
    private boolean shown;

    ProgressBar(PrintWriter terminal, LongSupplier nanoClock) {
        this.terminal = terminal;
        this.nanoClock = nanoClock;
        this.startNs = nanoClock.getAsLong();
        this.nextNs = startNs + FIRST_NS;
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
        terminal.printf(
                Locale.ROOT,
                "\r[%s%s] %3.0f %%  %.0f of %.0f MB, %.0f MB/s\033[K",
                "#".repeat(full),
                ".".repeat(CELLS - full),
                Math.floor(100 * part),
                doneBytes / BYTES_PER_MB,
                totalBytes / BYTES_PER_MB,
                doneBytes / BYTES_PER_MB / ((nowNs - startNs) / 1e9));
        terminal.flush();
    }

    /** Takes the line away. */
    @Override
    public void close() {
        if (shown) {
            terminal.print("\r\033[K");
            terminal.flush();
        }
    }
}
