package org.mavlogd.recovery;

import java.io.IOException;

/** Reads an unfinished file in steps. */
interface Scan {
    /** Position in the file at which the next step reads. */
    long place();

    /** Reads some more; false when there is nothing left to read. */
    boolean step() throws IOException;
}
