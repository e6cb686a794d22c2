package org.mavlogd.vehicle;

import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.time.ClockState;

/**
 * Where one link puts what is recorded of its vehicles. Owned by the link's thread.
 *
 * @param link its name
 * @param logs takes the vehicles' logs
 * @param clocks takes how the vehicles' clocks stand
 */
public record LinkFeeds(String link, FeedPublisher logs, ClockListener clocks) {
    /** Is told how vehicles' clocks stand to this computer's. Called by the link's thread. */
    @FunctionalInterface
    public interface ClockListener {
        /** Nobody. */
        ClockListener NONE = (systemId, componentId, clock, nowNs) -> {};

        /** Called about once a second for each vehicle whose clock is known. */
        void onClock(int systemId, int componentId, ClockState clock, long nowNs);
    }

    /** Nothing about clocks is recorded. */
    static LinkFeeds ofLogs(String link, FeedPublisher logs) {
        return new LinkFeeds(link, logs, ClockListener.NONE);
    }
}
