package org.mavlogd.record.merge;

import java.util.concurrent.TimeUnit;

/** So many bytes a second, and what was left over of the second before. Pure. Owned by one thread. Hot path. */
final class ByteBudget {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final long bytesPerSecond;
    private long left;
    private long lastNs;

    ByteBudget(long bytesPerSecond, long nowNs) {
        this.bytesPerSecond = bytesPerSecond;
        this.left = bytesPerSecond;
        this.lastNs = nowNs;
    }

    /** Time has passed. */
    void refill(long nowNs) {
        long passedNs = Math.min(SECOND_NS, nowNs - lastNs);
        long bytes = (long) ((double) passedNs * bytesPerSecond / SECOND_NS);
        if (bytes > 0) {
            left = Math.min(bytesPerSecond, left + bytes);
            lastNs = nowNs;
        }
    }

    boolean hasAny() {
        return left > 0;
    }

    /** May overdraw by what was begun. */
    void take(int bytes) {
        left -= bytes;
    }
}
