package org.mavlogd.foxglove;

import java.io.IOException;

/** Decides when messages of a log are sent. */
@FunctionalInterface
interface Pace {
    /** Sends everything at once. */
    Pace AT_ONCE = timestampUs -> {};

    /** Returns when messages of this time are due. */
    void await(long timestampUs) throws IOException;
}
