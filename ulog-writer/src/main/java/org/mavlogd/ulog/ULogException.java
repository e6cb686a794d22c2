package org.mavlogd.ulog;

import java.io.IOException;

/**
 * Thrown when the input is not a ULog, needs a newer reader, or exceeds a limit.
 *
 * <p>This is the only exception that input causes. Damage inside a log is not a reason: it is reported and skipped. The
 * message gives the reason and the position in one line.
 */
public final class ULogException extends IOException {
    private static final long serialVersionUID = 1L;

    public ULogException(String message) {
        super(message);
    }
}
