package org.mavlogd.metrics;

import java.util.concurrent.atomic.AtomicLong;

/** The largest value since the last read. Any thread records and reads it; neither waits or allocates. */
public final class Peak {
    /** Result of {@link #take} if there was no value. */
    public static final long NONE = -1;

    private final AtomicLong largest = new AtomicLong(NONE);

    /** Records a value of 0 or more. */
    public void record(long value) {
        if (value > largest.get()) {
            largest.accumulateAndGet(value, Math::max);
        }
    }

    /** Returns the largest value and starts again. */
    public long take() {
        return largest.getAndSet(NONE);
    }
}
