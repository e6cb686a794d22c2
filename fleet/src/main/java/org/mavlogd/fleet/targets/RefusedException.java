package org.mavlogd.fleet.targets;

import java.io.IOException;

/** A target does not accept this file, but may accept others. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    public RefusedException(String message) {
        super(message);
    }
}
