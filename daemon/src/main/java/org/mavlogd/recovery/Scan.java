package org.mavlogd.recovery;

import java.io.IOException;

/** Reads an unfinished file in steps. */
interface Scan {
    /** Where in the file the next step reads. */
    long place();

    /** Reads a little; false once nothing more is to be read. */
    boolean step() throws IOException;
}
