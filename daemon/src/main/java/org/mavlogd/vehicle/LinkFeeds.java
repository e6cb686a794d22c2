package org.mavlogd.vehicle;

import org.mavlogd.feed.FeedPublisher;

/**
 * Where one link puts what is recorded of its vehicles. Owned by the link's thread.
 *
 * @param link its name
 * @param logs takes the vehicles' logs
 * @param clocks takes how the vehicles' clocks stand
 */
public record LinkFeeds(String link, FeedPublisher logs, ClockListener clocks) {
    /** Nothing about clocks is recorded. */
    static LinkFeeds ofLogs(String link, FeedPublisher logs) {
        return new LinkFeeds(link, logs, ClockListener.NONE);
    }
}
