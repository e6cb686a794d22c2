package org.mavlogd.recovery;

import java.io.IOException;

/** Reads an unfinished file in steps. */
interface Scan {
    /** Reads some more; false when there is nothing left to read. */
    boolean step() throws IOException;
}
