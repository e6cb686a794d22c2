package org.mavlogd.foxglove;

import java.io.IOException;

/** Decides when a message of a log is sent. */
@FunctionalInterface
interface Pace {
    /** All that there is, at once. */
    Pace AT_ONCE = timestampUs -> {};

    /** Returns when it is time for the messages of this time. */
    void await(long timestampUs) throws IOException;
}
