package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;
import org.mavlogd.vehicle.conversation.Allowance;

/**
 * Asks for missing blocks: at once, and again while they do not come. The vehicle repeats by itself every 100 ms whatever
 * nobody acknowledged, so a NACK only makes it quicker, and their number is bounded. Owned by the session.
 */
final class MissingBlocks {
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MOST_NACKS = 10;
    // A link of 57600 baud carries so many beside the acks.
    private static final int AT_ONCE = 32;
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final BlockTracker tracker;
    private final ArduPilotOutbox outbox;
    private final ArduPilotCounters counters;
    private final Allowance allowance = new Allowance(AT_ONCE, INTERVAL_NS);

    MissingBlocks(BlockTracker tracker, ArduPilotOutbox outbox, ArduPilotCounters counters) {
        this.tracker = tracker;
        this.outbox = outbox;
        this.counters = counters;
    }

    /** Asks for what is due. */
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
