package org.mavlogd.series;

import java.io.IOException;

/** A plot was asked for of what the log does not have; the message suggests what it has. */
public final class NoSuchFieldInLog extends IOException {
    private static final long serialVersionUID = 1;

    NoSuchFieldInLog(String message) {
        super(message);
    }
}
