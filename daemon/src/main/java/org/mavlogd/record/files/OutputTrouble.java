package org.mavlogd.record.files;

import java.util.concurrent.TimeUnit;
import org.mavlogd.contain.RetryDelay;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.record.figures.Tally;
import org.mavlogd.record.local.LocalOutcome;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles failures between a log and its file: counts them, reports them once, and decides when to try again. Owned by
 * the recorder's thread.
 */
public final class OutputTrouble {
    private static final long FIRST_RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(30);

    private static final Logger LOG = LoggerFactory.getLogger(OutputTrouble.class);

    private final LogStore store;
    private final String name;
    private final Tally tally;
    private final ProblemLog problems = new ProblemLog(LOG);
    // Else a disk on which every file soon fails would be filled with beginnings of files.
    private final RetryDelay delay = new RetryDelay(1, FIRST_RETRY_NS, MAX_RETRY_NS);
    private String problem = "";
    // Why there is no file; NONE if the disk failed.
    private LogStore.Obstacle obstacle = LogStore.Obstacle.NONE;
    private boolean isKeptReported;
    private String lack = "";

    /** @param name of the log, for messages */
    public OutputTrouble(LogStore store, String name, Tally tally) {
        this.store = store;
        this.name = name;
        this.tally = tally;
    }

    /** The current problem; empty if there is none. */
    public String problem() {
        return problem;
    }

    /** Which file lacks definitions that came before it, for people; empty if none does. */
    String lack() {
        return lack;
    }

    /** There was no memory for the definitions of a next file: this one is not rotated. Reports it once. */
    void onKept(String fileName) {
        if (!isKeptReported) {
            isKeptReported = true;
            LOG.warn("{}: {} is not rotated: no memory for the definitions of a next file", name, fileName);
        }
    }

    /** A file began without definitions that came before it. */
    void onLack(String fileName) {
        lack = fileName + " lacks definitions: no memory was left for them";
        LOG.warn("{}: {}", name, lack);
    }

    /** Counts bytes that came while there was no file. */
    public void lost(long bytes) {
        tally.lost(obstacle, bytes);
    }

    /** The cause of the loss for this computer's data. */
    LocalOutcome lossCause() {
        return switch (obstacle) {
            case NONE -> LocalOutcome.DISK;
            case NO_SPACE -> LocalOutcome.NO_SPACE;
            case TOO_MANY_FILES -> LocalOutcome.FILE_LIMIT;
        };
    }

    /** Whether a new file may be tried. */
    public boolean mayTry(long nowNs) {
        return delay.isOver(nowNs);
    }

    /** The log waits without a file because of an obstacle. */
    public void await(LogStore.Obstacle what) {
        if (obstacle != what && what == LogStore.Obstacle.TOO_MANY_FILES) {
            tally.refusedFile();
            problems.report(name + ": " + store.describe(what));
        }
        obstacle = what;
        problem = store.describe(what);
    }

    /** The file was finished for lack of space; properly, unless it failed meanwhile. */
    public void onPaused(LogFile finished, boolean isFailed, long nowNs) {
        if (isFailed) {
            tally.diskFailure();
            tally.lost(LogStore.Obstacle.NO_SPACE, finished.unwrittenBytes());
            reportEndMissing(finished);
        }
        delay.skip();
        await(LogStore.Obstacle.NO_SPACE);
    }

    /** The obstacle is gone; returns whether there was one. */
    public boolean passObstacle() {
        boolean waited = obstacle != LogStore.Obstacle.NONE;
        obstacle = LogStore.Obstacle.NONE;
        return waited;
    }

    /** Delays the next try. */
    public void postpone(long nowNs) {
        delay.postpone(nowNs);
    }

    /** No file could be made, or continued. */
    public void onNoFile(String what) {
        tally.diskFailure();
        problem = what;
        problems.report(what);
    }

    /** A new file failed before it had its head. */
    void onHeadFailed(String what, long nowNs) {
        onNoFile(what);
        delay.failedAfter(0, nowNs);
    }

    /** A file failed after {@code ageNs}. */
    public void onFailed(LogFile failed, long nowNs, long ageNs) {
        tally.diskFailure();
        tally.diskLost(failed.unwrittenBytes());
        problem = failed.failure();
        problems.report(failed.name() + ": " + problem + "; continuing in a new file");
        delay.failedAfter(ageNs, nowNs);
    }

    /** A file failed when it was finished. */
    public void onEndMissing(LogFile failed) {
        tally.diskFailure();
        tally.diskLost(failed.unwrittenBytes());
        reportEndMissing(failed);
    }

    private void reportEndMissing(LogFile failed) {
        problems.report(failed.name() + ": " + failed.failure() + "; its end is missing");
    }

    /** There is a new file. */
    public void onFile(long nowNs) {
        delay.skip();
        problem = "";
    }

    /**
     * Reports that the problem is over.
     *
     * @param waited whether there was an obstacle, which need not have been reported
     */
    public void tellEnd(String fileName, boolean waited) {
        if (!problems.isReported() && waited) {
            LOG.info("recording continues in {}", fileName);
        }
        problems.resolved("recording continues in " + fileName);
    }
}
