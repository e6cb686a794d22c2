package org.mavlogd.forward;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Lets the router's thread rest: for half a millisecond while frames come in quick succession, so that one wake-up serves many, and
 * else until a link wakes it. Waking it while it is awake costs almost nothing. Hot path.
 */
final class Wake implements IdleStrategy {
    private static final long GATHER_NS = TimeUnit.MICROSECONDS.toNanos(500);

    /** When frames come more often than that, a rest gathers several. */
    static final long OFTEN_NS = 2 * GATHER_NS;

    private final AtomicBoolean rests = new AtomicBoolean();
    private final LongSupplier restNs;
    private final BooleanSupplier gathers;
    private volatile @Nullable Thread thread;

    /**
     * Both are asked by the router's thread.
     *
     * @param restNs how long it may rest if nobody wakes it, or 0 when there is something to do
     * @param gathers whether it is to rest for a moment although there may be something to do
     */
    Wake(LongSupplier restNs, BooleanSupplier gathers) {
        this.restNs = restNs;
        this.gathers = gathers;
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
        if (workCount == 0) {
            idle();
        } else if (gathers.getAsBoolean()) {
            LockSupport.parkNanos(this, GATHER_NS);
        } else {
            rest(0);
        }
    }

    /** Nothing was done: also when there seems to be something to do, as there does while the part pauses. */
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
