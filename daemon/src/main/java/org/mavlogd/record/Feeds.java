package org.mavlogd.record;

import java.util.List;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.LocalFeed;

/**
 * All rings that end at the recorder. Their order decides about equal names of topics.
 *
 * @param vehicles one for each link
 * @param local one for each thread of this computer that publishes
 */
public record Feeds(List<Feed> vehicles, List<LocalFeed> local) {
    public Feeds {
        vehicles = List.copyOf(vehicles);
        local = List.copyOf(local);
    }
}
