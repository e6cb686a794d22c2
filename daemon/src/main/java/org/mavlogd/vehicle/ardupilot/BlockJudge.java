package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.vehicle.conversation.VehicleHearing;

/**
 * Decides for each block whether it continues the open log, begins a new one, belongs to a log that an earlier run
 * left, or none of these; and what it means if no block comes. Stores the blocks of the open log. Owned by the session.
 * Hot path.
 */
final class BlockJudge {
    /** The result for a block. */
    enum Verdict {
        /** Undecided. */
        LEFT,
        /** It belongs to the open log. */
        TAKEN,
        /** It begins a new log. */
        BEGIN,
        /** It belongs to an earlier run's log, which continues now; it is stored. */
        RESUMED,
        /** It belongs to a log whose start is missing and will not come. */
        START_MISSING
    }

    /** More than a vehicle sends before it needs an ack for block 0. */
    static final long FIRST_BLOCKS = 256;
    // A new log repeats its block 0 ten times in this period, unless the link breaks again.
    private static final long UNCERTAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long STRAY_PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(1500);
    /** A vehicle gives up 10 s after the last ack; with a margin for blocks on the way. */
    static final long GIVEN_UP_NS = TimeUnit.SECONDS.toNanos(15);

    /** How long after the first block of a new log a block that was sent before it may arrive. */
    static final long OVERTAKEN_NS = TimeUnit.MILLISECONDS.toNanos(250);

    // A running stream repeats unacknowledged blocks ten times a second. A silent one is asked for again, which does no
    // harm if it is still running.
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

    /** Whether the numbers of a new log are all below those that this one may still get. */
    boolean isLongLog() {
        return stream.highest() >= BlockTracker.WINDOW + FIRST_BLOCKS;
    }

    /** Whether a block of the open log is due. */
    boolean isSilent(long nowNs) {
        return nowNs - lastTakenNs >= SILENT_NS;
    }

    /** Whether the vehicle no longer keeps the blocks that it had sent. */
    boolean isGivenUp(long nowNs) {
        return nowNs - lastTakenNs >= GIVEN_UP_NS;
    }

    /**
     * Whether the log is over because no block comes: the vehicle is gone, or has given up the blocks that it had sent.
     * A vehicle that is only silent may have nothing to log.
     */
    boolean isSilenceEnd(long nowNs) {
        return isGivenUp(nowNs) && !(hearing.isHeard(nowNs) && stream.isSettled());
    }

    /** The reason for the end of a log by silence. */
    SessionEnd silenceReason(long nowNs) {
        return hearing.isHeard(nowNs) ? SessionEnd.STREAM_SILENT : SessionEnd.VEHICLE_SILENT;
    }

    /** Forgets strays and uncertain blocks. */
    void forget() {
        strays = 0;
        uncertain.forget();
    }

    /**
     * Judges a block while a log is open, and stores it if it belongs to it.
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

    /** Judges a block while no log is open. */
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
     * Whether a block 0 after a silence begins a log although its content may equal that of the open one: all boots of
     * a vehicle may begin with the same bytes. It does if the open log is too long for its block 0 to come again, if
     * other blocks since the silence are not of the open log, or if the silence was so long that the vehicle repeats
     * nothing of it.
     */
    private boolean isNewBegin(long nowNs) {
        return stream.highest() >= FIRST_BLOCKS || strays > 0 || nowNs - lastTakenNs >= GIVEN_UP_NS;
    }

    /**
     * Whether the block may belong to the previous stream, on a link that reorders; stored, it would take the place of
     * a block of this log for good. A block of this log that is ignored comes again within 100 ms, in order.
     */
    private boolean isOvertaken(LogBlock block, long nowNs) {
        overtaking = overtaking && nowNs - begunNs < OVERTAKEN_NS;
        return overtaking && block.number() > stream.highest() + 1;
    }

    /**
     * Whether a block with a low number after a silence may belong to this log, or to a new one whose block 0 was lost;
     * formats alone are the same in both. Without an ack the vehicle repeats the block, and block 0 as well.
     */
    private boolean isInDoubt(LogBlock block, long nowNs) {
        if (block.number() >= FIRST_BLOCKS || stream.judge(block) == BlockTracker.Verdict.OTHER) {
            return false;
        }
        return uncertain.lasts(nowNs);
    }

    /**
     * A period in which it is uncertain to which log a block belongs, because more evidence may come. It continues only
     * while blocks come; a pause starts it again. Owned by the session. Hot path.
     */
    static final class UncertainPeriod {
        // A vehicle repeats unacknowledged blocks ten times a second.
        private static final long BREAK_NS = TimeUnit.MILLISECONDS.toNanos(250);

        private final long lengthNs;
        private boolean begun;
        private long beginNs;
        private long lastNs;

        /** @param lengthNs time within which evidence comes, if there is any */
        UncertainPeriod(long lengthNs) {
            this.lengthNs = lengthNs;
        }

        /** Counts one more uncertain block; returns whether the period continues. */
        boolean lasts(long nowNs) {
            if (!begun || nowNs - lastNs >= BREAK_NS) {
                begun = true;
                beginNs = nowNs;
            }
            lastNs = nowNs;
            return nowNs - beginNs < lengthNs;
        }

        /** Starts the period again with the next block. */
        void forget() {
            begun = false;
        }
    }
}
