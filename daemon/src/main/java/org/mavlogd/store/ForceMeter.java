package org.mavlogd.store;

import java.util.concurrent.TimeUnit;
import org.mavlogd.metrics.Counter;

/** How often files were forced to the medium and how long that took. Written by the keeper's thread, read by any. */
public final class ForceMeter {
    private final Counter forces = new Counter();
    private final Counter microseconds = new Counter();
    private final Counter longestUs = new Counter();

    void add(long durationNs) {
        long us = TimeUnit.NANOSECONDS.toMicros(durationNs);
        forces.increment();
        microseconds.add(us);
        longestUs.add(Math.max(0, us - longestUs.get()));
    }

    public Counter forces() {
        return forces;
    }

    /** All forces together. */
    public Counter microseconds() {
        return microseconds;
    }

    /** The longest since the start. */
    public long longestUs() {
        return longestUs.get();
    }
}
