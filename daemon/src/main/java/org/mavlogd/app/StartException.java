package org.mavlogd.app;

/** The daemon can't start; the message says why and what to do. */
final class StartException extends Exception {
    private static final long serialVersionUID = 1;

    StartException(String message) {
        super(message);
    }
}
