package org.mavlogd.config;

/** A value is of the right TOML type but not one that the key takes; the message says what is wrong with it. */
final class BadValueException extends Exception {
    private static final long serialVersionUID = 1;

    BadValueException(String message) {
        super(message);
    }

    BadValueException(String message, Throwable cause) {
        super(message, cause);
    }
}
