package org.mavlogd.record;

import java.util.List;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.store.LogStore;

/**
 * What all recordings of a recorder have in common.
 *
 * @param localFeeds in the order that decides about equal names
 */
record RecordContext(
        NanoClock nanoClock,
        EpochClock epochClock,
        LogStore store,
        RecordSettings settings,
        List<LocalFeed> localFeeds) {
    RecordContext {
        localFeeds = List.copyOf(localFeeds);
    }
}
