package org.mavlogd.fleet;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Limits the bytes per second of all targets together, and counts them. Any thread. */
final class RateLimit {
    /** Maximum burst after a pause. */
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Waits. */
    interface Sleeper {
        void sleep(long ns) throws InterruptedException;
    }

    private final long bytesPerS;
    private final LongSupplier clockNs;
    private final Sleeper sleeper;
    private final AtomicLong total = new AtomicLong();
    // Time until which the bytes allowed so far take. Guarded by this.
    private long throughNs;

    /** @param bytesPerS 0 for no limit */
    RateLimit(long bytesPerS, LongSupplier clockNs, Sleeper sleeper) {
        this.bytesPerS = bytesPerS;
        this.clockNs = clockNs;
        this.sleeper = sleeper;
        this.throughNs = clockNs.getAsLong();
    }

    /** Returns when {@code bytes} more may be sent. */
    void pass(int bytes) throws InterruptedException {
        long waitNs = bytesPerS == 0 ? 0 : reserve(bytes);
        if (waitNs > 0) {
            sleeper.sleep(waitNs);
        }
        total.addAndGet(bytes);
    }

    private synchronized long reserve(int bytes) {
        long nowNs = clockNs.getAsLong();
        if (throughNs - (nowNs - BURST_NS) < 0) {
            throughNs = nowNs - BURST_NS;
        }
        throughNs += Math.multiplyExact((long) bytes, TimeUnit.SECONDS.toNanos(1)) / bytesPerS;
        return throughNs - nowNs;
    }

    /** Number of all bytes so far. */
    long totalBytes() {
        return total.get();
    }
}
