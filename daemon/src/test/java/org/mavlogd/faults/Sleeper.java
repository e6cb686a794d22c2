package org.mavlogd.faults;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that only sleeps, a millisecond at a time, beside all others on this computer. How late it wakes shows how
 * much of a delay is the wait for a processor, whoever uses that: it explains a time, and excuses none.
 */
final class Sleeper implements AutoCloseable {
    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int LIMIT_MS = 10_000;

    private final AtomicLongArray countByMs = new AtomicLongArray(LIMIT_MS);
    private final Thread thread = new Thread(this::run, "sleeper");
    private volatile boolean closed;

    Sleeper() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long beforeNs = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(SLEEP_NS);
            long nowNs = System.nanoTime();
            long lateMs =
                    Math.min(TimeUnit.NANOSECONDS.toMillis(Math.max(0, nowNs - beforeNs - SLEEP_NS)), LIMIT_MS - 1L);
            // Whoever else had wanted to run meanwhile would have been late as well, by less and less.
            for (int ms = (int) lateMs; ms >= 0; ms--) {
                countByMs.incrementAndGet(ms);
            }
            beforeNs = nowNs;
        }
    }

    /** The longest delay, without this percentage of the longest. Any thread. */
    long lateMs(int percent) {
        long all = 0;
        for (int ms = 0; ms < LIMIT_MS; ms++) {
            all += countByMs.get(ms);
        }
        long left = all * percent / 100;
        for (int ms = LIMIT_MS - 1; ms > 0; ms--) {
            left -= countByMs.get(ms);
            if (left < 0) {
                return ms;
            }
        }
        return 0;
    }

    @Override
    public void close() {
        closed = true;
    }
}
