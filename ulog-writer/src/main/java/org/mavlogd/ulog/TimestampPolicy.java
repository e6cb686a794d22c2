package org.mavlogd.ulog;

/** Handling of a sample that is older than the previous one of the same topic. */
public enum TimestampPolicy {
    /** Refuses the sample with an {@link IllegalArgumentException} and writes nothing of it. */
    REFUSE,
    /** Writes the sample and counts it. */
    COUNT_AND_KEEP
}
