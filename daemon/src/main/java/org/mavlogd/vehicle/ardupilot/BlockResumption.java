package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.conversation.LogConversation;

/**
 * Decides whether a stream without a start belongs to a log that an earlier run left unfinished. After a boot a vehicle
 * never streams before it is asked, and it holds no more than 255 blocks. So a stream to mavlogd that continues near
 * the end of the file is that of the file, however long the vehicle had nothing to send. Only low numbers may also
 * belong to a new log. Owned by the session.
 */
final class BlockResumption {
    /** The result so far. */
    enum Verdict {
        SAME,
        OTHER,
        /** The files of the earlier run are still being examined, or block 0 of a new log may still come. */
        UNDECIDED
    }

    // A vehicle gives up no earlier than this after the last ack: until then it cannot have begun a new log.
    private static final long SURE_NS = TimeUnit.SECONDS.toNanos(9);
    // A new log repeats its block 0 twenty times in this period.
    private static final long UNCERTAIN_NS = TimeUnit.SECONDS.toNanos(2);

    // Blocks that earlier runs acknowledged and did not write: several runs of seconds at 136 KB/s. They cost 1.6 MB of
    // fillers.
    private static final int MAX_MISSED = 8192;

    private final LogConversation.ResumableLogs logs;
    private final int systemId;
    private final BlockJudge.UncertainPeriod uncertain = new BlockJudge.UncertainPeriod(UNCERTAIN_NS);
    private boolean over;

    BlockResumption(LogConversation.ResumableLogs logs, int systemId) {
        this.logs = logs;
        this.systemId = systemId;
    }

    /** Judges a block that is addressed to mavlogd. */
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
        // The vehicle may have rebooted, or another program stopped it, and mavlogd asked it.
        boolean mayBeNew = number < BlockJudge.FIRST_BLOCKS;
        // A number that the file already has proves nothing: a block of a new log would be acknowledged and not stored.
        return mayBeNew && (uncertain.lasts(nowNs) || ahead < 0) ? Verdict.UNDECIDED : Verdict.SAME;
    }

    /** Judges a block 0: the vehicle may repeat it because an earlier run's ack was lost. */
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
     * Continues the log; false if the ring is full, or the ticket is gone.
     *
     * @param number of the block that revealed the stream
     */
    boolean resume(BlockStream stream, long number, long nowNs) {
        ResumeTicket ticket = logs.ticket(systemId);
        if (!ticket.take()) {
            return false;
        }
        // Blocks further behind than a vehicle's memory will not come.
        long first = Math.max(next(ticket), number - BlockTracker.MAX_AHEAD + 1);
        ResumeTicket.Facts facts = ticket.facts();
        if (!stream.resume(first, facts.headerLow(), facts.missing(), nowNs)) {
            ticket.giveBack();
            return false;
        }
        over = true;
        return true;
    }

    /** The old stream is over: its file may be finished. */
    void drop() {
        over = true;
        logs.ticket(systemId).drop();
    }

    /** Drops a ticket that came too late. */
    void tick() {
        ResumeTicket ticket = logs.ticket(systemId);
        if (over && ticket.state() == ResumeTicket.State.OPEN) {
            ticket.drop();
        }
    }
}
