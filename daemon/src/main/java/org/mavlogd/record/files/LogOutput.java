package org.mavlogd.record.files;

import java.io.IOException;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.figures.RecordingIdentity;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.figures.Tally;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.record.head.StartClock;
import org.mavlogd.record.local.LocalHead;
import org.mavlogd.record.local.LocalOutcome;
import org.mavlogd.record.local.LocalPart;
import org.mavlogd.recovery.UnfinishedLog;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.Reason;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.store.StreamMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output of one log: writes to a file until it fails or {@link StoreSettings.RotationPolicy} ends it, then to a new
 * one that starts with the same head. If only the next file cannot be made, the current one continues. While there is
 * no file, data is counted as lost, by its cause. A pause for lack of space is not a failure: the file is finished
 * properly, and a new one begins when there is room.
 */
public final class LogOutput {
    private static final Logger LOG = LoggerFactory.getLogger(LogOutput.class);

    /** Is informed about failures. */
    public interface Listener {
        /** The log has no file from now on. */
        void onClosed();

        /** The log continues in a new file. */
        void onReopened();
    }

    private final LogStore store;
    private final int systemId;
    private final String name;
    private final FileHead fileHead;
    private final LogHead head;
    private final StartClock clock;
    private final LocalPart local;
    private final Tally tally;
    private final Listener listener;
    private final StoreSettings.RotationPolicy rotation;
    private final OutputTrouble trouble;
    private final FileSeries files;

    // Null while there is no file.
    private @Nullable WrittenFile growing;
    private boolean failedBefore;
    // How many bytes of the head are in a file, or counted as lost.
    private int headAccounted;

    /** @param log the common part of all files' names */
    public LogOutput(
            LogStore store, int systemId, LogName.LogNumber log, FileHead fileHead, Tally tally, Listener listener) {
        this.store = store;
        this.rotation = store.settings().rotation();
        this.systemId = systemId;
        this.name = systemId == LogName.NO_SYSTEM ? "this computer" : "vehicle " + systemId;
        this.fileHead = fileHead;
        this.head = fileHead.vehicle();
        this.clock = fileHead.clock();
        this.local = fileHead.local();
        this.tally = tally;
        this.listener = listener;
        this.trouble = new OutputTrouble(store, name, tally);
        this.files = new FileSeries(store, systemId, log, fileHead, trouble);
    }

    /** The name of the current file; empty if there is none. */
    public String fileName() {
        return growing == null ? "" : growing.file().name();
    }

    /** Its files and their bytes, for messages. */
    public String filesText() {
        return tally.filesText(growing == null ? files.last() : fileName());
    }

    /** The number of the current file in the log, from 1; 0 before the first. */
    public int part() {
        return files.part();
    }

    /** Which file lacks definitions that came before it, for people; empty if none of this log does. */
    public String lack() {
        return trouble.lack();
    }

    /** Begins the first file with the current head; its name has the time when its data began. */
    public void begin(long beganNs, long nowNs) {
        if (!open(nowNs)) {
            listener.onClosed();
        } else if (growing != null) {
            growing.beganAt(beganNs);
            growing.nameBy(clock);
        }
    }

    /**
     * Continues the file of an earlier run, which has the head; begins a new one if that file cannot be written.
     *
     * @param itsPart the number of that file in the log
     * @param beganNs when the log began
     */
    public void resume(UnfinishedLog log, int itsPart, long beganNs, long nowNs) {
        files.resume(itsPart, log.fileName());
        tally.resumed(log.start().bytes());
        try {
            growing = WrittenFile.resumed(store.resume(log.start()), head.length(), beganNs, nowNs);
            headAccounted = head.length();
            head.onFile(true);
            local.resume(log, head);
        } catch (IOException e) {
            trouble.onNoFile(log.fileName() + ": " + Reason.of(e) + "; continuing in a new file");
            failedBefore = true;
            begin(nowNs, nowNs);
        }
    }

    /** Whether the start time in the file's name and infos waits for a clock. */
    public boolean isTimeOpen() {
        return growing != null && growing.isTimeOpen();
    }

    /** Notes the state of the file's stream for a later run. */
    public void mark(StreamMark.Stream stream) {
        if (growing != null) {
            growing.file().mark(stream);
        }
    }

    /** Whether there is a file. */
    public boolean isOpen() {
        return growing != null;
    }

    /** Whether so many further bytes may need a new file. */
    public boolean isRotationNear(int nextBytes, long nowNs) {
        return growing != null && growing.isNear(rotation, nextBytes, nowNs);
    }

    /** Begins a new file before the next message, of this length, if the policy requires it. Hot path otherwise. */
    public void rotateIfDue(int nextBytes, long nowNs) {
        WrittenFile current = growing;
        if (current != null
                && head.isComplete()
                && current.isDue(rotation, nextBytes, nowNs)
                && hasWholeHead()
                && trouble.mayTry(nowNs)) {
            rotate(current, nowNs);
        }
    }

    /** Begins a new file now; false if there is no current file, it has no data yet, or no new one can be made. */
    public boolean beginNextFile(long nowNs) {
        WrittenFile current = growing;
        if (current != null && head.isComplete() && current.hasData() && hasWholeHead() && trouble.mayTry(nowNs)) {
            rotate(current, nowNs);
        }
        return growing != current;
    }

    /** Whether the head is complete. If memory was lacking for it, a next file would lack definitions. */
    private boolean hasWholeHead() {
        if (head.lacksMessages()) {
            trouble.onKept(fileName());
        }
        return !head.lacksMessages();
    }

    /** The vehicle's definitions are complete: a subscription or data follows. Hot path, except for the first time. */
    public void endDefinitions(long nowNs) {
        WrittenFile current = growing;
        if (current != null && !local.isDefined()) {
            LocalHead its = fileHead.appendLocal(current.file(), nowNs);
            local.adopt(its);
            current.headGrew(its.length());
        }
    }

    /** Appends a complete message of any type that arrived at {@code arrivalNs}. */
    public void append(DirectBuffer buffer, int offset, int length, long arrivalNs) {
        append(buffer, offset, length, 1, arrivalNs);
    }

    /** Appends this number of complete messages: one, or several on which no later message depends. */
    public void append(DirectBuffer buffer, int offset, int length, int messages, long arrivalNs) {
        if (growing == null) {
            trouble.lost(length);
            return;
        }
        growing.append(buffer, offset, length, arrivalNs);
        tally.stored(length, messages);
    }

    /** Appends a complete message of this computer, if there is a file. Its age counts from the recorder's round before. */
    public void appendLocal(DirectBuffer buffer, int length) {
        if (growing != null) {
            growing.append(buffer, 0, length, store.nextLook().beforeNs());
            tally.storedLocal(length);
        }
    }

    /** The reason why there is no file. */
    public LocalOutcome lossCause() {
        return trouble.lossCause();
    }

    /** Requests that the data appended so far is on disk as soon as possible. */
    public void makeUrgent() {
        if (growing != null) {
            growing.file().makeUrgent();
        }
    }

    /** The start time became known, or known better: the file's name will have it. */
    public void onClock() {
        if (growing != null) {
            growing.nameBy(clock);
        }
    }

    /** Like {@link #onClock}, and also writes the start time into the file. */
    public void onStartKnown(long nowNs) {
        onClock();
        if (isOpen()) {
            fileHead.own().encodeStart(clock);
            append(fileHead.own().buffer(), 0, fileHead.own().length(), nowNs);
        }
    }

    /** Writes data that is due, closes a failed file and tries a new one. Returns whether it did anything. */
    public boolean tick(long nowNs) {
        WrittenFile current = growing;
        if (current == null) {
            return trouble.mayTry(nowNs) && open(nowNs);
        }
        boolean wrote = current.file().flushIfDue(nowNs);
        if (current.file().isFailed()) {
            leave(current, nowNs);
        } else if (!store.hasRoom(systemId)) {
            pauseFor(current.file(), nowNs);
        }
        return wrote;
    }

    /** Finishes the file properly before the disk is completely full. */
    private void pauseFor(LogFile current, long nowNs) {
        boolean isFailed = files.finish(current);
        noFile();
        trouble.onPaused(current, isFailed, nowNs);
        listener.onClosed();
    }

    public void finish() {
        if (growing == null) {
            trouble.lost(Math.max(0, head.length() - headAccounted) + head.takeReplacedBytes());
        } else {
            close(growing.file());
            growing = null;
        }
    }

    /** Ends the log and deletes its file. */
    public void discard() {
        if (growing != null) {
            store.discard(growing.file());
            growing = null;
        }
    }

    private void close(LogFile current) {
        if (files.finish(current)) {
            trouble.onEndMissing(current);
        }
    }

    private void rotate(WrittenFile current, long nowNs) {
        if (store.obstacle(systemId) != LogStore.Obstacle.NONE) {
            trouble.postpone(nowNs);
            return; // the log continues in the old file if possible
        }
        current.file().write();
        if (current.file().isFailed()) {
            return; // the next tick closes it
        }
        FileSeries.NewFile next = files.make(nowNs, "; " + current.file().name() + " continues");
        if (next == null) {
            return;
        }
        close(current.file());
        tally.rotation();
        adopt(next, nowNs);
        trouble.tellEnd(fileName(), false);
        LOG.info("{}: part {} of the log: {}", name, part(), fileName());
    }

    private void leave(WrittenFile failed, long nowNs) {
        trouble.onFailed(failed.file(), nowNs, failed.ageNs(nowNs));
        files.finish(failed.file());
        noFile();
        listener.onClosed();
    }

    private void noFile() {
        growing = null;
        head.onFile(false);
        local.onNoFile();
        failedBefore = true;
        headAccounted = head.length();
    }

    private boolean open(long nowNs) {
        LogStore.Obstacle inTheWay = store.obstacle(systemId);
        if (inTheWay != LogStore.Obstacle.NONE) {
            trouble.await(inTheWay);
            failedBefore = true;
            return false;
        }
        trouble.lost(head.takeReplacedBytes());
        boolean waited = trouble.passObstacle();
        FileSeries.NewFile next = files.make(nowNs, "");
        if (next == null) {
            failedBefore = true;
            return false;
        }
        adopt(next, nowNs);
        headAccounted = head.length();
        if (head.lacksMessages()) {
            trouble.onLack(fileName());
        }
        if (failedBefore) {
            listener.onReopened();
        }
        failedBefore = false;
        trouble.tellEnd(fileName(), waited);
        return true;
    }

    private void adopt(FileSeries.NewFile made, long nowNs) {
        WrittenFile next = WrittenFile.begun(made.file(), nowNs);
        growing = next;
        trouble.onFile(nowNs);
        if (made.local() == null) {
            local.onNoFile();
        } else {
            local.adopt(made.local());
        }
        next.nameBy(clock);
        files.took(made.file());
        if (head.isComplete()) {
            made.file().makeUrgent();
        }
        tally.file(next.headBytes());
        head.onFile(true);
    }

    /**
     * The status of the log.
     *
     * @param otherProblem a problem to report if its files have none
     * @param memory memory of the log
     */
    public RecordingStatus status(
            RecordingIdentity identity,
            RecordingStatus.Figures figures,
            String otherProblem,
            MemoryShare memory,
            long nowNs) {
        RecordingStatus.Written written = RecordingStatus.Written.of(
                LogKind.ULG,
                growing == null ? null : growing.file(),
                part(),
                trouble.problem().isEmpty() ? otherProblem : trouble.problem(),
                nowNs);
        long utcMs = clock.isKnown() ? clock.epochMs(identity.startedNs()) : identity.startedEpochMs();
        return identity.status(written, utcMs, figures, memory.wasRefused(), nowNs);
    }
}
