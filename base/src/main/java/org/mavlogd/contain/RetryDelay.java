package org.mavlogd.contain;

import java.util.concurrent.TimeUnit;

/**
 * The delay before a failed action is tried again: it doubles with each failure up to a maximum, and starts over after
 * {@link #STEADY_NS} without a failure, or when the owner reports success. Reads no clock. Owned by one thread.
 */
public final class RetryDelay {
    /** An action that ran for this long before it failed counts as having worked. */
    public static final long STEADY_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX_DOUBLINGS = 30;

    private final int freeFailures;
    private final long firstNs;
    private final long maxNs;
    private int failures;
    private boolean isWaiting;
    private long endNs;

    /** Creates a delay with this first and longest duration. */
    public RetryDelay(long firstNs, long maxNs) {
        this(0, firstNs, maxNs);
    }

    /** Creates a delay that is 0 after the first {@code freeFailures} failures. */
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

    /** Whether the action may be tried. */
    public boolean isOver(long nowNs) {
        return !isWaiting || nowNs - endNs >= 0;
    }

    /** Records a failure and starts the next delay. */
    public void failed(long nowNs) {
        failures = Math.min(failures + 1, Integer.MAX_VALUE - 1);
        waitFor(delayNs(failures, freeFailures, firstNs, maxNs), nowNs);
    }

    /** Records a failure after the action had worked for this time. */
    public void failedAfter(long workedNs, long nowNs) {
        if (workedNs >= STEADY_NS) {
            failures = 0;
        }
        failed(nowNs);
    }

    /** Delays the next attempt by the first delay, without a failure. */
    public void postpone(long nowNs) {
        waitFor(firstNs, nowNs);
    }

    /** Ends the delay; the next failure still has the longer one. */
    public void skip() {
        isWaiting = false;
    }

    /** Records success: the next failure has the first delay again. */
    public void reset() {
        failures = 0;
        isWaiting = false;
    }

    /** End of the delay; meaningless if {@link #isOver}. */
    public long endNs() {
        return endNs;
    }

    private void waitFor(long delayNs, long nowNs) {
        endNs = nowNs + delayNs;
        isWaiting = delayNs > 0;
    }
}
