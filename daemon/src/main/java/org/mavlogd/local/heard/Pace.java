package org.mavlogd.local.heard;

import java.util.concurrent.TimeUnit;

/**
 * Lets something happen once in an interval on average; what was saved up is used at once, up to a second's worth, so that
 * what comes in a row after a pause is let through. Hot path.
 */
final class Pace {
    private static final long BURST_NS = TimeUnit.SECONDS.toNanos(1);

    private final long intervalNs;
    private final long burstNs;
    /** When all that was let through would be over, had it been spread evenly. */
    private long overNs;

    /** @param nowNs the time of the first event, or before */
    Pace(long intervalNs, long nowNs) {
        this.intervalNs = intervalNs;
        // Two at least: what comes just at this pace never comes quite evenly.
        this.burstNs = Math.max(BURST_NS, 2 * intervalNs);
        this.overNs = nowNs;
    }

    /** Whether it may happen now; if so it counts. */
    boolean take(long nowNs) {
        if (overNs - nowNs < 0) {
            overNs = nowNs;
        }
        if (overNs - nowNs + intervalNs > burstNs) {
            return false;
        }
        overNs += intervalNs;
        return true;
    }
}
