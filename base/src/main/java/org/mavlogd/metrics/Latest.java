package org.mavlogd.metrics;

/**
 * The newest of a series of immutable values: one thread sets it, any thread reads it.
 *
 * @param <T> an immutable type
 */
public final class Latest<T> {
    private volatile T value;

    public Latest(T first) {
        this.value = first;
    }

    public void set(T next) {
        value = next;
    }

    public T get() {
        return value;
    }
}
