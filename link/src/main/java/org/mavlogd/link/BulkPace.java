package org.mavlogd.link;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a {@link BulkSocket} is read, and estimates when its datagrams arrived. It starts with short intervals,
 * so that a new stream is measured first, and leaves two thirds of the kernel's buffer for bursts. Takes the time
 * as an argument. Hot path.
 */
final class BulkPace {
    static final long SHORTEST_NS = TimeUnit.MILLISECONDS.toNanos(4);

    // The kernel accounts 768 to 1,280 bytes for a datagram of up to 300 bytes, in a buffer twice as large as it
    // reports.
    private static final int BYTES_PER_DATAGRAM = 512;
    private static final int SHARE = 4;

    private final long share;
    private final long longestNs;
    private long drainedNs;
    private long heardNs;
    private long intervalNs = SHORTEST_NS;
    // Time between two datagrams, as measured last.
    private long distanceNs;

    /**
     * Starts without a measurement.
     *
     * @param bufferBytes receive buffer that the kernel grants, as the JDK reports it
     * @param longestNs maximum time between two reads
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

    /** Estimated arrival of the n-th datagram since the last read: spread evenly, and not in the future. */
    long arrivalNs(int n, long nowNs) {
        return Math.min(nowNs, drainedNs + n * distanceNs);
    }

    /** Measures again with short intervals: a stream may begin now, and its rate is unknown. */
    void restart() {
        intervalNs = SHORTEST_NS;
    }

    /**
     * Records that the socket was read empty and had this many datagrams.
     *
     * @param nowNs when the reading was over: at high rates, many datagrams arrive while others are read
     */
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
