package org.mavlogd.link;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a {@link BulkSocket} is read, and estimates when its datagrams arrived. Grows from short intervals, so
 * that a stream that begins is measured before it is left alone, and leaves three quarters of what the kernel holds for
 * bursts. Time is an argument. Hot path.
 */
final class BulkPace {
    static final long SHORTEST_NS = TimeUnit.MILLISECONDS.toNanos(4);

    // The kernel counts 768 bytes and more for a datagram of up to 300 bytes, in twice the size that it reports.
    private static final int BYTES_PER_DATAGRAM = 512;
    private static final int SHARE = 4;

    private final long share;
    private final long longestNs;
    private long drainedNs;
    private long heardNs;
    private long intervalNs = SHORTEST_NS;
    // Between two datagrams, as measured last.
    private long distanceNs;

    /**
     * Nothing is known yet.
     *
     * @param bufferBytes what the kernel grants, as the JDK reports it
     * @param longestNs between two readings
     */
    BulkPace(int bufferBytes, long longestNs, long nowNs) {
        this.longestNs = longestNs;
        share = Math.max(1, bufferBytes / BYTES_PER_DATAGRAM / SHARE);
        drainedNs = nowNs;
        heardNs = nowNs;
    }

    long intervalNs() {
        return intervalNs;
    }

    long silenceNs(long nowNs) {
        return nowNs - heardNs;
    }

    /** When the n-th datagram since the last reading came, as far as can be told: evenly, but not in the future. */
    long arrivalNs(int n, long nowNs) {
        return Math.min(nowNs, drainedNs + n * distanceNs);
    }

    /** All that was there has been read: so many. */
    void drained(int count, long nowNs) {
        long passedNs = Math.max(1, nowNs - drainedNs);
        if (count > 0) {
            heardNs = nowNs;
            distanceNs = passedNs / count;
            long safeNs = share * distanceNs;
            intervalNs = Math.max(SHORTEST_NS, Math.min(Math.min(2 * intervalNs, longestNs), safeNs));
        } else if (passedNs >= intervalNs) {
            intervalNs = Math.min(2 * intervalNs, longestNs);
        }
        drainedNs = nowNs;
    }
}
