package org.mavlogd.vehicle.px4;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.conversation.LogConversation;

/**
 * Decides whether chunks of a log without a start belong to a log that an earlier run left unfinished. Holds the first
 * chunks until this is decided. Owned by the session.
 */
final class StreamResumption {
    /** The result for a chunk. */
    enum Verdict {
        /** Undecided, or the stream belongs to another link. */
        LEFT,
        /** The stream is that of an earlier run's log, which continues now. */
        RESUMED,
        /** mavlogd asked for the stream, and its start will not come. */
        START_MISSING
    }

    /** How many chunks wait for the decision; if there are more, the newest are kept. */
    static final int CAPACITY = 16;

    // By then a running stream has sent something: a vehicle logs at least a few chunks a second.
    private static final long SHOW_NS = TimeUnit.MILLISECONDS.toNanos(1200);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int ENOUGH_STRAYS = 3;

    private final LogConversation.ResumableLogs logs;
    private final LogConversation.Settings settings;
    private final LogStream stream;
    private final StreamJudge.HeldChunk[] held = new StreamJudge.HeldChunk[CAPACITY];
    private int strays;
    private int heldCount;
    private int judgedCount;
    private long firstStrayNs;
    private boolean over;
    private @Nullable StreamJudge judge;

    StreamResumption(LogConversation.ResumableLogs logs, LogConversation.Settings settings, LogStream stream) {
        this.logs = logs;
        this.settings = settings;
        this.stream = stream;
    }

    /** Whether START must wait because chunks of the old stream may still come. */
    boolean delaysStart(long heardAgainNs, long nowNs) {
        return isPossible()
                && (nowNs - heardAgainNs < SHOW_NS || (heldCount > 0 && nowNs - firstStrayNs < PATIENCE_NS + SHOW_NS));
    }

    /**
     * Judges one more chunk of a log whose start is missing.
     *
     * @param isWanted whether the log is wanted on this link
     * @param mayResume whether nothing prevents continuing the log of an earlier run
     */
    Verdict judge(LogChunk chunk, long frames, boolean isWanted, boolean mayResume, long nowNs) {
        if (!isWanted && isElsewhere()) {
            return Verdict.LEFT;
        }
        if (mayResume) {
            StreamJudge.Verdict verdict = judgeStream(chunk, frames, nowNs);
            if (verdict == StreamJudge.Verdict.SAME && resume(nowNs)) {
                return Verdict.RESUMED;
            }
            if (verdict != StreamJudge.Verdict.OTHER) {
                return Verdict.LEFT;
            }
            strays += forgetHeld();
        }
        strays++;
        return strays >= ENOUGH_STRAYS && chunk.isFor(settings) ? Verdict.START_MISSING : Verdict.LEFT;
    }

    /** Why the unfinished log is not continued, to be appended to a message; empty if no stream was judged. */
    String reason() {
        StreamJudge last = judge;
        return last == null || last.reason().isEmpty() ? "" : "; it is not continued, because " + last.reason();
    }

    /** The chunks judged so far no longer count. */
    void forgetStrays() {
        strays = 0;
    }

    /** {@code OTHER} if no log may continue, or none any more. */
    private StreamJudge.Verdict judgeStream(LogChunk chunk, long frames, long nowNs) {
        if (!isPossible()) {
            return StreamJudge.Verdict.OTHER;
        }
        if (heldCount == 0) {
            firstStrayNs = nowNs;
        }
        boolean inTime = nowNs - firstStrayNs < PATIENCE_NS;
        if (!inTime || !chunk.isFor(settings)) {
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

    /** Whether another link continued the log; chunks of it that also come here are ignored. */
    private boolean isElsewhere() {
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
            StreamJudge.HeldChunk oldest = held[0];
            System.arraycopy(held, 1, held, 0, CAPACITY - 1);
            held[CAPACITY - 1] = oldest;
            heldCount--;
            judgedCount = Math.max(0, judgedCount - 1);
        }
        if (held[heldCount] == null) {
            held[heldCount] = new StreamJudge.HeldChunk();
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

    /** Continues the log, and passes on the chunks that waited; false if the ring is full or the ticket is gone. */
    private boolean resume(long nowNs) {
        ResumeTicket ticket = ticket();
        if (!ticket.take()) {
            return false;
        }
        if (!stream.resume(ticket.facts(), nowNs)) {
            ticket.giveBack();
            return false;
        }
        over = true;
        // The recorder takes the first chunk as the start of the rest, and all before it as lost.
        sortHeld();
        for (int i = 0; i < heldCount; i++) {
            stream.take(held[i], held[i].frames(), held[i].arrivalNs());
        }
        return true;
    }

    private void sortHeld() {
        for (int i = 1; i < heldCount; i++) {
            StreamJudge.HeldChunk chunk = held[i];
            int at = i;
            for (; at > 0 && (short) (held[at - 1].sequence() - chunk.sequence()) > 0; at--) {
                held[at] = held[at - 1];
            }
            held[at] = chunk;
        }
    }

    /** Forgets the held chunks, and returns how many they were. */
    private int forgetHeld() {
        int count = heldCount;
        heldCount = 0;
        return count;
    }

    /** The old stream is over: its file may be finished. */
    void drop() {
        over = true;
        ticket().drop();
    }

    /** Drops a ticket that came too late. */
    void tick() {
        if (over) {
            ticket().drop();
        }
    }
}
