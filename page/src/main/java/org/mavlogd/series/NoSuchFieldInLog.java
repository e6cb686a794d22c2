package org.mavlogd.series;

import java.io.IOException;

/** A request for a field that the log lacks; the message suggests a similar one. */
public final class NoSuchFieldInLog extends IOException {
    private static final long serialVersionUID = 1;

    NoSuchFieldInLog(String message) {
        super(message);
    }
}
