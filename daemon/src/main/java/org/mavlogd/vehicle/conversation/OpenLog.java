package org.mavlogd.vehicle.conversation;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.metrics.Counter;

/**
 * The log that a vehicle is streaming now, as the recorder knows it: by a number, from its start to an end that waits until
 * the ring has room for it. Bounds how often one begins. Owned by the link's thread. Allocates nothing.
 */
public final class OpenLog {
    // A vehicle takes seconds to begin a log. Each costs a file, and whoever can forge the vehicle's frames can begin
    // many.
    private static final int NEW_LOGS_AT_ONCE = 20;
    private static final long NEW_LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(3);

    private final FeedPublisher publisher;
    private final IntSupplier numbers;
    private final Counter excess;
    private final RateLimiter newLogs = new RateLimiter(NEW_LOGS_AT_ONCE, NEW_LOG_INTERVAL_NS);

    private boolean open;
    private int number;
    private boolean ending;
    private SessionEnd reason = SessionEnd.STOPPED;

    /**
     * No log is open yet.
     *
     * @param numbers gives each log a number of its own within the feed
     * @param excess counts the logs that were not let begin
     */
    public OpenLog(FeedPublisher publisher, IntSupplier numbers, Counter excess) {
        this.publisher = publisher;
        this.numbers = numbers;
        this.excess = excess;
    }

    /** Whether there is a log whose end the recorder does not know. */
    public boolean isOpen() {
        return open;
    }

    /** Whether there is a log that takes more: it is open, and no end of it is due. */
    public boolean isTaking() {
        return open && !ending;
    }

    /** What the open log is called in the feed. */
    public int number() {
        return number;
    }

    /** Whether a log may begin; not when too many did of late. */
    public boolean mayBegin(long nowNs) {
        boolean may = newLogs.isLeft(nowNs);
        if (!may) {
            excess.increment();
        }
        return may;
    }

    /** The number of a log that is going to begin or to continue. */
    public int nextNumber() {
        return numbers.getAsInt();
    }

    /** The ring has the start of a new log. */
    public void began(int newNumber, long nowNs) {
        newLogs.take(nowNs);
        resumed(newNumber);
    }

    /** The ring has the start of more of an earlier run's log. */
    public void resumed(int newNumber) {
        open = true;
        number = newNumber;
    }

    /** Ends the log that is open: at once, or as soon as there is room for it. */
    public void end(SessionEnd why, long nowNs) {
        if (open) {
            ending = true;
            reason = why;
            completeEnd(nowNs);
        }
    }

    /** Publishes an end that is due; false while the ring has no room for it. */
    public boolean completeEnd(long nowNs) {
        if (ending && publisher.sessionEnd(number, reason, nowNs)) {
            open = false;
            ending = false;
        }
        return !ending;
    }
}
