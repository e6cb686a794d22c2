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
    private static final int STRANGERS_AT_ONCE = 4;
    private static final long STRANGER_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    // More than the recorder sleeps while records wait.
    private static final long LAG_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final IntPredicate isKnown;
    private final FeedPublisher publisher;
    private final RateLimiter strangers = new RateLimiter(STRANGERS_AT_ONCE, STRANGER_INTERVAL_NS);
    private int lastNumber;
    // Of the last record that the recorder had to take since this time.
    private long position;
    private long sinceNs;

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
        return isKnown.test(systemId) || (!isLagging(nowNs) && strangers.isLeft(nowNs));
    }

    /** Whether records from {@link #LAG_NS} ago still wait for the recorder. */
    private boolean isLagging(long nowNs) {
        if (publisher.isTaken(position)) {
            position = publisher.position();
            sinceNs = nowNs;
        }
        return nowNs - sinceNs >= LAG_NS;
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
