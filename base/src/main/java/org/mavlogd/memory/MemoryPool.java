package org.mavlogd.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The part of one requester, possibly inside that of another. Any thread; never waits, allocates nothing. */
final class MemoryPool {
    private final Requester requester;
    private final @Nullable MemoryPool outer;
    private final long limit;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    MemoryPool(Requester requester, long limit, @Nullable MemoryPool outer) {
        this.requester = requester;
        this.limit = limit;
        this.outer = outer;
    }

    Requester requester() {
        return requester;
    }

    /** The pool that contains this one; null for the outermost. */
    @Nullable
    MemoryPool outer() {
        return outer;
    }

    long limit() {
        return limit;
    }

    /** Bytes used by this requester and those of inner pools. */
    long used() {
        return used.get();
    }

    long refused() {
        return refused.get();
    }

    void countRefusal() {
        refused.incrementAndGet();
    }

    /** Takes bytes here and in all outer pools if they and {@code spare} more are free; otherwise takes none. */
    boolean take(long bytes, long spare) {
        if (!takeHere(bytes, spare)) {
            return false;
        }
        if (outer == null || outer.take(bytes, 0)) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    private boolean takeHere(long bytes, long spare) {
        long current;
        do {
            current = used.get();
            if (bytes + spare > limit - current) {
                return false;
            }
        } while (!used.compareAndSet(current, current + bytes));
        return true;
    }

    /** Takes bytes even if they are not free. */
    void overdraw(long bytes) {
        used.addAndGet(bytes);
        if (outer != null) {
            outer.overdraw(bytes);
        }
    }

    void giveBack(long bytes) {
        overdraw(-bytes);
    }

    /** Gives back bytes here only: their user moves to the outer pools. */
    void leave(long bytes) {
        used.addAndGet(-bytes);
    }
}
