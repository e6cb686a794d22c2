package org.mavlogd.page;

/** A request that is answered with an error and a message for the user. */
final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    Problem(int status, String text) {
        super(text, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
