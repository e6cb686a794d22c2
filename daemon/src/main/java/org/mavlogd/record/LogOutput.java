package org.mavlogd.record;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.Obstacle;
import org.mavlogd.store.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where one log goes: a file as long as it is sound, and a new one that begins with the same head when it is not. While
 * there is none, what comes is counted as lost to the disk, or to want of space. A pause for want of space is no failure: the
 * file is finished in good order, and a new one begins when there is room.
 */
final class LogOutput {
    private static final Logger LOG = LoggerFactory.getLogger(LogOutput.class);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    // A disk on which every file fails soon would otherwise be filled with broken beginnings.
    private static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long STEADY_NS = TimeUnit.SECONDS.toNanos(10);

    /** Hears of failures. */
    interface Listener {
        /** The log has no file from here on. */
        void onClosed();

        /** The log goes on in a new file. */
        void onReopened();
    }

    private final LogStore store;
    private final int systemId;
    private final LogHead head;
    private final Tally tally;
    private final Listener listener;
    private final ProblemLog problems = new ProblemLog(LOG);

    // Null while the disk takes nothing.
    private @Nullable LogFile file;
    private String problem = "";
    // Why there is no file, when the disk is sound.
    private Obstacle obstacle = Obstacle.NONE;
    private boolean failedBefore;
    private long openedNs;
    private int shortLived;
    private long nextAttemptNs;
    // How much of the head is in a file, or counted as lost.
    private int headAccounted;

    LogOutput(LogStore store, int systemId, LogHead head, Tally tally, Listener listener) {
        this.store = store;
        this.systemId = systemId;
        this.head = head;
        this.tally = tally;
        this.listener = listener;
    }

    /** The name of the file that grows now, or empty. */
    String fileName() {
        return file == null ? "" : file.name();
    }

    /** What is wrong with the disk; empty when nothing is. */
    String problem() {
        return problem;
    }

    /** Begins the first file with the head as it is. */
    void begin(long nowNs) {
        if (!open(nowNs)) {
            listener.onClosed();
        }
    }

    /** Whether bytes appended now reach a file. */
    boolean isOpen() {
        return file != null;
    }

    void append(DirectBuffer buffer, int offset, int length, long nowNs) {
        LogFile current = file;
        if (current == null) {
            tally.lost(obstacle, length);
            return;
        }
        current.append(buffer, offset, length, nowNs);
        tally.stored(length);
    }

    /** Writes what waited long enough; leaves a failed file, and tries for a new one. Returns whether it did anything. */
    boolean tick(long nowNs) {
        LogFile current = file;
        if (current == null) {
            return nowNs - nextAttemptNs >= 0 && open(nowNs);
        }
        boolean wrote = current.writeIfDue(nowNs);
        if (current.isFailed()) {
            leave(current, nowNs);
        } else if (!store.hasRoom()) {
            pause(current, nowNs);
        }
        return wrote;
    }

    /** What is in the file is finished in good order before the disk is full to the brim. */
    private void pause(LogFile current, long nowNs) {
        store.finish(current);
        if (current.isFailed()) {
            tally.diskFailure();
            tally.lost(Obstacle.NO_SPACE, current.unwrittenBytes());
        }
        file = null;
        failedBefore = true;
        headAccounted = head.length();
        nextAttemptNs = nowNs;
        await(Obstacle.NO_SPACE);
        listener.onClosed();
    }

    private void await(Obstacle what) {
        if (obstacle != what && what == Obstacle.TOO_MANY_FILES) {
            tally.refusedFile();
            problems.report("vehicle " + systemId + ": " + store.describe(what));
        }
        obstacle = what;
        problem = store.describe(what);
        failedBefore = true;
    }

    void finish() {
        LogFile current = file;
        if (current == null) {
            tally.lost(obstacle, head.length() - headAccounted);
            return;
        }
        store.finish(current);
        if (current.isFailed()) {
            tally.diskFailure();
            tally.diskLost(current.unwrittenBytes());
            problems.report(current.name() + ": " + current.failure() + "; its end is missing");
        }
        file = null;
    }

    private void leave(LogFile failed, long nowNs) {
        tally.diskFailure();
        tally.diskLost(failed.unwrittenBytes());
        problem = failed.failure();
        problems.report(failed.name() + ": " + problem + "; going on in a new file");
        store.finish(failed);
        file = null;
        failedBefore = true;
        headAccounted = head.length();
        if (nowNs - openedNs >= STEADY_NS) {
            shortLived = 0;
        }
        nextAttemptNs = nowNs + nextPauseNs();
        listener.onClosed();
    }

    /** None at first, then one second, and longer each time that the new file fails soon. */
    private long nextPauseNs() {
        long pauseNs = shortLived == 0 ? 0 : Math.min(RETRY_NS << (shortLived - 1), MAX_RETRY_NS);
        shortLived = Math.min(shortLived + 1, Integer.SIZE);
        return pauseNs;
    }

    private boolean open(long nowNs) {
        Obstacle inTheWay = store.obstacle(systemId);
        if (inTheWay != Obstacle.NONE) {
            await(inTheWay);
            return false;
        }
        boolean waited = obstacle != Obstacle.NONE;
        obstacle = Obstacle.NONE;
        LogFile next;
        try {
            next = store.create(systemId);
        } catch (IOException e) {
            onOpenFailed("no new file in " + store.location() + ": " + Reason.of(e) + "; trying again every second");
            nextAttemptNs = nowNs + RETRY_NS;
            return false;
        }
        next.append(head.buffer(), 0, head.length(), nowNs);
        next.write();
        if (next.isFailed()) {
            onOpenFailed(next.name() + ": " + next.failure() + "; trying again later");
            store.discard(next); // a part of a head is of use to nobody
            nextAttemptNs = nowNs + nextPauseNs();
            return false;
        }
        file = next;
        openedNs = nowNs;
        headAccounted = head.length();
        tally.file(head.length());
        if (failedBefore) {
            listener.onReopened();
        }
        failedBefore = false;
        problem = "";
        if (!problems.isReported() && waited) {
            LOG.info("recording goes on in {}", fileName());
        }
        problems.resolved("recording goes on in " + fileName());
        return true;
    }

    private void onOpenFailed(String what) {
        tally.diskFailure();
        failedBefore = true;
        problem = what;
        problems.report(what);
    }
}
