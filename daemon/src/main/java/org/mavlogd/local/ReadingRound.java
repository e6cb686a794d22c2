package org.mavlogd.local;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Readings of several sources one after the other on one thread, so that all that are due at once cost one wake-up of it. While
 * one of them does not end, whoever waits can {@link #abandon} it, and the ones behind it are then not read.
 *
 * <p>Shared by the thread that reads and the one that waits: {@link #progress} tells which reading is under way and is moved on by
 * the one, or ended by the other.
 */
final class ReadingRound implements Runnable {
    private static final int ABANDONED = Integer.MIN_VALUE;

    private final List<TopicSource> sources;
    private final NanoClock clock;
    private final Thread waiter = Thread.currentThread();
    // Written before progress moves past its index, read behind that.
    private final @Nullable Throwable[] failures;
    private final AtomicInteger progress = new AtomicInteger();
    private volatile boolean over;

    /** To be made by the thread that waits. */
    ReadingRound(List<TopicSource> sources, NanoClock clock) {
        this.sources = List.copyOf(sources);
        this.clock = clock;
        this.failures = new @Nullable Throwable[sources.size()];
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < sources.size(); i++) {
                read(i);
                if (!progress.compareAndSet(i, i + 1)) {
                    return; // abandoned
                }
            }
        } finally {
            over = true;
            LockSupport.unpark(waiter);
        }
    }

    private void read(int index) {
        try {
            sources.get(index).read(clock.nanoTime());
        } catch (Throwable e) {
            failures[index] = e; // the waiting thread decides what it means
        }
    }

    /**
     * Waits until all are read, or until one takes longer than so long, or until the thread is interrupted. Returns how many are
     * read; fewer than all when the one after them was abandoned.
     */
    int await(long patienceNs) {
        int seen = progress.get();
        long sinceNs = System.nanoTime();
        while (seen < sources.size()) {
            long leftNs = patienceNs - (System.nanoTime() - sinceNs);
            if ((leftNs <= 0 || Thread.currentThread().isInterrupted()) && abandon(seen)) {
                return seen;
            }
            LockSupport.parkNanos(Math.max(leftNs, 1));
            int now = progress.get();
            if (now != seen) {
                seen = now;
                sinceNs = System.nanoTime();
            }
        }
        return seen;
    }

    /** False when that reading ended just now. */
    private boolean abandon(int index) {
        return progress.compareAndSet(index, ABANDONED);
    }

    /** Why the reading of this number failed; null when it did not. Of readings that {@link #await} counted. */
    @Nullable
    Throwable failure(int index) {
        return failures[index];
    }

    /** Whether the thread that reads has left: an abandoned reading ended. */
    boolean isOver() {
        return over;
    }
}
