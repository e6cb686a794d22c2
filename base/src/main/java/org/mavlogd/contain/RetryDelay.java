package org.mavlogd.contain;

import java.util.concurrent.TimeUnit;

/**
 * The delay before a failed action is tried again: it doubles with each failure up to a maximum, and starts over after
 * {@link #STEADY_NS} without a failure, or when the owner reports success. Reads no clock. Owned by one thread.
 */
public final class RetryDelay {
    /** A thing that ran for so long before it failed counts as one that worked. */
    public static final long STEADY_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX_DOUBLINGS = 30;

    private final int freeFailures;
    private final long firstNs;
    private final long maxNs;
    private int failures;
    private boolean isWaiting;
    private long endNs;

    /** The first delay and the longest. */
    public RetryDelay(long firstNs, long maxNs) {
        this(0, firstNs, maxNs);
    }

    /** The same, with no delay at all after the first so many failures. */
    public RetryDelay(int freeFailures, long firstNs, long maxNs) {
        if (freeFailures < 0 || firstNs <= 0 || maxNs < firstNs) {
            throw new IllegalArgumentException(
                    "free failures " + freeFailures + ", first delay " + firstNs + " ns, longest " + maxNs + " ns");
        }
        this.freeFailures = freeFailures;
        this.firstNs = firstNs;
        this.maxNs = maxNs;
    }

    /**
     * The delay after a number of failures.
     *
     * @param failures 1 for the first
     */
    static long delayNs(int failures, int freeFailures, long firstNs, long maxNs) {
        int doublings = failures - freeFailures - 1;
        if (doublings < 0) {
            return 0;
        }
        return doublings >= MAX_DOUBLINGS || firstNs > maxNs >> doublings ? maxNs : firstNs << doublings;
    }

    /** Whether it may be tried. */
    public boolean isOver(long nowNs) {
        return !isWaiting || nowNs - endNs >= 0;
    }

    /** It failed: the next delay begins. */
    public void failed(long nowNs) {
        failures = Math.min(failures + 1, Integer.MAX_VALUE - 1);
        waitFor(delayNs(failures, freeFailures, firstNs, maxNs), nowNs);
    }

    /** It failed after it had worked for so long. */
    public void failedAfter(long workedNs, long nowNs) {
        if (workedNs >= STEADY_NS) {
            failures = 0;
        }
        failed(nowNs);
    }

    /** It is not to be tried for the first delay, though it did not fail. */
    public void postpone(long nowNs) {
        waitFor(firstNs, nowNs);
    }

    /** It may be tried at once; the next failure still has the longer delay. */
    public void skip() {
        isWaiting = false;
    }

    /** It works: the next failure has the first delay again. */
    public void reset() {
        failures = 0;
        isWaiting = false;
    }

    /** When the delay ends; of no meaning when {@link #isOver}. */
    public long endNs() {
        return endNs;
    }

    private void waitFor(long delayNs, long nowNs) {
        endNs = nowNs + delayNs;
        isWaiting = delayNs > 0;
    }
}
