package org.mavlogd.lake.spark;

import java.io.IOException;

/** The lake, or the disk of a worker, cannot be written; the log being converted is not the cause. */
final class LakeFault extends IOException {
    private static final long serialVersionUID = 1;

    LakeFault(IOException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
