package org.mavlogd.app;

import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread sleep until it is rung for, and looks around now and then: a thread that looks for work several times a second
 * costs a wake-up each time.
 */
final class Bell implements IdleStrategy {
    private final long longestNs;
    private volatile @Nullable Thread sleeper;

    /** @param longestNs how long the thread sleeps when nobody rings */
    Bell(long longestNs) {
        this.longestNs = longestNs;
    }

    /** There is work. Any thread; cheap. */
    void ring() {
        LockSupport.unpark(sleeper);
    }

    @Override
    public void idle(int workCount) {
        if (workCount <= 0) {
            idle();
        }
    }

    @Override
    public void idle() {
        if (sleeper == null) {
            sleeper = Thread.currentThread();
        }
        LockSupport.parkNanos(longestNs);
    }

    @Override
    public void reset() {
        // The next sleep is as long as the last.
    }
}
