package org.mavlogd.record;

import java.util.concurrent.TimeUnit;

/** When a new file may be tried for again. Pure; owned by the recorder's thread. */
final class RetryPause {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    // A disk on which every file fails soon would otherwise be filled with broken beginnings.
    private static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long STEADY_NS = TimeUnit.SECONDS.toNanos(10);

    private long endNs;
    private int shortLived;

    boolean isOver(long nowNs) {
        return nowNs - endNs >= 0;
    }

    void none(long nowNs) {
        endNs = nowNs;
    }

    /** Nothing could be begun. */
    void aSecond(long nowNs) {
        endNs = nowNs + RETRY_NS;
    }

    /** A file failed that had grown for so long: none at first, then one second, and longer each time that one fails soon. */
    void afterFailure(long nowNs, long ageNs) {
        if (ageNs >= STEADY_NS) {
            shortLived = 0;
        }
        long pauseNs = shortLived == 0 ? 0 : Math.min(RETRY_NS << (shortLived - 1), MAX_RETRY_NS);
        shortLived = Math.min(shortLived + 1, Integer.SIZE);
        endNs = nowNs + pauseNs;
    }
}
