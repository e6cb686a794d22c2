package org.mavlogd.lake.spark;

import java.io.IOException;

/** The lake, or the disk of a worker, cannot be written: no fault of the log that is being converted. */
final class LakeFault extends IOException {
    private static final long serialVersionUID = 1;

    LakeFault(IOException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
