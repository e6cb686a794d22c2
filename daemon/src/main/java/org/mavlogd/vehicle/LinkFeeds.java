package org.mavlogd.vehicle;

import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;

/**
 * The two rings that one link fills for the recorder. Owned by the link's thread.
 *
 * @param link its name
 * @param logs takes the vehicles' logs
 * @param local takes what is measured of and heard on the link besides
 */
public record LinkFeeds(String link, FeedPublisher logs, LocalPublisher local) {
    private static final int UNHEARD_RING_BYTES = 1 << 16;

    /** Whatever is not part of a vehicle's log is discarded. */
    static LinkFeeds ofLogs(String link, FeedPublisher logs) {
        return new LinkFeeds(link, logs, new LocalFeed(link, UNHEARD_RING_BYTES).publisher());
    }
}
