package org.mavlogd.record.blocks;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.record.figures.RecordingIdentity;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.figures.Tally;
import org.mavlogd.record.files.OutputTrouble;
import org.mavlogd.record.head.StartClock;
import org.mavlogd.recovery.FillerBlock;
import org.mavlogd.recovery.UnfinishedLog;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.Reason;
import org.mavlogd.store.StreamMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unchanged file of one log of blocks: block n is at byte 200 n, with a {@link FillerBlock} in place of each block
 * that never came.
 *
 * <p>Appends at its end only, and is never divided, however long it becomes. If the disk fails or is full, the log
 * continues later in a next file with a later block, which is reported: the joined files are the log, without the
 * blocks that were lost between them.
 *
 * <p>A file that the configuration does not ask for exists for the next run only, and is deleted when the log has ended
 * or the disk is full. Owned by the recorder's thread; taking blocks is on the hot path.
 */
final class BlockFile implements BlockSink {
    private static final Logger LOG = LoggerFactory.getLogger(BlockFile.class);
    private static final long WARN_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long MARK_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final LogStore store;
    private final RecordingIdentity identity;
    private final StartClock clock;
    private final Tally tally;
    private final BooleanSupplier isNeeded;
    private final FillerBlock filler = new FillerBlock();
    private final OutputTrouble trouble;
    private final BlockWindow.Holes holes = new BlockWindow.Holes();
    private final String name;

    // Null before the first block, and while there is no file.
    private @Nullable LogFile file;
    private String lastName = "";
    private boolean isGivenUp;
    private int part;
    private boolean isNameRight;
    private long openedNs;
    private long nextNumber;
    // The first block of the file, and the first block of this run.
    private long fileFirst;
    private long runFirst;
    private long lastArrivalNs;
    private long markedNs;
    private long untoldFillers;
    private long warnedNs;
    private long nowNs;

    /** @param isNeeded whether the file is configured, or now has data that no other file has */
    BlockFile(RecordingIdentity identity, LogStore store, StartClock clock, Tally tally, BooleanSupplier isNeeded) {
        this.isNeeded = isNeeded;
        this.identity = identity;
        this.store = store;
        this.clock = clock;
        this.tally = tally;
        this.name = "vehicle " + identity.systemId() + " on " + identity.feed();
        this.trouble = new OutputTrouble(store, name, tally);
        this.nowNs = identity.startedNs();
        this.warnedNs = nowNs - WARN_NS;
    }

    /** The name of the current file; empty if there is none. */
    String fileName() {
        return file == null ? "" : file.name();
    }

    /** The name of the current file, or else of the last one that is kept; empty if there is none. */
    String lastName() {
        return file == null ? lastName : file.name();
    }

    /**
     * A snapshot of the current file.
     *
     * @param otherProblem a problem to report if there is none with the disk
     */
    RecordingStatus.Written written(String otherProblem, long now) {
        String problem = trouble.problem().isEmpty() ? otherProblem : trouble.problem();
        return RecordingStatus.Written.of(LogKind.BIN, file, part, problem, now);
    }

    @Override
    public void onResume(UnfinishedLog log, long now) {
        nowNs = now;
        identity.log().resume(log.fileName());
        nextNumber = log.facts().sequence() + 1L;
        runFirst = nextNumber;
        log.facts().missing().forEach(holes::add);
        part = 1;
        lastName = log.fileName();
        tally.resumed(log.start().bytes());
        // The stream is running: if this run dies before it writes any of it, its note must show that.
        lastArrivalNs = now;
        try {
            LogFile its = store.resume(log.start());
            file = its;
            openedNs = now;
            isNameRight = !LogName.lacksTime(its.name());
            LOG.info("{}: recording continues in {} with block {}", name, its.name(), nextNumber);
        } catch (IOException e) {
            trouble.onNoFile(log.fileName() + ": " + Reason.of(e) + "; continuing in a new file");
        }
    }

    @Override
    public void onBlock(DirectBuffer data, int offset, long number, long arrivalNs) {
        lastArrivalNs = arrivalNs;
        append(data, offset, number, arrivalNs);
    }

    @Override
    public void onHole(long firstNumber, long count, long now) {
        nowNs = now;
        for (long number = firstNumber; number < firstNumber + count; number++) {
            append(filler.of(number), 0, number, now);
            holes.add(number);
        }
        untoldFillers += count;
        if (now - warnedNs >= WARN_NS) {
            warnOfFillers(now);
        }
    }

    /** Called at most every 10 s: on a bad link, or from a forged vehicle, every second block may be missing. */
    private void warnOfFillers(long now) {
        LOG.warn("{}: {} log blocks never came; {} has fillers in their places", name, untoldFillers, fileName());
        untoldFillers = 0;
        warnedNs = now;
    }

    @Override
    public void onLateBlock(DirectBuffer data, int offset, long number, long now) {
        LogFile current = file;
        if (current == null || number < fileFirst || !holes.remove(number)) {
            return;
        }
        long position = (number - fileFirst) * BlockView.DATA_LENGTH;
        if (current.replace(position, data, offset, BlockView.DATA_LENGTH, now)) {
            tally.putInPlace(number >= runFirst);
        }
    }

    private void append(DirectBuffer data, int offset, long number, long arrivalNs) {
        if (isGivenUp) {
            return;
        }
        nextNumber = number;
        if (file == null && trouble.mayTry(nowNs)) {
            open();
        }
        nextNumber = number + 1;
        LogFile current = file;
        if (current == null) {
            trouble.lost(BlockView.DATA_LENGTH);
            return;
        }
        current.append(data, offset, BlockView.DATA_LENGTH, arrivalNs);
        tally.storedBlock(BlockView.DATA_LENGTH);
    }

    private void open() {
        LogStore.Obstacle inTheWay = store.obstacle(identity.systemId(), LogKind.BIN);
        if (inTheWay != LogStore.Obstacle.NONE) {
            trouble.await(inTheWay);
            return;
        }
        trouble.passObstacle();
        try {
            adopt(store.create(identity.systemId(), LogKind.BIN, identity.log()));
        } catch (IOException e) {
            trouble.postpone(nowNs);
            trouble.onNoFile(
                    "no new file in " + store.location() + ": " + Reason.of(e) + "; trying again every second");
        }
    }

    private void adopt(LogFile next) {
        file = next;
        part++;
        fileFirst = nextNumber;
        openedNs = nowNs;
        trouble.onFile(nowNs);
        isNameRight = false;
        if (clock.isKnown()) {
            next.beganAt(clock.epochMs(openedNs));
        }
        tally.file(0);
        if (part == 1) {
            LOG.info("{}: recording {}", name, next.name());
        } else {
            LOG.warn(
                    "{}: the log continues in {} with block {}; to read it, join it to the file before",
                    name,
                    next.name(),
                    nextNumber);
        }
        trouble.tellEnd(next.name(), false);
    }

    @Override
    public void onEvent(VehicleEvent event, long value, long eventNs) {
        if (event.isUrgent() && file != null) {
            file.makeUrgent();
        }
    }

    /** The start time of the log became known, or known better. */
    void onClock() {
        if (file != null && !isNameRight) {
            file.beganAt(clock.epochMs(openedNs));
        }
    }

    @Override
    public boolean tick(long now) {
        nowNs = now;
        LogFile current = file;
        if (untoldFillers > 0 && now - warnedNs >= WARN_NS) {
            warnOfFillers(now);
        }
        if (current == null) {
            return false;
        }
        boolean wrote = current.flushIfDue(now);
        if (current.isFailed()) {
            leaveFailed(current);
        } else if (!store.hasRoom(identity.systemId())) {
            pause(current);
        } else if (mayGoOn() && now - markedNs >= MARK_NS) {
            mark(current, StreamMark.Fate.CONTINUES);
        }
        return wrote;
    }

    /** Whether a later run may continue it. A file does not contain its block numbers, so they must begin with 0. */
    private boolean mayGoOn() {
        return part == 1 && fileFirst == 0;
    }

    /** Whether it may be deleted. */
    private boolean isDeletable() {
        return part == 1 && !isNeeded.getAsBoolean();
    }

    /** Notes what a later run needs to continue. Allocates, some times a second. */
    private void mark(LogFile current, StreamMark.Fate fate) {
        markedNs = nowNs;
        current.mark(identity.blockMark(nextNumber - 1, lastArrivalNs, 0, fate));
    }

    private void leaveFailed(LogFile failed) {
        trouble.onFailed(failed, nowNs, nowNs - openedNs);
        store.finish(failed);
        lastName = failed.name();
        file = null;
    }

    /** Finishes the file properly before the disk is completely full, or deletes it if it is not needed. */
    private void pause(LogFile current) {
        if (isDeletable()) {
            LOG.info(
                    "{}: {} is deleted to make room for the ULog; after a restart the log does not continue",
                    name,
                    current.name());
            store.discard(current);
            lastName = "";
            file = null;
            isGivenUp = true;
            return;
        }
        boolean isFailed = store.finish(current);
        lastName = current.name();
        file = null;
        trouble.onPaused(current, isFailed, nowNs);
    }

    @Override
    public void onEnd(SessionEnd reason, long now) {
        nowNs = now;
        LogFile current = file;
        if (untoldFillers > 0) {
            warnOfFillers(now);
        }
        if (current == null) {
            return;
        }
        file = null;
        if (release(current, reason)) {
            trouble.onEndMissing(current);
        }
    }

    /** Returns whether the file has failed so far. */
    private boolean release(LogFile current, SessionEnd reason) {
        if (current.isFailed()) {
            return store.finish(current);
        }
        if (reason == SessionEnd.LEFT && mayGoOn()) {
            return leave(current);
        }
        if (isDeletable()) {
            store.discard(current);
            return false;
        }
        return store.finish(current);
    }

    private boolean leave(LogFile current) {
        current.write();
        if (isDeletable()) {
            mark(current, StreamMark.Fate.DELETABLE);
            return store.leaveDeletable(current);
        }
        mark(current, StreamMark.Fate.CONTINUES);
        return store.leave(current);
    }
}
