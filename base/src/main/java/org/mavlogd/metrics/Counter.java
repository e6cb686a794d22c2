package org.mavlogd.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that only grows. One thread writes it, any thread reads it; neither allocates nor waits. Hot path.
 */
public final class Counter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // reached through VALUE
    private long value;

    public void increment() {
        add(1);
    }

    public void add(long amount) {
        // A plain read of our own last write, then an opaque write: readers see a recent value, never a torn one.
        VALUE.setOpaque(this, (long) VALUE.get(this) + amount);
    }

    public long get() {
        return (long) VALUE.getOpaque(this);
    }
}
