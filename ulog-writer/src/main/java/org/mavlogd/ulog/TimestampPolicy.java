package org.mavlogd.ulog;

/** The treatment of a sample that is older than the one before it of the same topic. */
public enum TimestampPolicy {
    /** Refuses the sample with an {@link IllegalArgumentException}; nothing of it is written. */
    REFUSE,
    /** Writes it and counts it. */
    COUNT_AND_KEEP
}
