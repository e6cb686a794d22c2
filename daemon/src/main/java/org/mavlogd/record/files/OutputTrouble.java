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
    public static final long FIRST_RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    public static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(30);

    private static final Logger LOG = LoggerFactory.getLogger(OutputTrouble.class);

    private final LogStore store;
    private final String name;
    private final Tally tally;
    private final ProblemLog problems = new ProblemLog(LOG);
    // A disk on which every file fails soon would otherwise be filled with broken beginnings.
    private final RetryDelay delay = new RetryDelay(1, FIRST_RETRY_NS, MAX_RETRY_NS);
    private String problem = "";
    // Why there is no file; none when it is the disk that takes nothing.
    private LogStore.Obstacle obstacle = LogStore.Obstacle.NONE;

    /** @param name of the log, for people */
    OutputTrouble(LogStore store, String name, Tally tally) {
        this.store = store;
        this.name = name;
        this.tally = tally;
    }

    /** What is wrong now; empty when nothing is. */
    String problem() {
        return problem;
    }

    /** Bytes came while there was no file. */
    void lost(long bytes) {
        tally.lost(obstacle, bytes);
    }

    /** The same for what this computer samples and says. */
    LocalOutcome lossCause() {
        return switch (obstacle) {
            case NONE -> LocalOutcome.DISK;
            case NO_SPACE -> LocalOutcome.NO_SPACE;
            case TOO_MANY_FILES -> LocalOutcome.FILE_LIMIT;
        };
    }

    /** Whether a file may be tried for. */
    boolean mayTry(long nowNs) {
        return delay.isOver(nowNs);
    }

    /** There is something in the way, and the log waits without a file. */
    void await(LogStore.Obstacle what) {
        if (obstacle != what && what == LogStore.Obstacle.TOO_MANY_FILES) {
            tally.refusedFile();
            problems.report(name + ": " + store.describe(what));
        }
        obstacle = what;
        problem = store.describe(what);
    }

    /** The file was finished for lack of space, properly if the disk took the rest. */
    void onPaused(LogFile finished, long nowNs) {
        if (finished.isFailed()) {
            tally.diskFailure();
            tally.lost(LogStore.Obstacle.NO_SPACE, finished.unwrittenBytes());
        }
        delay.skip();
        await(LogStore.Obstacle.NO_SPACE);
    }

    /** Nothing is in the way any more; returns whether something was. */
    boolean passObstacle() {
        boolean waited = obstacle != LogStore.Obstacle.NONE;
        obstacle = LogStore.Obstacle.NONE;
        return waited;
    }

    /** The next file is not to be tried for at once. */
    void postpone(long nowNs) {
        delay.postpone(nowNs);
    }

    /** No file could be made, or continued with. */
    void onNoFile(String what) {
        tally.diskFailure();
        problem = what;
        problems.report(what);
    }

    /** A new file could not even take its head. */
    void onHeadFailed(String what, long nowNs) {
        onNoFile(what);
        delay.failedAfter(0, nowNs);
    }

    /** A file takes nothing more; it had grown for so long. */
    void onFailed(LogFile failed, long nowNs, long ageNs) {
        tally.diskFailure();
        tally.diskLost(failed.unwrittenBytes());
        problem = failed.failure();
        problems.report(failed.name() + ": " + problem + "; continuing in a new file");
        delay.failedAfter(ageNs, nowNs);
    }

    /** A file failed when it was finished. */
    void onEndMissing(LogFile failed) {
        tally.diskFailure();
        tally.diskLost(failed.unwrittenBytes());
        problems.report(failed.name() + ": " + failed.failure() + "; its end is missing");
    }

    /** There is a new file. */
    void onFile(long nowNs) {
        delay.skip();
        problem = "";
    }

    /**
     * Reports that it is over.
     *
     * @param waited whether there was an obstacle, of which nothing need have been reported
     */
    void tellEnd(String fileName, boolean waited) {
        if (!problems.isReported() && waited) {
            LOG.info("recording continues in {}", fileName);
        }
        problems.resolved("recording continues in " + fileName);
    }
}
