package org.mavlogd.record.merge;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a log begins a new file for topics that came after its definitions: soon for the first few, so that a
 * flight has them, then so rarely that no program can divide a log into many files. Owned by the recorder's thread.
 */
public final class NewFileSchedule {
    /** New files for late topics that a log may have before further ones are delayed. */
    public static final int BURST = 6;

    /** After the burst one new file is allowed per this time. */
    static final long REFILL_NS = TimeUnit.MINUTES.toNanos(10);

    /** Minimum time between two such files. */
    static final long DISTANCE_NS = TimeUnit.SECONDS.toNanos(10);

    // Topics that appear together at start are put into one new file.
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);

    private int left = BURST;
    private long refilledNs;
    private long lastNs;
    private boolean isWanted;
    private long dueNs;

    /** Requests a file for late topics. */
    void want(long nowNs) {
        if (!isWanted) {
            isWanted = true;
            dueNs = later(nowNs + SETTLE_NS, earliestNs(nowNs));
        }
    }

    boolean isWanted() {
        return isWanted;
    }

    boolean isDue(long nowNs) {
        return isWanted && nowNs - dueNs >= 0;
    }

    /** Whether a file requested now begins within seconds; else it begins in minutes, if the log lasts so long. */
    boolean isSoon(long nowNs) {
        return earliestNs(nowNs) - nowNs <= DISTANCE_NS;
    }

    /** A file began for the topics. */
    void began(long nowNs) {
        refill(nowNs);
        if (left == BURST) {
            refilledNs = nowNs;
        }
        left = Math.max(0, left - 1);
        lastNs = nowNs;
        isWanted = false;
    }

    /** No file could begin: it is tried again. */
    void failed(long nowNs) {
        dueNs = nowNs + SETTLE_NS;
    }

    private long earliestNs(long nowNs) {
        refill(nowNs);
        if (left == BURST) {
            return nowNs;
        }
        long distantNs = lastNs + DISTANCE_NS;
        return left > 0 ? distantNs : later(distantNs, refilledNs + REFILL_NS);
    }

    private void refill(long nowNs) {
        while (left < BURST && nowNs - refilledNs >= REFILL_NS) {
            left++;
            refilledNs += REFILL_NS;
        }
    }

    private static long later(long oneNs, long otherNs) {
        return oneNs - otherNs >= 0 ? oneNs : otherNs;
    }
}
