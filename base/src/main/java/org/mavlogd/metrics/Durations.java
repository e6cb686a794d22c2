package org.mavlogd.metrics;

import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;

/**
 * How long something takes each time, shown as a histogram. Any thread records, any asks; neither waits, and recording does not
 * allocate. An error inside the metrics is contained: that duration is missing.
 */
public final class Durations {
    /** Between what is prompt for a link (milliseconds) and what a dying disk needs (seconds). */
    static final Duration[] BUCKETS = bucketsMs(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000);

    // Null when the registry refused it.
    private final @Nullable Timer timer;
    private final ContainedPart errors;

    Durations(@Nullable Timer timer, ContainedPart errors) {
        this.timer = timer;
        this.errors = errors;
    }

    private static Duration[] bucketsMs(long... limits) {
        Duration[] buckets = new Duration[limits.length];
        for (int i = 0; i < limits.length; i++) {
            buckets[i] = Duration.ofMillis(limits[i]);
        }
        return buckets;
    }

    /** One more took so long. Hot path. */
    public void record(long durationNs) {
        if (timer == null) {
            return;
        }
        try {
            timer.record(durationNs, TimeUnit.NANOSECONDS);
        } catch (Throwable e) {
            errors.contain(e);
        }
    }

    /** How many were recorded. */
    public long count() {
        return timer == null ? 0 : timer.count();
    }

    /** The longest of the last minutes, in nanoseconds. */
    public long longestNs() {
        return timer == null ? 0 : (long) timer.max(TimeUnit.NANOSECONDS);
    }
}
