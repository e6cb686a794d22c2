package org.mavlogd.local;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
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
 * Asks each source when its time has come, and publishes what it measured.
 *
 * <p>The schedule does not drift: a source's turns are whole periods apart, whatever its readings take. Turns that could not
 * be kept are skipped, not caught up with. A source that fails is told of once and tried again after a longer and longer
 * time, {@link #MAX_RETRY_NS} at most. Readings happen on threads of an executor, because a file may block for as long as it
 * likes: a reading that takes longer than {@link #PATIENCE_NS} is left alone with its source until it ends, and the others
 * go on. Sources that are due together are read one after the other on one thread: to wake it up costs more than to read.
 *
 * <p>An agent: one thread calls {@link #doWork}, and sleeps by {@link #idleStrategy} until the next turn. That thread owns the
 * producing end of the sources' feed.
 */
public final class Sampler implements Agent {
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
     * @param readers runs readings; must not make the caller wait, and refuses when too many of them hang
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

    /** Reads what is due in one go, and no further than to a reading that hangs. */
    private void take() {
        ReadingRound round =
                new ReadingRound(due.stream().map(turns -> turns.source).toList(), clock);
        try {
            readers.execute(round);
        } catch (RejectedExecutionException e) {
            due.forEach(source -> source.failed("too many readings of other sources do not end"));
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

    /** Closes all sources but those whose reading hangs. */
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

    /** When {@link #doWork} has something to do again; a second from its last call at most. Sampler's thread. */
    public long nextDueNs() {
        return nextDueNs;
    }

    /** Sleeps until the next turn. For the sampler's thread. */
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
                // Nothing is remembered from one sleep to the next.
            }
        };
    }

    /** One source and its times. */
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
            if (!Thread.currentThread().isInterrupted()) { // else we are being closed
                failed("a reading does not end; waiting for it");
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

        /** The first of the planned turns that is still to come. */
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
}
