package org.mavlogd.recovery;

import java.io.IOException;

/** Looks through an unfinished file step by step. */
interface Scan {
    /** Reads a little; false once nothing more is to be read. */
    boolean step() throws IOException;
}
