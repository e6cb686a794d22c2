package org.mavlogd.metrics;

import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;

/**
 * A histogram of durations. Any thread records and reads it; neither waits, and recording does not allocate. An error
 * inside the metrics is contained: that duration is missing.
 */
public final class Durations {
    /** From a prompt acknowledgement (a tenth of a millisecond) to a failing disk (seconds). */
    static final Duration[] BUCKETS = bucketsUs(
            100,
            200,
            500,
            1_000,
            2_000,
            5_000,
            10_000,
            20_000,
            50_000,
            100_000,
            200_000,
            500_000,
            1_000_000,
            2_000_000,
            5_000_000,
            10_000_000);

    private static final long NS_PER_US = 1000;

    // Null if the registry refused it.
    private final @Nullable Timer timer;
    private final ContainedPart errors;
    private final LongSupplier clock;

    Durations(@Nullable Timer timer, ContainedPart errors, LongSupplier clock) {
        this.timer = timer;
        this.errors = errors;
        this.clock = clock;
    }

    private static Duration[] bucketsUs(long... limits) {
        Duration[] buckets = new Duration[limits.length];
        for (int i = 0; i < limits.length; i++) {
            buckets[i] = Duration.ofNanos(limits[i] * NS_PER_US);
        }
        return buckets;
    }

    /** Records one duration. Hot path. */
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

    /** Records the time since {@code startNs}. Hot path. */
    public void recordSince(long startNs) {
        record(clock.getAsLong() - startNs);
    }

    /** Number of recorded durations. */
    public long count() {
        return timer == null ? 0 : timer.count();
    }

    /** The longest duration of the last minutes, in nanoseconds. */
    public long longestNs() {
        return timer == null ? 0 : (long) timer.max(TimeUnit.NANOSECONDS);
    }
}
