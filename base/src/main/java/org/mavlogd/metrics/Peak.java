package org.mavlogd.metrics;

import java.util.concurrent.atomic.AtomicLong;

/** The largest value since the last read. Any thread records, any asks; neither waits or allocates. */
public final class Peak {
    /** What {@link #take} says when there was no value. */
    public static final long NONE = -1;

    private final AtomicLong largest = new AtomicLong(NONE);

    /** A value of 0 or more. */
    public void record(long value) {
        if (value > largest.get()) {
            largest.accumulateAndGet(value, Math::max);
        }
    }

    /** The largest value, and begins again. */
    public long take() {
        return largest.getAndSet(NONE);
    }
}
