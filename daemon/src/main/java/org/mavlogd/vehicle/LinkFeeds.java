package org.mavlogd.vehicle;

import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.FrameFeed;
import org.mavlogd.forward.LinkPort;
import org.mavlogd.time.ClockState;

/**
 * The receivers of everything that is heard on one link. Owned by the link's thread.
 *
 * @param link its name
 * @param logs takes the vehicles' logs
 * @param clocks takes the comparison of the vehicles' clocks with this computer's
 * @param forward takes all frames for other links; null where the link does not forward
 * @param frames takes all frames for telemetry logs; null where none are wanted
 */
public record LinkFeeds(
        String link,
        FeedPublisher logs,
        ClockListener clocks,
        @Nullable LinkPort forward,
        @Nullable FrameFeed frames) {
    /** For a link that does not forward, without telemetry logs. */
    public LinkFeeds(String link, FeedPublisher logs, ClockListener clocks) {
        this(link, logs, clocks, null, null);
    }

    /** Receives the comparison of vehicles' clocks with this computer's. Called by the link's thread. */
    @FunctionalInterface
    public interface ClockListener {
        /** Does nothing. */
        ClockListener NONE = (systemId, componentId, clock, nowNs) -> {};

        /** Called about once a second for each vehicle whose clock is known. */
        void onClock(int systemId, int componentId, ClockState clock, long nowNs);
    }

    /** For a link on which nothing about clocks is recorded. */
    static LinkFeeds ofLogs(String link, FeedPublisher logs) {
        return new LinkFeeds(link, logs, ClockListener.NONE);
    }
}
