package org.mavlogd.fetch;

import java.util.List;

/** Asks for the list of logs. */
interface Listing extends Exchange {
    /** More than any vehicle keeps. */
    int MAX_LOGS = 4096;

    /** By id; complete when the exchange is done. */
    List<RemoteLog> logs();
}
