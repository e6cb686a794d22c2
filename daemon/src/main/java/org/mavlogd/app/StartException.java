package org.mavlogd.app;

/** The daemon can't start; the message says why and what to do. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1;

    public StartException(String message) {
        super(message);
    }
}
