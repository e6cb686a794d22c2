package org.mavlogd.record;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.store.LeftOverLog;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogName;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.Obstacle;
import org.mavlogd.store.Reason;
import org.mavlogd.store.RotationPolicy;
import org.mavlogd.store.StreamMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where one log goes: a file as long as it is sound and {@link RotationPolicy} leaves it, and then a new one that begins
 * with the same head. When only the next part cannot be made, the old one goes on. While there is no file, what comes is
 * counted as lost to the disk, or to want of space. A pause for want of space is no failure: the file is finished in good
 * order, and a new one begins when there is room.
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
    private final OwnInfos own;
    private final StartClock clock;
    private final Tally tally;
    private final Listener listener;
    private final RotationPolicy rotation;
    private final ProblemLog problems = new ProblemLog(LOG);

    // Null while the disk takes nothing.
    private @Nullable LogFile file;
    private String problem = "";
    // Why there is no file, when the disk is sound.
    private Obstacle obstacle = Obstacle.NONE;
    private boolean failedBefore;
    private long openedNs;
    private long fileBeganNs;
    // An earlier run knew the time: it is not to be found out again.
    private boolean isNameRight;
    private int shortLived;
    private long nextAttemptNs;
    private long headBytes;
    private int part;
    private String previous = "";
    // How much of the head is in a file, or counted as lost.
    private int headAccounted;

    LogOutput(
            LogStore store,
            int systemId,
            LogHead head,
            OwnInfos own,
            StartClock clock,
            Tally tally,
            Listener listener) {
        this.store = store;
        this.rotation = store.settings().rotation();
        this.systemId = systemId;
        this.head = head;
        this.own = own;
        this.clock = clock;
        this.tally = tally;
        this.listener = listener;
    }

    /** The name of the file that grows now, or empty. */
    String fileName() {
        return file == null ? "" : file.name();
    }

    /** Which file of this log that is, from 1; 0 before the first. */
    int part() {
        return part;
    }

    /** Age of the oldest byte that is not known to be on the medium; 0 when all are. */
    long unforcedNs(long nowNs) {
        return file == null ? 0 : file.unforcedNs(nowNs);
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

    /**
     * Goes on with the file of an earlier run, which has the head; with a new one if that one takes nothing more.
     *
     * @param itsPart which part of the log that file is
     * @param beganNs when the log began
     */
    void resume(LeftOverLog log, int itsPart, long beganNs, long nowNs) {
        part = itsPart;
        previous = log.fileName();
        try {
            LogFile its = store.resume(log);
            file = its;
            openedNs = nowNs;
            fileBeganNs = beganNs;
            isNameRight = !LogName.lacksTime(its.name());
            headBytes = head.length();
            headAccounted = head.length();
            head.onFile(true);
        } catch (IOException e) {
            onMakeFailed(log.fileName() + ": " + Reason.of(e) + "; going on in a new file");
            failedBefore = true;
            begin(nowNs);
        }
    }

    /** Whether the file's name, or what it says of its start, waits for a clock. */
    boolean isTimeOpen() {
        return file != null && !isNameRight;
    }

    /** Notes what the file's stream is, for a later run. */
    void mark(StreamMark.Stream stream) {
        LogFile current = file;
        if (current != null) {
            current.mark(stream);
        }
    }

    /** Whether bytes appended now reach a file. */
    boolean isOpen() {
        return file != null;
    }

    /** Lets the next message, of this length, begin a new file where the policy says so. Hot path but for that. */
    void rotateIfDue(int nextBytes, long nowNs) {
        LogFile current = file;
        if (current != null
                && head.isComplete()
                && rotation.isDue(current.appendedBytes(), headBytes, nextBytes, nowNs - openedNs)
                && nowNs - nextAttemptNs >= 0) {
            rotate(current, nowNs);
        }
    }

    /** Appends whole messages that were received at {@code arrivalNs}. */
    void append(DirectBuffer buffer, int offset, int length, long arrivalNs) {
        LogFile current = file;
        if (current == null) {
            tally.lost(obstacle, length);
            return;
        }
        current.append(buffer, offset, length, arrivalNs);
        tally.stored(length);
    }

    /** What was appended is to be on the medium as soon as the disk can. */
    void makeUrgent() {
        if (file != null) {
            file.makeUrgent();
        }
    }

    /** The clock tells the time, or tells it better: the file's name will be right. */
    void onClock() {
        if (file != null && !isNameRight) {
            file.beganAt(clock.epochMs(fileBeganNs));
        }
    }

    /** Writes what waited long enough; leaves a failed file, and tries for a new one. Returns whether it did anything. */
    boolean tick(long nowNs) {
        LogFile current = file;
        if (current == null) {
            return nowNs - nextAttemptNs >= 0 && open(nowNs);
        }
        boolean wrote = current.flushIfDue(nowNs);
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
        head.onFile(false);
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
            tally.lost(obstacle, Math.max(0, head.length() - headAccounted) + head.takeReplacedBytes());
            return;
        }
        close(current);
        file = null;
    }

    private void close(LogFile current) {
        store.finish(current);
        if (current.isFailed()) {
            tally.diskFailure();
            tally.diskLost(current.unwrittenBytes());
            problems.report(current.name() + ": " + current.failure() + "; its end is missing");
        }
    }

    private void rotate(LogFile current, long nowNs) {
        if (store.obstacle(systemId) != Obstacle.NONE) {
            nextAttemptNs = nowNs + RETRY_NS;
            return; // it goes on in the old one, while that may grow
        }
        current.write();
        if (current.isFailed()) {
            return; // the next tick leaves it
        }
        LogFile next = make(nowNs, "; " + current.name() + " goes on");
        if (next == null) {
            return;
        }
        close(current);
        tally.rotation();
        adopt(next, nowNs);
        problems.resolved("recording goes on in " + fileName());
        LOG.info("vehicle {}: part {} of the log: {}", systemId, part, next.name());
    }

    private void leave(LogFile failed, long nowNs) {
        tally.diskFailure();
        tally.diskLost(failed.unwrittenBytes());
        problem = failed.failure();
        problems.report(failed.name() + ": " + problem + "; going on in a new file");
        store.finish(failed);
        file = null;
        head.onFile(false);
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
        tally.lost(obstacle, head.takeReplacedBytes());
        obstacle = Obstacle.NONE;
        LogFile next = make(nowNs, "");
        if (next == null) {
            failedBefore = true;
            return false;
        }
        adopt(next, nowNs);
        headAccounted = head.length();
        if (failedBefore) {
            listener.onReopened();
        }
        failedBefore = false;
        if (!problems.isReported() && waited) {
            LOG.info("recording goes on in {}", fileName());
        }
        problems.resolved("recording goes on in " + fileName());
        return true;
    }

    /** A new file with the head in it; null when the disk does not take it, which is told and tried again later. */
    private @Nullable LogFile make(long nowNs, String consequence) {
        LogFile next;
        try {
            next = store.create(systemId);
        } catch (IOException e) {
            onMakeFailed("no new file in " + store.location() + ": " + Reason.of(e) + consequence
                    + "; trying again every second");
            nextAttemptNs = nowNs + RETRY_NS;
            return null;
        }
        own.encodeHead(clock, part + 1, previous);
        head.appendTo(next, own, nowNs);
        next.write();
        if (next.isFailed()) {
            onMakeFailed(next.name() + ": " + next.failure() + consequence + "; trying again later");
            store.discard(next); // a part of a head is of use to nobody
            nextAttemptNs = nowNs + nextPauseNs();
            return null;
        }
        return next;
    }

    private void adopt(LogFile next, long nowNs) {
        file = next;
        openedNs = nowNs;
        fileBeganNs = nowNs;
        isNameRight = false;
        nextAttemptNs = nowNs;
        headBytes = next.appendedBytes();
        part++;
        if (clock.isKnown()) {
            next.beganAt(clock.epochMs(nowNs));
        }
        previous = next.name();
        problem = "";
        if (head.isComplete()) {
            next.makeUrgent();
        }
        tally.file(headBytes);
        head.onFile(true);
    }

    private void onMakeFailed(String what) {
        tally.diskFailure();
        problem = what;
        problems.report(what);
    }
}
