package org.mavlogd.mcap;

import java.io.IOException;

/**
 * The input is not an MCAP file or damaged, or exceeds a limit of the format or of this library. The message gives
 * fact, value and position in one line.
 */
public final class McapException extends IOException {
    private static final long serialVersionUID = 1L;

    public McapException(String message) {
        super(message);
    }
}
