package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.conversation.ResumableLogs;

/**
 * Whether a stream whose beginning is not here is that of a log which an earlier run left. A vehicle drops its stream when
 * nobody acknowledged anything for 10 s, never streams after a boot before it was asked, and holds no more than 255 blocks:
 * so a stream to us that goes on in time, and near where the file ends, is the one of the file. Owned by the session.
 */
final class BlockResumption {
    /** What is known so far. */
    enum Verdict {
        SAME,
        OTHER,
        /** The files of the earlier run are still being looked at. */
        UNDECIDED
    }

    // 10.84 s were measured, and the earlier run may have acknowledged for a while after its last note.
    private static final long MAX_AGE_NS = TimeUnit.SECONDS.toNanos(12);

    // Blocks that earlier runs acknowledged and did not write: in 12 s at 136 KB/s. They cost fillers, 1.6 MB of them.
    private static final int MAX_MISSED = 8192;

    private final ResumableLogs logs;
    private final int systemId;
    private boolean over;

    BlockResumption(ResumableLogs logs, int systemId) {
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
                ticket.state() == ResumeTicket.State.OPEN && ticket.facts().componentId() == BlockComponent.ID;
        if (!isOpen || nowNs - ticket.facts().sequenceNs() > MAX_AGE_NS) {
            return Verdict.OTHER;
        }
        long ahead = number - next(ticket);
        return ahead > -BlockTracker.WINDOW && ahead < MAX_MISSED ? Verdict.SAME : Verdict.OTHER;
    }

    private static long next(ResumeTicket ticket) {
        return ticket.facts().sequence() + 1L;
    }

    /**
     * Goes on with the log; false while the ring has no room, or if it is gone.
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
        if (!stream.resume(first, ticket.facts().headerLow(), nowNs)) {
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
