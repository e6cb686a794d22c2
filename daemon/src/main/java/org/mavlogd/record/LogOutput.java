package org.mavlogd.record;

import java.io.IOException;
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
import org.mavlogd.ulog.ULogLayout;
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

    /** Hears of failures. */
    interface Listener {
        /** The log has no file from here on. */
        void onClosed();

        /** The log goes on in a new file. */
        void onReopened();
    }

    private final LogStore store;
    private final int systemId;
    private final String name;
    private final FileHead parts;
    private final LogHead head;
    private final StartClock clock;
    private final LocalPart local;
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
    private final RetryPause pause = new RetryPause();
    private long headBytes;
    private int part;
    private String previous = "";
    // How much of the head is in a file, or counted as lost.
    private int headAccounted;

    /** A file with its head, and what that has of this computer, if anything yet. */
    private record NewFile(LogFile file, @Nullable LocalHead local) {}

    LogOutput(LogStore store, int systemId, FileHead parts, Tally tally, Listener listener) {
        this.store = store;
        this.rotation = store.settings().rotation();
        this.systemId = systemId;
        this.name = systemId == LogName.NO_SYSTEM ? "this computer" : "vehicle " + systemId;
        this.parts = parts;
        this.head = parts.vehicle();
        this.clock = parts.clock();
        this.local = parts.local();
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
        begin(nowNs, nowNs);
    }

    /** The same, for data that are there since a while: the file is named by their begin. */
    void begin(long beganNs, long nowNs) {
        if (open(nowNs)) {
            fileBeganNs = beganNs;
            onClock();
        } else {
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
            local.resume(log, head.formats());
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
                && pause.isOver(nowNs)) {
            rotate(current, nowNs);
        }
    }

    /** Goes on in a new file now; false when there is none to go on from, nothing in it yet, or none can be made. */
    boolean beginNextFile(long nowNs) {
        LogFile current = file;
        if (current != null && head.isComplete() && current.appendedBytes() > headBytes && pause.isOver(nowNs)) {
            rotate(current, nowNs);
        }
        return file != current;
    }

    /** The vehicle's definitions are through: what comes next is a subscription or data. Hot path but for the first time. */
    void endDefinitions(long nowNs) {
        LogFile current = file;
        if (current != null && !local.isDefined()) {
            LocalHead its = parts.appendLocal(current, nowNs);
            local.adopt(its);
            headBytes += its.length();
        }
    }

    /** Appends whole messages, plain ones or others, that were received at {@code arrivalNs}. */
    void append(DirectBuffer buffer, int offset, int length, long arrivalNs) {
        LogFile current = file;
        if (current == null) {
            tally.lost(obstacle, length);
            return;
        }
        current.append(buffer, offset, length, arrivalNs);
        tellHead(current, buffer, offset);
        tally.stored(length);
    }

    /** Appends a whole message of this computer's own, if there is a file. */
    void appendLocal(DirectBuffer buffer, int length, long nowNs) {
        LogFile current = file;
        if (current != null) {
            current.append(buffer, 0, length, nowNs);
            tellHead(current, buffer, 0);
            tally.storedLocal(length);
        }
    }

    private static void tellHead(LogFile current, DirectBuffer buffer, int offset) {
        if (!LogHead.isPlain(buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET))) {
            current.headEndsHere();
        }
    }

    /** Why there is no file. */
    LocalOutcome lossCause() {
        return switch (obstacle) {
            case NONE -> LocalOutcome.DISK;
            case NO_SPACE -> LocalOutcome.NO_SPACE;
            case TOO_MANY_FILES -> LocalOutcome.FILE_LIMIT;
        };
    }

    /** What was appended is to be on the medium as soon as the disk can. */
    void makeUrgent() {
        if (file != null) {
            file.makeUrgent();
        }
    }

    /** The clock tells the time, or tells it better: the file's name will be right. */
    void onClock() {
        if (file != null && !isNameRight && clock.isKnown()) {
            file.beganAt(clock.epochMs(fileBeganNs));
        }
    }

    /** Writes what waited long enough; leaves a failed file, and tries for a new one. Returns whether it did anything. */
    boolean tick(long nowNs) {
        LogFile current = file;
        if (current == null) {
            return pause.isOver(nowNs) && open(nowNs);
        }
        boolean wrote = current.flushIfDue(nowNs);
        if (current.isFailed()) {
            leave(current, nowNs);
        } else if (!store.hasRoom()) {
            pauseFor(current, nowNs);
        }
        return wrote;
    }

    /** What is in the file is finished in good order before the disk is full to the brim. */
    private void pauseFor(LogFile current, long nowNs) {
        store.finish(current);
        if (current.isFailed()) {
            tally.diskFailure();
            tally.lost(Obstacle.NO_SPACE, current.unwrittenBytes());
        }
        noFile();
        pause.none(nowNs);
        await(Obstacle.NO_SPACE);
        listener.onClosed();
    }

    private void await(Obstacle what) {
        if (obstacle != what && what == Obstacle.TOO_MANY_FILES) {
            tally.refusedFile();
            problems.report(name + ": " + store.describe(what));
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
            pause.aSecond(nowNs);
            return; // it goes on in the old one, while that may grow
        }
        current.write();
        if (current.isFailed()) {
            return; // the next tick leaves it
        }
        NewFile next = make(nowNs, "; " + current.name() + " goes on");
        if (next == null) {
            return;
        }
        close(current);
        tally.rotation();
        adopt(next, nowNs);
        problems.resolved("recording goes on in " + fileName());
        LOG.info("{}: part {} of the log: {}", name, part, fileName());
    }

    private void leave(LogFile failed, long nowNs) {
        tally.diskFailure();
        tally.diskLost(failed.unwrittenBytes());
        problem = failed.failure();
        problems.report(failed.name() + ": " + problem + "; going on in a new file");
        store.finish(failed);
        noFile();
        pause.afterFailure(nowNs, nowNs - openedNs);
        listener.onClosed();
    }

    private void noFile() {
        file = null;
        head.onFile(false);
        local.onNoFile();
        failedBefore = true;
        headAccounted = head.length();
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
        NewFile next = make(nowNs, "");
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
    private @Nullable NewFile make(long nowNs, String consequence) {
        LogFile next;
        try {
            next = store.create(systemId);
        } catch (IOException e) {
            onMakeFailed("no new file in " + store.location() + ": " + Reason.of(e) + consequence
                    + "; trying again every second");
            pause.aSecond(nowNs);
            return null;
        }
        LocalHead its = parts.appendTo(next, part + 1, previous, nowNs);
        next.write();
        if (next.isFailed()) {
            onMakeFailed(next.name() + ": " + next.failure() + consequence + "; trying again later");
            store.discard(next); // a part of a head is of use to nobody
            pause.afterFailure(nowNs, 0);
            return null;
        }
        return new NewFile(next, its);
    }

    private void adopt(NewFile made, long nowNs) {
        LogFile next = made.file();
        file = next;
        openedNs = nowNs;
        fileBeganNs = nowNs;
        isNameRight = false;
        pause.none(nowNs);
        if (made.local() == null) {
            local.onNoFile();
        } else {
            local.adopt(made.local());
        }
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
