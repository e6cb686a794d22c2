package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.conversation.LogConversation;

/**
 * Decides whether a stream without its start belongs to a log that an earlier run left unfinished. A vehicle never
 * streams after a boot before it was asked, and holds no more than 255 blocks: so a stream to us that continues near
 * where the file ends is the one of the file, however long the vehicle had nothing to send. Only low numbers may be of
 * a new log as well. Owned by the session.
 */
final class BlockResumption {
    /** What is known so far. */
    enum Verdict {
        SAME,
        OTHER,
        /** The files of the earlier run are still being looked at, or block 0 of a new log may still come. */
        UNDECIDED
    }

    // A vehicle gives up no earlier than this after the last ack: until then no log of its can be new.
    private static final long SURE_NS = TimeUnit.SECONDS.toNanos(9);
    // A new log repeats its block 0 twenty times within it.
    private static final long UNCERTAIN_NS = TimeUnit.SECONDS.toNanos(2);

    // Blocks that earlier runs acknowledged and did not write: some runs of seconds at 136 KB/s. They cost fillers, 1.6
    // MB of them.
    private static final int MAX_MISSED = 8192;

    private final LogConversation.ResumableLogs logs;
    private final int systemId;
    private final BlockJudge.UncertainPeriod uncertain = new BlockJudge.UncertainPeriod(UNCERTAIN_NS);
    private boolean over;

    BlockResumption(LogConversation.ResumableLogs logs, int systemId) {
        this.logs = logs;
        this.systemId = systemId;
    }

    /** Judges a block that is addressed to us. */
    Verdict judge(long number, long nowNs) {
        ResumeTicket ticket = logs.ticket(systemId);
        if (over || ticket.state() == ResumeTicket.State.DROPPED) {
            return Verdict.OTHER;
        }
        if (ticket.state() == ResumeTicket.State.PENDING) {
            return Verdict.UNDECIDED;
        }
        boolean isOpen =
                ticket.state() == ResumeTicket.State.OPEN && ticket.facts().componentId() == LogBlock.COMPONENT_ID;
        long ahead = isOpen ? number - next(ticket) : MAX_MISSED;
        if (ahead <= -BlockTracker.WINDOW || ahead >= MAX_MISSED) {
            return Verdict.OTHER;
        }
        // The vehicle may have been rebooted, or stopped by somebody else, and asked by us.
        boolean mayBeNew = number < BlockJudge.FIRST_BLOCKS;
        // What the file has already, by its number, proves nothing: of a new log it would be acknowledged and not
        // stored.
        return mayBeNew && (uncertain.lasts(nowNs) || ahead < 0) ? Verdict.UNDECIDED : Verdict.SAME;
    }

    /** Judges a block 0: an earlier run's ack for it may be what was lost. */
    Verdict judgeFirst(long hash, long nowNs) {
        ResumeTicket ticket = logs.ticket(systemId);
        if (!over && ticket.state() == ResumeTicket.State.PENDING) {
            return Verdict.UNDECIDED;
        }
        boolean mayBeRepeat = isWaiting()
                && ticket.facts().componentId() == LogBlock.COMPONENT_ID
                && ticket.facts().headerLow() == hash
                && next(ticket) <= BlockJudge.FIRST_BLOCKS
                && nowNs - ticket.facts().sequenceNs() < SURE_NS;
        return mayBeRepeat ? Verdict.SAME : Verdict.OTHER;
    }

    /** Whether a log of an earlier run waits for its stream. */
    boolean isWaiting() {
        return !over && logs.ticket(systemId).state() == ResumeTicket.State.OPEN;
    }

    private static long next(ResumeTicket ticket) {
        return ticket.facts().sequence() + 1L;
    }

    /**
     * Continues with the log; false while the ring has no room, or if it is gone.
     *
     * @param number of the block that showed the stream
     */
    boolean resume(BlockStream stream, long number, long nowNs) {
        ResumeTicket ticket = logs.ticket(systemId);
        if (!ticket.take()) {
            return false;
        }
        // What is further behind than a vehicle's memory will not come.
        long first = Math.max(next(ticket), number - BlockTracker.MAX_AHEAD + 1);
        ResumeTicket.Facts facts = ticket.facts();
        if (!stream.resume(first, facts.headerLow(), facts.missing(), nowNs)) {
            ticket.giveBack();
            return false;
        }
        over = true;
        return true;
    }

    /** Something shows that the old stream is over: its file may be finished. */
    void drop() {
        over = true;
        logs.ticket(systemId).drop();
    }

    /** A ticket that came too late is of no use. */
    void tick() {
        ResumeTicket ticket = logs.ticket(systemId);
        if (over && ticket.state() == ResumeTicket.State.OPEN) {
            ticket.drop();
        }
    }
}
