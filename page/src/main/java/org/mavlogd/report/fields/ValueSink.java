package org.mavlogd.report.fields;

/** Takes the values of one field in the order of the log. Hot path: allocates nothing once it has what it needs. */
@FunctionalInterface
public interface ValueSink {
    /**
     * Takes a value.
     *
     * @param value may be infinite or not a number
     */
    void accept(long timestampUs, double value);
}
