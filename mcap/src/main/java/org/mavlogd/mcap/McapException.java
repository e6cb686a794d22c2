package org.mavlogd.mcap;

import java.io.IOException;

/**
 * The input is no MCAP or damaged, or a limit of the format or of this library is exceeded. The message states the fact
 * with its value and its place, in one line.
 */
public final class McapException extends IOException {
    private static final long serialVersionUID = 1L;

    public McapException(String message) {
        super(message);
    }
}
