package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.mavlogd.feed.BlockHash;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.vehicle.conversation.Allowance;

/**
 * The log that a vehicle is streaming now: hands its blocks to the recorder's ring and acknowledges them.
 *
 * <p>An ack goes out only when the ring has the block, and at once then; a full ring means no ack, and the vehicle repeats.
 * Repeats are acknowledged again, for our first ack may be what was lost, and stored once. Owned by the link's thread. Hot
 * path.
 */
final class BlockStream {
    /** What became of a block. */
    enum Verdict {
        /** The recorder has it, now or from before. */
        STORED,
        /** The ring is full. */
        REFUSED,
        /** It is not of this log. */
        OTHER
    }

    // Each log costs a file, and whoever can forge the vehicle's frames can begin many.
    private static final int NEW_LOGS_AT_ONCE = 20;
    private static final long NEW_LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(3);

    private final int systemId;
    private final FeedPublisher publisher;
    private final IntSupplier sessionNumbers;
    private final ArduPilotOutbox outbox;
    private final ArduPilotCounters counters;
    private final BlockTracker tracker = new BlockTracker();
    private final MissingBlocks missing;
    private final Allowance newLogs = new Allowance(NEW_LOGS_AT_ONCE, NEW_LOG_INTERVAL_NS);

    private boolean open;
    private int session;

    BlockStream(
            int systemId,
            FeedPublisher publisher,
            IntSupplier sessionNumbers,
            ArduPilotOutbox outbox,
            ArduPilotCounters counters) {
        this.systemId = systemId;
        this.publisher = publisher;
        this.sessionNumbers = sessionNumbers;
        this.outbox = outbox;
        this.counters = counters;
        this.missing = new MissingBlocks(tracker, outbox, counters);
    }

    boolean isOpen() {
        return open;
    }

    /** The highest number of the open log so far; -1 before the first. */
    long highest() {
        return tracker.highest();
    }

    /** What the block is to the open log. */
    BlockTracker.Verdict judge(LogBlock block) {
        return tracker.judge(block.number(), block.hash());
    }

    /** Whether a log may begin; not when too many did of late. */
    boolean mayBegin(long nowNs) {
        boolean may = newLogs.isLeft(nowNs);
        if (!may) {
            counters.excessSessions.increment();
        }
        return may;
    }

    /** Begins a log; false while the ring has no room. */
    boolean begin(long nowNs) {
        int number = sessionNumbers.getAsInt();
        if (!publisher.blocksBegin(number, systemId, BlockComponent.ID, nowNs)) {
            return false;
        }
        newLogs.take(nowNs);
        opened(number, 0, BlockHash.UNKNOWN);
        counters.sessions.increment();
        return true;
    }

    /** Goes on with a log of an earlier run at this block; false while the ring has no room. */
    boolean resume(long next, long firstHash, long nowNs) {
        int number = sessionNumbers.getAsInt();
        if (!publisher.blocksResume(number, systemId, BlockComponent.ID, nowNs)) {
            return false;
        }
        opened(number, next, firstHash);
        counters.resumed.increment();
        return true;
    }

    private void opened(int number, long next, long firstHash) {
        open = true;
        session = number;
        tracker.reset(next, firstHash);
    }

    /** Ends the log; false while the ring has no room: to be tried again. */
    boolean end(SessionEnd reason, long nowNs) {
        if (open && publisher.sessionEnd(session, reason, nowNs)) {
            open = false;
        }
        return !open;
    }

    /** Takes a block for the open log. */
    Verdict take(LogBlock block, long nowNs) {
        long number = block.number();
        long hash = block.hash();
        switch (tracker.judge(number, hash)) {
            case REPEAT, UNSURE -> {
                counters.repeats.increment();
                acknowledge(number);
                return Verdict.STORED;
            }
            case OTHER -> {
                return Verdict.OTHER;
            }
            case NEW -> {}
        }
        if (!publisher.block(session, block, nowNs)) {
            counters.ringFull.increment();
            return Verdict.REFUSED;
        }
        boolean isGap = number > tracker.highest() + 1;
        tracker.accept(number, hash, nowNs);
        counters.blocks.increment();
        acknowledge(number);
        if (isGap) {
            missing.ask(nowNs);
        }
        return Verdict.STORED;
    }

    private void acknowledge(long number) {
        counters.acks.increment();
        outbox.sendBlockAck(number);
    }

    /** Whether nothing is missing that may still come. */
    boolean isComplete() {
        return tracker.missing() == 0;
    }

    /** Asks again for what does not come. */
    void askForMissing(long nowNs) {
        if (open) {
            missing.ask(nowNs);
        }
    }
}
