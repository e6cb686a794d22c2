package org.mavlogd.config;

/**
 * What values a key takes.
 *
 * @param <T> what a value becomes
 */
interface ValueType<T> {
    /** Reads a value as the TOML parser gives it. */
    T read(Object value) throws BadValueException;

    /** What is allowed, for messages and documents: {@code a whole number from 0 to 255}. */
    String allowed();
}
