package org.mavlogd.local;

/** Decides when to look for devices again: at once, then after each interval. Owned by one thread at a time. */
public final class Rescan {
    private final long intervalNs;
    private boolean first = true;
    private long lastNs;

    public Rescan(long intervalNs) {
        this.intervalNs = intervalNs;
    }

    /** Whether it is time; if so, the next interval begins. */
    public boolean isDue(long nowNs) {
        if (!first && nowNs - lastNs < intervalNs) {
            return false;
        }
        first = false;
        lastNs = nowNs;
        return true;
    }
}
