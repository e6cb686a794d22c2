package org.mavlogd.vehicle.conversation;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.metrics.Counter;

/**
 * The log that a vehicle is streaming, by its number in the feed. If the ring has no room for the end of a log, that
 * end waits. Limits how often a log begins. Owned by the link's thread. Allocates nothing.
 */
public final class OpenLog {
    // A vehicle takes seconds to begin a log. Each log costs a file, and a sender that forges the vehicle's frames
    // could begin many.
    private static final int NEW_LOGS_AT_ONCE = 20;
    private static final long NEW_LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(3);

    private final FeedPublisher publisher;
    private final NewLogs link;
    private final int systemId;
    private final Counter excess;
    private final RateLimiter newLogs = new RateLimiter(NEW_LOGS_AT_ONCE, NEW_LOG_INTERVAL_NS);

    private boolean open;
    private int number;
    private boolean ending;
    private SessionEnd reason = SessionEnd.STOPPED;
    private int ringDropped;

    /**
     * No log is open yet.
     *
     * @param link all logs that begin on the link
     * @param excess counts the refusals of a log
     */
    public OpenLog(FeedPublisher publisher, NewLogs link, int systemId, Counter excess) {
        this.publisher = publisher;
        this.link = link;
        this.systemId = systemId;
        this.excess = excess;
    }

    /** Whether there is a log whose end is not in the ring yet. */
    public boolean isOpen() {
        return open;
    }

    /** Whether the open log takes more data: no end is due. */
    public boolean isTaking() {
        return open && !ending;
    }

    /** The number of the open log in the feed. */
    public int number() {
        return number;
    }

    /**
     * Whether a log may begin; false if too many began lately.
     *
     * @param isRepeated whether the vehicle repeats the first piece until mavlogd acknowledges it, so that it can wait
     */
    public boolean mayBegin(boolean isRepeated, long nowNs) {
        boolean may = newLogs.isLeft(nowNs) && (!isRepeated || link.mayBegin(systemId, nowNs));
        if (!may) {
            excess.increment();
        }
        return may;
    }

    /** The number for a log that is about to begin or to continue. */
    public int nextNumber() {
        return link.nextNumber();
    }

    /** Notes that the ring has the start of a new log. */
    public void began(int newNumber, long nowNs) {
        newLogs.take(nowNs);
        link.began(systemId, nowNs);
        resumed(newNumber);
    }

    /** Notes that the ring has the continuation of an earlier run's log. */
    public void resumed(int newNumber) {
        open = true;
        number = newNumber;
    }

    /**
     * Ends the open log: at once, or as soon as the ring has room.
     *
     * @param ringDroppedSoFar see {@link org.mavlogd.feed.Feed.Handler#onSessionEnd}
     */
    public void end(SessionEnd why, int ringDroppedSoFar, long nowNs) {
        if (open) {
            ending = true;
            reason = why;
            ringDropped = ringDroppedSoFar;
            completeEnd(nowNs);
        }
    }

    /** Publishes an end that is due; false if the ring is full. */
    public boolean completeEnd(long nowNs) {
        if (ending && publisher.sessionEnd(number, reason, ringDropped, nowNs)) {
            open = false;
            ending = false;
        }
        return !ending;
    }
}
