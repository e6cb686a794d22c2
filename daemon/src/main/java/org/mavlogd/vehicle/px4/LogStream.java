package org.mavlogd.vehicle.px4;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.conversation.OpenLog;

/**
 * The log that a vehicle is streaming now: hands its chunks to the recorder's ring and acknowledges them.
 *
 * <p>An ack goes out only when the ring has the chunk, and at once then; a full ring means no ack, and the vehicle repeats.
 * Repeats are acknowledged again, for our first ack may be what was lost, and stored once. A log that is addressed to another
 * receiver is stored without acks: an ack of ours would keep the vehicle from repeating what that receiver did not get. Owned
 * by the link's thread. Hot path.
 */
final class LogStream {
    /** A chunk together with whether the vehicle waits for our ack. Hot path. */
    interface Chunk extends FeedPublisher.ChunkSource {
        boolean isAcked();
    }

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
    // but a number that went round. Except for an acked chunk: the vehicle sends no other until our ack arrives, so
    // its repeats may have waited in a stalled link for any time.
    private static final long MAX_REPEAT_AGE_NS = TimeUnit.SECONDS.toNanos(3);

    private final LogConversation.Settings settings;
    private final FeedPublisher publisher;
    private final OpenLog log;
    private final Px4Outbox outbox;
    private final Px4Counters counters;
    private final SequenceTracker tracker = new SequenceTracker();

    private boolean isHighestAcked;
    private boolean isForUs;
    private long headerLow;
    private long headerHigh;
    private int ringDropped;
    private long lastTakenNs;
    private long lastAckedNs;

    LogStream(
            LogConversation.Settings settings,
            FeedPublisher publisher,
            OpenLog log,
            Px4Outbox outbox,
            Px4Counters counters) {
        this.settings = settings;
        this.publisher = publisher;
        this.log = log;
        this.outbox = outbox;
        this.counters = counters;
    }

    /** Whether this chunk is the first of the log that is open. */
    boolean isOwnBegin(LogChunk chunk) {
        return log.isOpen() && chunk.headerWord(0) == headerLow && chunk.headerWord(1) == headerHigh;
    }

    /** Whether the open log is addressed to us. */
    boolean isForUs() {
        return isForUs;
    }

    /** Begins a log with its first chunk; false while the ring has no room. */
    boolean begin(LogChunk first, long nowNs) {
        int number = log.nextNumber();
        if (!publisher.sessionBegin(number, settings.systemId(), settings.componentId(), nowNs)) {
            return false;
        }
        log.began(number, nowNs);
        isForUs = first.isFor(settings);
        opened(first.headerWord(0), first.headerWord(1), nowNs);
        counters.sessions.increment();
        return true;
    }

    /** Continues with a log of an earlier run; false while the ring has no room. */
    boolean resume(ResumeTicket.Facts facts, long nowNs) {
        int number = log.nextNumber();
        if (!publisher.sessionResume(number, settings.systemId(), settings.componentId(), nowNs)) {
            return false;
        }
        log.resumed(number);
        isForUs = true; // others are not resumed
        opened(facts.headerLow(), facts.headerHigh(), nowNs);
        counters.resumed.increment();
        return true;
    }

    private void opened(long low, long high, long nowNs) {
        headerLow = low;
        headerHigh = high;
        ringDropped = 0;
        tracker.reset();
        lastTakenNs = nowNs;
    }

    /** Takes a chunk of the open log. */
    Verdict take(Chunk chunk, long frames, long nowNs) {
        int sequence = chunk.sequence();
        if (nowNs - lastTakenNs >= MAX_REPEAT_AGE_NS && !isAwaitingAck(chunk)) {
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
        if (!publisher.chunk(log.number(), chunk, frames, ringDropped, nowNs)) {
            refuse(chunk);
            return Verdict.REFUSED;
        }
        if (verdict == SequenceTracker.Verdict.AHEAD) {
            isHighestAcked = chunk.isAcked();
        }
        tracker.accept(sequence);
        lastTakenNs = nowNs;
        counters.chunks.increment();
        acknowledge(chunk, nowNs);
        return Verdict.STORED;
    }

    /** Whether this is the last chunk again, which the vehicle repeats until our ack arrives. */
    private boolean isAwaitingAck(Chunk chunk) {
        return chunk.isAcked() && isHighestAcked && tracker.isHighest(chunk.sequence());
    }

    /** Whether the vehicle waits for acks these days: its definitions, a new topic, or what comes after STOP. */
    boolean isAcknowledging(long nowNs, long withinNs) {
        return lastAckedNs != 0 && nowNs - lastAckedNs < withinNs;
    }

    private void refuse(Chunk chunk) {
        counters.ringFull.increment();
        if (!chunk.isAcked()) {
            ringDropped++;
        }
    }

    private void acknowledge(Chunk chunk, long nowNs) {
        if (chunk.isAcked() && isForUs) {
            outbox.sendAck(chunk.sequence());
            lastAckedNs = nowNs;
            counters.ackedChunks.increment();
            counters.acks.increment();
            counters.ackTimes.recordSince(nowNs); // the ack is on its way
        }
    }

    /**
     * Judges the sequence number of each log chunk.
     *
     * <p>Numbers are unsigned 16 bit and wrap. A number up to {@link #WINDOW} behind the highest is a repeat when it was
     * accepted before, and late when not; one further behind is stale. Everything else is ahead. Owned by the session's
     * thread. Never throws: all inputs are legal. Hot path.
     *
     * @see <a href="https://mavlink.io/en/messages/common.html#LOGGING_DATA">LOGGING_DATA</a>
     */
    static final class SequenceTracker {
        /** How far back repeats are told from late chunks. */
        static final int WINDOW = Long.SIZE;

        enum Verdict {
            /** The next one, or one further ahead. */
            AHEAD,
            /** Missing until now. */
            LATE,
            /** Accepted before. */
            REPEAT,
            /** Too far behind to be either. */
            STALE
        }

        private boolean started;
        private int highest;
        // Bit n: highest - n was accepted.
        private long accepted;

        /** Forgets everything: the next number is the first. */
        void reset() {
            started = false;
            accepted = 0;
        }

        /** Whether no accepted number is higher, and this one was accepted. */
        boolean isHighest(int sequence) {
            return started && sequence == highest;
        }

        SequenceTracker.Verdict judge(int sequence) {
            int distance = distance(sequence);
            if (!started || distance > 0) {
                return SequenceTracker.Verdict.AHEAD;
            }
            int behind = -distance;
            if (behind >= WINDOW) {
                return SequenceTracker.Verdict.STALE;
            }
            return ((accepted >>> behind) & 1) == 0 ? SequenceTracker.Verdict.LATE : SequenceTracker.Verdict.REPEAT;
        }

        /** Remembers that the chunk with this number is stored. */
        void accept(int sequence) {
            int distance = distance(sequence);
            if (started && distance <= 0 && -distance < WINDOW) {
                accepted |= 1L << -distance;
                return;
            }
            accepted = started && distance > 0 && distance < WINDOW ? (accepted << distance) | 1 : 1;
            highest = sequence;
            started = true;
        }

        private int distance(int sequence) {
            return (short) (sequence - highest);
        }
    }
}
