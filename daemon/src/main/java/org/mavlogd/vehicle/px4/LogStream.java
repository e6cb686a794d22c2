package org.mavlogd.vehicle.px4;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.conversation.OpenLog;

/**
 * The log that a vehicle is streaming now: hands its chunks to the recorder's ring and acknowledges them.
 *
 * <p>A chunk is acknowledged as soon as the ring has it. If the ring is full, there is no ack, and the vehicle repeats
 * the chunk. Repeats are acknowledged again, because the first ack may have been lost, and stored once. A log that is
 * addressed to another receiver is stored without acks: an ack would keep the vehicle from repeating chunks that that
 * receiver lost. Owned by the link's thread. Hot path.
 */
final class LogStream {
    /** A chunk, and whether the vehicle waits for its ack. Hot path. */
    interface Chunk extends FeedPublisher.ChunkSource {
        boolean isAcked();
    }

    /** The result for a chunk. */
    enum Verdict {
        /** The recorder has it, from now or from before. */
        STORED,
        /** The ring is full. */
        REFUSED,
        /** Its sequence number has no place in this log. */
        STALE
    }

    // Repeats come within 50 ms of each other, at most 50 times: after a longer silence a number that is behind is not
    // a repeat but has wrapped. An acked chunk is different: the vehicle sends no other until the ack arrives, so its
    // repeats may have waited in a stalled link for any time.
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

    /** Whether this chunk is the first of the open log. */
    boolean isOwnBegin(LogChunk chunk) {
        return log.isOpen() && chunk.headerWord(0) == headerLow && chunk.headerWord(1) == headerHigh;
    }

    /** How many chunks of the open log the full ring refused that the vehicle does not repeat. */
    int ringDropped() {
        return ringDropped;
    }

    /** Whether the open log is addressed to mavlogd. */
    boolean isForUs() {
        return isForUs;
    }

    /** Begins a log with its first chunk; false if the ring is full. */
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

    /** Continues a log of an earlier run; false if the ring is full. */
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

    /** Whether this is the last chunk again, which the vehicle repeats until the ack arrives. */
    private boolean isAwaitingAck(Chunk chunk) {
        return chunk.isAcked() && isHighestAcked && tracker.isHighest(chunk.sequence());
    }

    /**
     * Whether the vehicle sent a chunk that needs an ack within the last {@code withinNs}: definitions, a new topic, or
     * data after STOP.
     */
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
     * <p>Numbers are unsigned 16 bit and wrap. A number up to {@link #WINDOW} behind the highest is a repeat if it was
     * accepted before, and late if not; one further behind is stale. Everything else is ahead. Owned by the session's
     * thread. Never throws: all inputs are legal. Hot path.
     *
     * @see <a href="https://mavlink.io/en/messages/common.html#LOGGING_DATA">LOGGING_DATA</a>
     */
    static final class SequenceTracker {
        /** How far back repeats can be distinguished from late chunks. */
        static final int WINDOW = Long.SIZE;

        enum Verdict {
            /** The next one, or one further ahead. */
            AHEAD,
            /** Missing until now. */
            LATE,
            /** Accepted before. */
            REPEAT,
            /** Too far behind to tell. */
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

        /** Whether this is the highest accepted number. */
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

        /** Notes that the chunk with this number is stored. */
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
