package org.mavlogd.vehicle.conversation;

/**
 * Limits how often something may happen: a burst, then once for each interval. Owned by one thread; time is an
 * argument. Allocates nothing.
 */
public final class RateLimiter {
    private final int burst;
    private final long intervalNs;
    private int left;
    private long lastGrantNs;

    /** @param burst how many times at once; one more is granted each {@code intervalNs} */
    public RateLimiter(int burst, long intervalNs) {
        this.burst = burst;
        this.intervalNs = intervalNs;
        this.left = burst;
    }

    /** Whether it may happen now. */
    public boolean isLeft(long nowNs) {
        grant(nowNs);
        return left > 0;
    }

    /** Counts one occurrence; false if the limit is reached. */
    public boolean take(long nowNs) {
        if (!isLeft(nowNs)) {
            return false;
        }
        left--;
        return true;
    }

    private void grant(long nowNs) {
        if (left == burst) {
            lastGrantNs = nowNs; // the first interval begins with the first use
            return;
        }
        long grants = (nowNs - lastGrantNs) / intervalNs;
        if (grants > 0) {
            left = (int) Math.min(burst, left + grants);
            lastGrantNs += grants * intervalNs;
        }
    }
}
