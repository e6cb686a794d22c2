package org.mavlogd.ulog;

import java.io.IOException;

/**
 * The input is refused: it is not a ULog, it needs a reader of a later format, or it exceeds a limit.
 *
 * <p>The only exception that input can cause. Damage inside a log is no reason for it: that is reported and stepped
 * over. The message states the fact and the position, in one line.
 */
public final class ULogException extends IOException {
    private static final long serialVersionUID = 1L;

    public ULogException(String message) {
        super(message);
    }
}
