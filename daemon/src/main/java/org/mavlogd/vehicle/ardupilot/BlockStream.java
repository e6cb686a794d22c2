package org.mavlogd.vehicle.ardupilot;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.BlockHash;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.vehicle.conversation.OpenLog;
import org.mavlogd.vehicle.conversation.RateLimiter;

/**
 * The log that a vehicle is streaming now: hands its blocks to the recorder's ring and acknowledges them.
 *
 * <p>A block is acknowledged as soon as the ring has it. If the ring is full, there is no ack, and the vehicle repeats
 * the block. Repeats are acknowledged again, because the first ack may have been lost, and stored once. Owned by the
 * link's thread. Hot path.
 */
final class BlockStream {
    /** The result for a block. */
    enum Verdict {
        /** The recorder has it, from now or from before. */
        STORED,
        /** The ring is full. */
        REFUSED,
        /** It does not belong to this log. */
        OTHER
    }

    private final int systemId;
    private final FeedPublisher publisher;
    private final OpenLog log;
    private final ArduPilotOutbox outbox;
    private final ArduPilotCounters counters;
    private final BlockTracker tracker = new BlockTracker();
    private final MissingBlocks missing;

    BlockStream(
            int systemId, FeedPublisher publisher, OpenLog log, ArduPilotOutbox outbox, ArduPilotCounters counters) {
        this.systemId = systemId;
        this.publisher = publisher;
        this.log = log;
        this.outbox = outbox;
        this.counters = counters;
        this.missing = new MissingBlocks(tracker, outbox, counters);
    }

    /** The highest number of the open log so far; -1 before the first. */
    long highest() {
        return tracker.highest();
    }

    /** How the block relates to the open log. */
    BlockTracker.Verdict judge(LogBlock block) {
        return tracker.judge(block.number(), block.hash());
    }

    /** Begins a log; false if the ring is full. */
    boolean begin(long nowNs) {
        int number = log.nextNumber();
        if (!publisher.blocksBegin(number, systemId, LogBlock.COMPONENT_ID, nowNs)) {
            return false;
        }
        log.began(number, nowNs);
        tracker.reset(0, BlockHash.UNKNOWN, List.of(), nowNs);
        counters.sessions.increment();
        return true;
    }

    /**
     * Continues a log of an earlier run; false if the ring is full.
     *
     * @param next the first number that was not received yet
     * @param stillMissing numbers before it that were not received either
     */
    boolean resume(long next, long firstHash, List<Long> stillMissing, long nowNs) {
        int number = log.nextNumber();
        if (!publisher.blocksResume(number, systemId, LogBlock.COMPONENT_ID, nowNs)) {
            return false;
        }
        log.resumed(number);
        tracker.reset(next, firstHash, stillMissing, nowNs);
        counters.resumed.increment();
        return true;
    }

    /** Takes a block for the open log. */
    Verdict take(LogBlock block, long nowNs) {
        long number = block.number();
        long hash = block.hash();
        switch (tracker.judge(number, hash)) {
            case REPEAT, UNSURE -> {
                counters.repeats.increment();
                acknowledge(number, nowNs);
                return Verdict.STORED;
            }
            case OTHER -> {
                return Verdict.OTHER;
            }
            case NEW -> {}
        }
        if (!publisher.block(log.number(), block, nowNs)) {
            counters.ringFull.increment();
            return Verdict.REFUSED;
        }
        boolean isGap = number > tracker.highest() + 1;
        tracker.accept(number, hash, nowNs);
        counters.blocks.increment();
        acknowledge(number, nowNs);
        if (isGap) {
            missing.ask(nowNs);
        }
        return Verdict.STORED;
    }

    private void acknowledge(long number, long nowNs) {
        counters.acks.increment();
        outbox.sendBlockAck(number);
        counters.ackTimes.recordSince(nowNs); // the ack is on its way
    }

    /** Whether no block is missing that may still come. */
    boolean isComplete() {
        return tracker.missing() == 0;
    }

    /**
     * Whether no block of this run is missing. The vehicle need not have blocks any more that an earlier run lacked.
     */
    boolean isSettled() {
        return tracker.missing() == tracker.missingBefore();
    }

    /** Asks again for missing blocks. */
    void askForMissing(long nowNs) {
        if (log.isOpen()) {
            missing.ask(nowNs);
        }
    }

    /**
     * Asks for missing blocks: at once, and again while they do not come. The vehicle repeats unacknowledged blocks by
     * itself every 100 ms, so a NACK only speeds this up, and the number of NACKs is bounded. Owned by the session.
     */
    private static final class MissingBlocks {
        private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);
        private static final int MOST_NACKS = 10;
        // A link of 57600 baud can carry this many beside the acks.
        private static final int AT_ONCE = 32;
        private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(5);

        private final BlockTracker tracker;
        private final ArduPilotOutbox outbox;
        private final ArduPilotCounters counters;
        private final RateLimiter allowance = new RateLimiter(AT_ONCE, INTERVAL_NS);

        MissingBlocks(BlockTracker tracker, ArduPilotOutbox outbox, ArduPilotCounters counters) {
            this.tracker = tracker;
            this.outbox = outbox;
            this.counters = counters;
        }

        /** Sends the NACKs that are due. */
        void ask(long nowNs) {
            if (tracker.missing() == 0) {
                return;
            }
            for (long number = tracker.nextMissing(0);
                    number <= tracker.highest();
                    number = tracker.nextMissing(number + 1)) {
                int asked = tracker.nacks(number);
                boolean isDue = asked == 0 || (asked < MOST_NACKS && nowNs - tracker.nackedNs(number) >= AGAIN_NS);
                if (isDue && !allowance.take(nowNs)) {
                    return;
                }
                if (isDue) {
                    tracker.nacked(number, nowNs);
                    counters.nacks.increment();
                    outbox.sendBlockNack(number);
                }
            }
        }
    }
}
