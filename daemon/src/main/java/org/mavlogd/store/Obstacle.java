package org.mavlogd.store;

/** Why no file can be begun now although the disk is not broken. */
public enum Obstacle {
    NONE,
    /** Too little is left of the disk. */
    NO_SPACE,
    /** The vehicle had too many new files in the last minute. */
    TOO_MANY_FILES
}
