package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.vehicle.conversation.VehicleHearing;

/**
 * Judges what each block is to the conversation: more of the open log, the first of a new one, of a log that an earlier
 * run left, or none of these; and what it means that none comes. Stores what is of the open log. Owned by the session.
 * Hot path.
 */
final class BlockJudge {
    /** What a block is. */
    enum Verdict {
        /** Nothing to go by yet. */
        LEFT,
        /** Of the open log. */
        TAKEN,
        /** The first of a new log. */
        BEGIN,
        /** Of an earlier run's log, which continues now; taken. */
        RESUMED,
        /** Of a log whose beginning is not here and will not come. */
        START_MISSING
    }

    /** More than a vehicle sends before it needs an ack for block 0. */
    static final long FIRST_BLOCKS = 256;
    // A new log repeats its block 0 ten times within it, unless the link breaks again.
    private static final long UNCERTAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long STRAY_PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(1500);
    /** A vehicle gives up 10 s after the last ack; with a margin for what is under way. */
    static final long GIVEN_UP_NS = TimeUnit.SECONDS.toNanos(15);

    /** What was sent before a new log may come after its first block for so long. */
    static final long OVERTAKEN_NS = TimeUnit.MILLISECONDS.toNanos(250);

    // A stream that runs repeats what is unacknowledged ten times a second: a silent one is asked for again, which does
    // no harm if it lives.
    private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int ENOUGH_STRAYS = 3;

    private final BlockStream stream;
    private final BlockResumption resumption;
    private final VehicleHearing hearing;
    private final ArduPilotCounters counters;
    private final UncertainPeriod uncertain = new UncertainPeriod(UNCERTAIN_NS);

    private int strays;
    private long firstStrayNs;
    private long lastTakenNs;
    private boolean overtaking;
    private long begunNs;

    BlockJudge(BlockStream stream, BlockResumption resumption, VehicleHearing hearing, ArduPilotCounters counters) {
        this.stream = stream;
        this.resumption = resumption;
        this.hearing = hearing;
        this.counters = counters;
    }

    /** Whether no number of a new log is among those that may still come of this one. */
    boolean isLongLog() {
        return stream.highest() >= BlockTracker.WINDOW + FIRST_BLOCKS;
    }

    /** Whether a block of the open log is due. */
    boolean isSilent(long nowNs) {
        return nowNs - lastTakenNs >= SILENT_NS;
    }

    /** Whether the vehicle no longer keeps what it had sent. */
    boolean isGivenUp(long nowNs) {
        return nowNs - lastTakenNs >= GIVEN_UP_NS;
    }

    /**
     * Whether the log is over because no block of it comes: the vehicle is gone, or has given up what it had sent; one
     * that is only silent may have nothing to log.
     */
    boolean isSilenceEnd(long nowNs) {
        return isGivenUp(nowNs) && !(hearing.isHeard(nowNs) && stream.isSettled());
    }

    /** Why a log ends by silence. */
    SessionEnd silenceReason(long nowNs) {
        return hearing.isHeard(nowNs) ? SessionEnd.STREAM_SILENT : SessionEnd.VEHICLE_SILENT;
    }

    /** What strays and doubts told so far no longer counts. */
    void forget() {
        strays = 0;
        uncertain.forget();
    }

    /**
     * A block while a log is open; of that it is stored.
     *
     * @param isAsking whether the log was silent, so that a new one may have begun
     */
    Verdict ofOpenLog(LogBlock block, boolean isAsking, long nowNs) {
        if (isAsking && block.number() == 0 && isNewBegin(nowNs)) {
            return Verdict.BEGIN;
        }
        if (isOvertaken(block, nowNs) || (isAsking && isInDoubt(block, nowNs))) {
            counters.strays.increment();
            return Verdict.LEFT; // it comes again
        }
        if (stream.take(block, nowNs) != BlockStream.Verdict.OTHER) {
            taken(nowNs);
            return Verdict.TAKEN;
        }
        if (block.number() == 0) {
            return Verdict.BEGIN;
        }
        addStray(nowNs);
        boolean isOver = strays >= ENOUGH_STRAYS
                && nowNs - lastTakenNs >= STRAY_PATIENCE_NS
                && nowNs - firstStrayNs >= STRAY_PATIENCE_NS;
        return isOver ? Verdict.START_MISSING : Verdict.LEFT;
    }

    /** A block while no log is open. */
    Verdict ofNoLog(LogBlock block, long nowNs) {
        boolean isFirst = block.number() == 0;
        BlockResumption.Verdict verdict =
                isFirst ? resumption.judgeFirst(block.hash(), nowNs) : resumption.judge(block.number(), nowNs);
        if (isFirst && verdict == BlockResumption.Verdict.OTHER) {
            return Verdict.BEGIN;
        }
        if (verdict == BlockResumption.Verdict.SAME && resumption.resume(stream, block.number(), nowNs)) {
            first(block, nowNs);
            return Verdict.RESUMED;
        }
        addStray(nowNs);
        boolean isPatient = block.number() < FIRST_BLOCKS && nowNs - firstStrayNs < STRAY_PATIENCE_NS;
        boolean isOver = verdict == BlockResumption.Verdict.OTHER && strays >= ENOUGH_STRAYS && !isPatient;
        return isOver ? Verdict.START_MISSING : Verdict.LEFT;
    }

    /**
     * Takes block 0 of a log that has just begun.
     *
     * @param isAmongOthers whether blocks of another stream came just before
     */
    void begin(LogBlock block, boolean isAmongOthers, long nowNs) {
        overtaking = isAmongOthers;
        begunNs = nowNs;
        first(block, nowNs);
    }

    /** Takes the first block of a log that has just begun, or continues. */
    void first(LogBlock block, long nowNs) {
        taken(nowNs);
        stream.take(block, nowNs);
    }

    private void taken(long nowNs) {
        lastTakenNs = nowNs;
        forget();
    }

    private void addStray(long nowNs) {
        counters.strays.increment();
        if (strays == 0) {
            firstStrayNs = nowNs;
        }
        strays++;
    }

    /**
     * Whether a block 0 after a silence begins a log although it may look like that of the open one: each boot of a
     * vehicle may begin with the same. Either the open log is too long for its block 0 to come again, or other blocks that
     * came since the silence are not of the open log, or the silence was so long that nothing of it is repeated any more.
     */
    private boolean isNewBegin(long nowNs) {
        return stream.highest() >= FIRST_BLOCKS || strays > 0 || nowNs - lastTakenNs >= GIVEN_UP_NS;
    }

    /**
     * Whether it may be of the stream before, on a link that changes the order: it would keep the place of another one for
     * good. Left alone, a block of this log comes again within 100 ms, then in its order.
     */
    private boolean isOvertaken(LogBlock block, long nowNs) {
        overtaking = overtaking && nowNs - begunNs < OVERTAKEN_NS;
        return overtaking && block.number() > stream.highest() + 1;
    }

    /**
     * After a silence a low number may be of this log, or of a new one whose block 0 was lost; formats alone look the same
     * in each. Without an ack the vehicle repeats it, and block 0 as well.
     */
    private boolean isInDoubt(LogBlock block, long nowNs) {
        if (block.number() >= FIRST_BLOCKS || stream.judge(block) == BlockTracker.Verdict.OTHER) {
            return false;
        }
        return uncertain.lasts(nowNs);
    }

    /**
     * A period in which it is uncertain to which log a block belongs, because a better sign may still come. It counts only while
     * blocks keep coming; a pause starts it again. Owned by the session. Hot path.
     */
    static final class UncertainPeriod {
        // A vehicle repeats what is unacknowledged ten times a second.
        private static final long BREAK_NS = TimeUnit.MILLISECONDS.toNanos(250);

        private final long lengthNs;
        private boolean begun;
        private long beginNs;
        private long lastNs;

        /** @param lengthNs time within which the better sign comes, if it does */
        UncertainPeriod(long lengthNs) {
            this.lengthNs = lengthNs;
        }

        /** Whether the period continues, with one more uncertain block. */
        boolean lasts(long nowNs) {
            if (!begun || nowNs - lastNs >= BREAK_NS) {
                begun = true;
                beginNs = nowNs;
            }
            lastNs = nowNs;
            return nowNs - beginNs < lengthNs;
        }

        /** The next block starts the period again. */
        void forget() {
            begun = false;
        }
    }
}
