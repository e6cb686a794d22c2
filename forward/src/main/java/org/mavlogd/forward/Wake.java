package org.mavlogd.forward;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The idle strategy of the router's thread: rests for half a millisecond while frames arrive in quick succession, so
 * that one wake-up serves many, and otherwise until a link wakes it. Waking it while it is awake costs almost nothing.
 * Hot path.
 */
final class Wake implements IdleStrategy {
    private static final long GATHER_NS = TimeUnit.MICROSECONDS.toNanos(500);

    /** If frames arrive more often than this, a rest gathers several. */
    static final long OFTEN_NS = 2 * GATHER_NS;

    private final AtomicBoolean rests = new AtomicBoolean();
    private final LongSupplier restNs;
    private final BooleanSupplier gathers;
    private volatile @Nullable Thread thread;

    /**
     * Both functions are called by the router's thread.
     *
     * @param restNs maximum rest if nobody wakes it; 0 if there is work
     * @param gathers whether it must rest for a moment even if there may be work
     */
    Wake(LongSupplier restNs, BooleanSupplier gathers) {
        this.restNs = restNs;
        this.gathers = gathers;
    }

    /** Wakes the thread: there is work. Any thread. */
    void now() {
        // A read-modify-write, so that a router's thread that is about to rest sees everything published before.
        if (rests.getAndSet(false)) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void idle(int workCount) {
        if (workCount == 0) {
            idle();
        } else if (gathers.getAsBoolean()) {
            LockSupport.parkNanos(this, GATHER_NS);
        } else {
            rest(0);
        }
    }

    /** Rests even if there seems to be work, as while the part is paused. */
    @Override
    public void idle() {
        rest(GATHER_NS);
    }

    private void rest(long leastNs) {
        thread = Thread.currentThread();
        rests.set(true);
        long ns = Math.max(leastNs, restNs.getAsLong());
        if (ns > 0) {
            LockSupport.parkNanos(this, ns);
        }
        rests.set(false);
    }

    @Override
    public void reset() {}

    @Override
    public String alias() {
        return "forward";
    }
}
