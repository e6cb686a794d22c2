package org.mavlogd.local.publish;

/** A line, or a sample in binary form, that cannot be taken; the message says why, for the program that sent it. */
final class BadLineException extends Exception {
    private static final long serialVersionUID = 1;

    private final Fault fault;

    BadLineException(Fault fault, String message) {
        super(message, null, false, false); // whoever sends bad lines all the time should not cost us stack traces
        this.fault = fault;
    }

    Fault fault() {
        return fault;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
