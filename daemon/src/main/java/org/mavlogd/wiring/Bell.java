package org.mavlogd.wiring;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread sleep until it is rung for, and looks around now and then: a thread that looks for work several times a second
 * costs a wake-up each time.
 */
final class Bell implements IdleStrategy {
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final long longestNs;
    private volatile boolean over;
    private volatile @Nullable Thread sleeper;

    /** @param longestNs how long the thread sleeps when nobody rings */
    Bell(long longestNs) {
        this.longestNs = longestNs;
    }

    /** There is work. Any thread; cheap. */
    void ring() {
        LockSupport.unpark(sleeper);
    }

    /** The thread is about to be stopped: it sleeps no more than a moment from now on. Any thread. */
    void end() {
        over = true;
        ring();
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
        LockSupport.parkNanos(over ? SHORT_NS : longestNs);
    }

    @Override
    public void reset() {
        // The next sleep is as long as the last.
    }
}
