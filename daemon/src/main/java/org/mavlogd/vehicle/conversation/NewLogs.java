package org.mavlogd.vehicle.conversation;

import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.mavlogd.feed.FeedPublisher;

/**
 * The logs that begin on one link: numbers them, and limits how fast those of strangers begin. Each log costs the
 * recorder's thread a file or two, while the data of all vehicles wait, and forged vehicles could begin many at once. So
 * strangers begin one after the other, and none while the recorder lags behind. A real vehicle repeats the first piece
 * of its log until it is acknowledged: a PX4 every 50 ms for 2.5 s, in which a full roster of strangers gets its turn,
 * and an ArduPilot every 100 ms. Owned by the link's thread; time is an argument. Allocates nothing.
 */
public final class NewLogs {
    private static final long STRANGER_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final IntPredicate isKnown;
    private final FeedPublisher publisher;
    private final RateLimiter strangers = new RateLimiter(1, STRANGER_INTERVAL_NS);
    private int lastNumber;

    /**
     * No log has begun yet.
     *
     * @param isKnown whether the vehicle with this system id was recorded before, or signs its frames
     * @param publisher of the link
     */
    public NewLogs(IntPredicate isKnown, FeedPublisher publisher) {
        this.isKnown = isKnown;
        this.publisher = publisher;
    }

    /** Whether a log of this vehicle may begin now. */
    boolean mayBegin(int systemId, long nowNs) {
        return isKnown.test(systemId) || (!publisher.isConsumerLagging() && strangers.isLeft(nowNs));
    }

    /** Notes that a log of this vehicle began. */
    void began(int systemId, long nowNs) {
        if (!isKnown.test(systemId)) {
            strangers.take(nowNs);
        }
    }

    /** A number that no other log of the link has. */
    int nextNumber() {
        return ++lastNumber;
    }
}
