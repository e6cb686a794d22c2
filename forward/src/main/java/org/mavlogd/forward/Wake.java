package org.mavlogd.forward;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Lets the router's thread rest: for half a millisecond while frames flow, so that one wake-up serves many, and until a
 * link wakes it when none do. Whoever wakes it while it is awake pays next to nothing. Hot path.
 */
final class Wake implements IdleStrategy {
    private static final long BUSY_NS = TimeUnit.MICROSECONDS.toNanos(500);

    private final AtomicBoolean rests = new AtomicBoolean();
    private final LongSupplier restNs;
    private volatile @Nullable Thread thread;

    /** @param restNs how long it may rest if nobody wakes it, or 0 when there is something to do; asked by the router's thread */
    Wake(LongSupplier restNs) {
        this.restNs = restNs;
    }

    /** There is something to do. Any thread. */
    void now() {
        // A read-modify-write, so that what was published before is seen by whoever finds the router's thread about to
        // rest.
        if (rests.getAndSet(false)) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void idle(int workCount) {
        if (workCount > 0) {
            LockSupport.parkNanos(this, BUSY_NS);
        } else {
            idle();
        }
    }

    @Override
    public void idle() {
        thread = Thread.currentThread();
        rests.set(true);
        LockSupport.parkNanos(this, Math.max(BUSY_NS, restNs.getAsLong()));
        rests.set(false);
    }

    @Override
    public void reset() {}

    @Override
    public String alias() {
        return "forward";
    }
}
