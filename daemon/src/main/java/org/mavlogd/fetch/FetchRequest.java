package org.mavlogd.fetch;

import java.util.List;

/**
 * A request of a user for logs on a vehicle's card.
 *
 * @param number counts the requests of one vehicle from 1; 0 for none
 * @param logs to fetch, as they were listed; empty to read the list only
 */
record FetchRequest(long number, Kind kind, List<RemoteLog> logs) {
    static final FetchRequest NONE = new FetchRequest(0, Kind.CANCEL, List.of());

    enum Kind {
        FETCH,
        CANCEL
    }

    FetchRequest {
        logs = List.copyOf(logs);
    }
}
