package org.mavlogd.report.fields;

/** Receives the values of one field in the order of the log. Hot path: allocates nothing after the start. */
@FunctionalInterface
public interface ValueSink {
    /**
     * Receives a value.
     *
     * @param value may be infinite or NaN
     */
    void accept(long timestampUs, double value);
}
