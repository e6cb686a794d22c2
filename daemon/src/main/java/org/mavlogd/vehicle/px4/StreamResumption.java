package org.mavlogd.vehicle.px4;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.conversation.ResumableLogs;

/**
 * Whether a stream whose beginning is not here is that of a log which an earlier run left: holds its first chunks until
 * that is clear. Owned by the session.
 */
final class StreamResumption {
    /** How many chunks wait for the judgement; of more, the newest. */
    static final int CAPACITY = 16;

    // By then a stream that runs has shown itself: a vehicle logs at least a few chunks in each second.
    private static final long SHOW_NS = TimeUnit.MILLISECONDS.toNanos(1200);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);

    private final ResumableLogs logs;
    private final Px4SessionSettings settings;
    private final HeldChunk[] held = new HeldChunk[CAPACITY];
    private int heldCount;
    private int judgedCount;
    private long firstStrayNs;
    private boolean over;
    private @Nullable StreamJudge judge;

    StreamResumption(ResumableLogs logs, Px4SessionSettings settings) {
        this.logs = logs;
        this.settings = settings;
    }

    /** Whether START is to wait because the old stream may still show itself. */
    boolean delaysStart(long heardAgainNs, long nowNs) {
        return isPossible()
                && (nowNs - heardAgainNs < SHOW_NS || (heldCount > 0 && nowNs - firstStrayNs < PATIENCE_NS + SHOW_NS));
    }

    /** A chunk of a log whose beginning is not here; {@code OTHER} when there is nothing that may go on, or no more. */
    StreamJudge.Verdict onStray(LogChunk chunk, long frames, long nowNs) {
        if (!isPossible()) {
            return StreamJudge.Verdict.OTHER;
        }
        if (heldCount == 0) {
            firstStrayNs = nowNs;
        }
        boolean inTime = nowNs - firstStrayNs < PATIENCE_NS;
        if (!inTime || !settings.isTarget(chunk)) {
            drop();
            return StreamJudge.Verdict.OTHER;
        }
        hold(chunk, frames, nowNs);
        StreamJudge.Verdict verdict = judgeHeld();
        if (verdict == StreamJudge.Verdict.OTHER) {
            drop();
        }
        return verdict;
    }

    /** Whether another link went on with the log: what of it comes here, too, is none of our business. */
    boolean isElsewhere() {
        ResumeTicket.State state = ticket().state();
        return !over && (state == ResumeTicket.State.TAKEN || state == ResumeTicket.State.RESUMED);
    }

    private boolean isPossible() {
        ResumeTicket.State state = ticket().state();
        return !over && (state == ResumeTicket.State.PENDING || state == ResumeTicket.State.OPEN);
    }

    private ResumeTicket ticket() {
        return logs.ticket(settings.systemId());
    }

    private void hold(LogChunk chunk, long frames, long nowNs) {
        if (heldCount == CAPACITY) {
            HeldChunk oldest = held[0];
            System.arraycopy(held, 1, held, 0, CAPACITY - 1);
            held[CAPACITY - 1] = oldest;
            heldCount--;
            judgedCount = Math.max(0, judgedCount - 1);
        }
        if (held[heldCount] == null) {
            held[heldCount] = new HeldChunk();
        }
        held[heldCount++].set(chunk, frames, nowNs);
    }

    private StreamJudge.Verdict judgeHeld() {
        ResumeTicket ticket = ticket();
        if (ticket.state() != ResumeTicket.State.OPEN) {
            return StreamJudge.Verdict.UNDECIDED;
        }
        if (ticket.facts().componentId() != settings.componentId()) {
            return StreamJudge.Verdict.OTHER;
        }
        StreamJudge current = judge;
        if (current == null) {
            current = new StreamJudge(ticket.facts());
            judge = current;
        }
        StreamJudge.Verdict verdict = StreamJudge.Verdict.UNDECIDED;
        while (judgedCount < heldCount && verdict != StreamJudge.Verdict.OTHER) {
            verdict = current.judge(held[judgedCount++]);
        }
        return verdict;
    }

    /** Goes on with the log, and hands on the chunks that waited; false while the ring has no room, or if it is gone. */
    boolean resume(LogStream stream, long nowNs) {
        ResumeTicket ticket = ticket();
        if (!ticket.take()) {
            return false;
        }
        if (!stream.resume(ticket.facts(), nowNs)) {
            ticket.giveBack();
            return false;
        }
        over = true;
        // The recorder takes the first for the beginning of what comes, and all before it for lost.
        sortHeld();
        for (int i = 0; i < heldCount; i++) {
            stream.take(held[i], held[i].frames(), held[i].arrivalNs());
        }
        return true;
    }

    private void sortHeld() {
        for (int i = 1; i < heldCount; i++) {
            HeldChunk chunk = held[i];
            int at = i;
            for (; at > 0 && (short) (held[at - 1].sequence() - chunk.sequence()) > 0; at--) {
                held[at] = held[at - 1];
            }
            held[at] = chunk;
        }
    }

    /** How many chunks were held in vain; they are forgotten. */
    int forgetHeld() {
        int count = heldCount;
        heldCount = 0;
        return count;
    }

    /** Something shows that the old stream is over: its file may be finished. */
    void drop() {
        over = true;
        ticket().drop();
    }

    /** A ticket that came too late is of no use. */
    void tick() {
        if (over) {
            ticket().drop();
        }
    }
}
