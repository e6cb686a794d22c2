package org.mavlogd.vehicle.px4;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.StreamFacts;
import org.mavlogd.vehicle.conversation.Allowance;

/**
 * The log that a vehicle is streaming now: hands its chunks to the recorder's ring and acknowledges them.
 *
 * <p>An ack goes out only when the ring has the chunk, and at once then; a full ring means no ack, and the vehicle repeats.
 * Repeats are acknowledged again, for our first ack may be what was lost, and stored once. Owned by the link's thread. Hot
 * path.
 */
final class LogStream {
    /** What became of a chunk. */
    enum Verdict {
        /** The recorder has it, now or from before. */
        STORED,
        /** The ring is full. */
        REFUSED,
        /** Its number belongs to no place of this log. */
        STALE
    }

    // Repeats come within 50 ms of each other, 50 times at most: what is behind after a longer silence is not a repeat
    // but a
    // number that went round.
    private static final long MAX_REPEAT_AGE_NS = TimeUnit.SECONDS.toNanos(3);

    // A vehicle takes seconds to begin a log. Each costs a file, and whoever can forge the vehicle's frames can begin
    // many.
    private static final int NEW_LOGS_AT_ONCE = 20;
    private static final long NEW_LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(3);

    private final Px4SessionSettings settings;
    private final FeedPublisher publisher;
    private final IntSupplier sessionNumbers;
    private final Px4Outbox outbox;
    private final Px4Counters counters;
    private final SequenceTracker tracker = new SequenceTracker();
    private final Allowance newLogs = new Allowance(NEW_LOGS_AT_ONCE, NEW_LOG_INTERVAL_NS);

    private boolean open;
    private int session;
    private long headerLow;
    private long headerHigh;
    private int ringDropped;
    private long lastTakenNs;
    private long lastAckedNs;

    LogStream(
            Px4SessionSettings settings,
            FeedPublisher publisher,
            IntSupplier sessionNumbers,
            Px4Outbox outbox,
            Px4Counters counters) {
        this.settings = settings;
        this.publisher = publisher;
        this.sessionNumbers = sessionNumbers;
        this.outbox = outbox;
        this.counters = counters;
    }

    boolean isOpen() {
        return open;
    }

    /** Whether this chunk is the first of the log that is open. */
    boolean isOwnBegin(LogChunk chunk) {
        return open && chunk.headerWord(0) == headerLow && chunk.headerWord(1) == headerHigh;
    }

    /** Whether a log may begin; not when too many did of late. */
    boolean mayBegin(long nowNs) {
        boolean may = newLogs.isLeft(nowNs);
        if (!may) {
            counters.excessSessions.increment();
        }
        return may;
    }

    /** Begins a log with its first chunk; false while the ring has no room. */
    boolean begin(LogChunk first, long nowNs) {
        int number = sessionNumbers.getAsInt();
        if (!publisher.sessionBegin(number, settings.systemId(), settings.componentId(), nowNs)) {
            return false;
        }
        newLogs.take(nowNs);
        opened(number, first.headerWord(0), first.headerWord(1), nowNs);
        counters.sessions.increment();
        return true;
    }

    /** Goes on with a log of an earlier run; false while the ring has no room. */
    boolean resume(StreamFacts facts, long nowNs) {
        int number = sessionNumbers.getAsInt();
        if (!publisher.sessionResume(number, settings.systemId(), settings.componentId(), nowNs)) {
            return false;
        }
        opened(number, facts.headerLow(), facts.headerHigh(), nowNs);
        counters.resumed.increment();
        return true;
    }

    private void opened(int number, long low, long high, long nowNs) {
        open = true;
        session = number;
        headerLow = low;
        headerHigh = high;
        ringDropped = 0;
        tracker.reset();
        lastTakenNs = nowNs;
    }

    /** Ends the log; false while the ring has no room: to be tried again. */
    boolean end(SessionEnd reason, long nowNs) {
        if (open && publisher.sessionEnd(session, reason, nowNs)) {
            open = false;
        }
        return !open;
    }

    /** Takes a chunk of the open log. */
    Verdict take(StreamChunk chunk, int linkMissing, long nowNs) {
        int sequence = chunk.sequence();
        if (nowNs - lastTakenNs >= MAX_REPEAT_AGE_NS) {
            tracker.reset();
        }
        SequenceTracker.Verdict verdict = tracker.judge(sequence);
        if (verdict == SequenceTracker.Verdict.REPEAT) {
            lastTakenNs = nowNs;
            counters.repeats.increment();
            acknowledge(chunk, nowNs);
            return Verdict.STORED;
        }
        if (verdict == SequenceTracker.Verdict.STALE) {
            counters.stale.increment();
            return Verdict.STALE;
        }
        if (!publisher.chunk(session, chunk, linkMissing, ringDropped, nowNs)) {
            refuse(chunk);
            return Verdict.REFUSED;
        }
        tracker.accept(sequence);
        lastTakenNs = nowNs;
        counters.chunks.increment();
        acknowledge(chunk, nowNs);
        return Verdict.STORED;
    }

    /** Whether the vehicle waits for acks these days: its definitions, a new topic, or what comes after STOP. */
    boolean isAcknowledging(long nowNs, long withinNs) {
        return lastAckedNs != 0 && nowNs - lastAckedNs < withinNs;
    }

    private void refuse(StreamChunk chunk) {
        counters.ringFull.increment();
        if (!chunk.isAcked()) {
            ringDropped++;
        }
    }

    private void acknowledge(StreamChunk chunk, long nowNs) {
        if (chunk.isAcked()) {
            outbox.sendAck(chunk.sequence());
            lastAckedNs = nowNs;
            counters.ackedChunks.increment();
            counters.acks.increment();
        }
    }
}
