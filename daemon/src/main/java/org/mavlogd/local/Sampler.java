package org.mavlogd.local;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.RetryDelay;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads each source at its fixed rate, and publishes the samples.
 *
 * <p>The schedule does not drift: a source's turns are a multiple of its period apart, however long readings take.
 * Missed turns are skipped. A source that fails is reported once and tried again at increasing intervals, at most
 * {@link #MAX_RETRY_NS}. Readings happen on threads of an executor, because reading a file may block for any time: a
 * reading that takes longer than {@link #PATIENCE_NS} keeps its source until it ends, and the others continue. Sources
 * that are due together are read one after the other on one thread, because waking a thread costs more than a reading.
 *
 * <p>One thread calls {@link #doWork}, and sleeps with {@link #idleStrategy} until the next turn. That thread owns the
 * producing end of the sources' feed.
 */
public final class Sampler implements Agent {

    /** How many readings may hang until further ones are refused. */
    static final int MAX_THREADS = 8;

    private static final long SPARE_SECONDS = 5;

    /** How long the other sources wait for one, once. */
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

    /** Longest time from a failure to the next try. */
    static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(60);

    private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);
    private static final long FIRST_RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_SLEEP_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<Turns> schedule;
    private final NanoClock clock;
    private final Executor readers;
    private final List<Turns> due = new ArrayList<>();
    private long nextDueNs;

    /**
     * A sampler whose sources all have their first turn at once.
     *
     * @param readers runs readings; must not block the caller, and refuses if too many of them hang
     */
    public Sampler(List<TopicSource> sources, NanoClock clock, Executor readers, Metrics metrics) {
        this.clock = clock;
        this.readers = readers;
        long nowNs = clock.nanoTime();
        this.schedule = sources.stream()
                .map(source -> new Turns(source, metrics, nowNs))
                .toList();
        this.nextDueNs = nowNs;
    }

    @Override
    public int doWork() {
        due.clear();
        long nowNs = clock.nanoTime();
        for (Turns source : schedule) {
            if (source.isDue(nowNs)) {
                due.add(source);
            }
        }
        int turns = due.size();
        while (!due.isEmpty() && !Thread.currentThread().isInterrupted()) {
            take();
        }
        plan();
        return turns;
    }

    /** Reads all sources that are due, up to the first reading that hangs. */
    private void take() {
        ReadingRound round =
                new ReadingRound(due.stream().map(turns -> turns.source).toList(), clock);
        try {
            readers.execute(round);
        } catch (RejectedExecutionException e) {
            due.forEach(source -> source.failed("too many readings of other sources hang"));
            due.clear();
            return;
        }
        int read = round.await(PATIENCE_NS);
        for (int i = 0; i < read; i++) {
            due.get(i).onRead(round.failure(i));
        }
        if (read < due.size()) {
            due.get(read).onHanging(round);
            read++;
        }
        due.subList(0, read).clear();
    }

    private void plan() {
        long nowNs = clock.nanoTime();
        long sleepNs = MAX_SLEEP_NS;
        for (Turns source : schedule) {
            sleepNs = Math.min(sleepNs, source.dueNs - nowNs);
        }
        nextDueNs = nowNs + sleepNs;
    }

    /** Closes all sources, except those whose reading hangs. */
    @Override
    public void onClose() {
        for (Turns source : schedule) {
            source.close();
        }
    }

    @Override
    public String roleName() {
        return "sampler";
    }

    /** When {@link #doWork} has work again; at most a second after its last call. Sampler's thread. */
    public long nextDueNs() {
        return nextDueNs;
    }

    /** Sleeps until the next turn. Sampler's thread. */
    public IdleStrategy idleStrategy() {
        return new IdleStrategy() {
            @Override
            public void idle(int workCount) {
                idle();
            }

            @Override
            public void idle() {
                long sleepNs = nextDueNs - clock.nanoTime();
                if (sleepNs > 0) {
                    LockSupport.parkNanos(sleepNs);
                }
            }

            @Override
            public void reset() {
                // It has no state.
            }
        };
    }

    /** One source and its turns. */
    private final class Turns {
        private final TopicSource source;
        private final ProblemLog problems = new ProblemLog(LOG);
        private long dueNs;
        private final RetryDelay retry;
        private final ContainedPart part;
        private @Nullable ReadingRound hanging;

        private Turns(TopicSource source, Metrics metrics, long firstNs) {
            this.source = source;
            long firstRetryNs = Math.min(Math.max(FIRST_RETRY_NS, source.periodNs()), MAX_RETRY_NS);
            this.retry = new RetryDelay(firstRetryNs, MAX_RETRY_NS);
            this.part = metrics.part("sampler." + source.name(), Recovery.PAUSES);
            this.dueNs = firstNs;
        }

        private boolean isDue(long nowNs) {
            if (nowNs - dueNs < 0) {
                return false;
            }
            if (isHanging()) {
                scheduleAfter(nowNs);
                return false;
            }
            hanging = null;
            return true;
        }

        private boolean isHanging() {
            ReadingRound earlier = hanging;
            return earlier != null && !earlier.isOver();
        }

        private void onRead(@Nullable Throwable failure) {
            if (failure != null) {
                failed(failure);
                return;
            }
            try {
                source.publish();
                succeeded();
            } catch (Throwable e) {
                failed(e);
            }
        }

        private void onHanging(ReadingRound round) {
            hanging = round;
            if (!Thread.currentThread().isInterrupted()) { // else the sampler is being closed
                failed("a reading hangs; waiting for it");
            }
        }

        private void succeeded() {
            retry.reset();
            problems.resolved("source " + source.name() + ": measures again");
            scheduleAfter(clock.nanoTime());
        }

        private void failed(Throwable cause) {
            if (cause instanceof IOException) {
                failed(String.valueOf(cause.getMessage()));
            } else {
                part.contain(cause);
                failed(cause.getClass().getName());
            }
        }

        private void failed(String reason) {
            problems.report("source " + source.name() + ": " + reason + "; trying again");
            retry.failed(clock.nanoTime());
            dueNs = retry.endNs();
        }

        /** Sets the next turn after now. */
        private void scheduleAfter(long nowNs) {
            long periodNs = source.periodNs();
            long missed = Math.max(0, nowNs - dueNs) / periodNs;
            dueNs += (missed + 1) * periodNs;
        }

        private void close() {
            if (!isHanging()) {
                part.runAlways(source::close);
            }
        }
    }

    /**
     * The threads on which sources are read, {@code sampler-read}: usually one, and another for each reading that
     * hangs. They do not keep the process alive. The caller must shut them down.
     */
    public static ThreadPoolExecutor readingThreads() {
        return new ThreadPoolExecutor(
                1, MAX_THREADS, SPARE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(work, "sampler-read");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /**
     * Readings of several sources on one thread, one after the other, so that all sources that are due cost one
     * wake-up. While a reading hangs, the waiting thread can {@link #abandon} it; the sources after it are then not
     * read.
     *
     * <p>Shared by the reading and the waiting thread: {@link #progress} is the current reading. The reading thread
     * increments it, the waiting thread may end it.
     */
    private static final class ReadingRound implements Runnable {
        private static final int ABANDONED = Integer.MIN_VALUE;

        private final List<TopicSource> sources;
        private final NanoClock clock;
        private final Thread waiter = Thread.currentThread();
        // Written before progress moves past its index, read after that.
        private final @Nullable Throwable[] failures;
        private final AtomicInteger progress = new AtomicInteger();
        private volatile boolean over;

        /** Made by the waiting thread. */
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
         * Waits until all sources are read, one takes longer than {@code patienceNs}, or the thread is interrupted.
         * Returns how many are read; if fewer than all, the next one was abandoned.
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

        /** False if that reading ended just now. */
        private boolean abandon(int index) {
            return progress.compareAndSet(index, ABANDONED);
        }

        /** Why that reading failed; null if it did not. Only for readings that {@link #await} counted. */
        @Nullable
        Throwable failure(int index) {
            return failures[index];
        }

        /** Whether the reading thread is done: an abandoned reading has ended. */
        boolean isOver() {
            return over;
        }
    }
}
