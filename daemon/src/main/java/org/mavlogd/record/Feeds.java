package org.mavlogd.record;

import java.util.List;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.recovery.LeftOverBoard;

/**
 * All that comes to the recorder: rings, whose order decides about equal names of topics, and the logs that an earlier run left
 * to be continued.
 *
 * @param vehicles one for each link
 * @param local one for each thread of this computer that publishes
 * @param leftOvers logs whose tickets links take
 */
public record Feeds(List<Feed> vehicles, List<LocalFeed> local, LeftOverBoard leftOvers) {
    public Feeds {
        vehicles = List.copyOf(vehicles);
        local = List.copyOf(local);
    }

    /** Earlier runs left nothing. */
    public Feeds(List<Feed> vehicles, List<LocalFeed> local) {
        this(vehicles, local, LeftOverBoard.empty());
    }
}
