package org.mavlogd.store;

/** The contents of an appended section of a log. */
public enum Appended {
    /** Remarks that people or programs appended. */
    REMARKS,
    /** Crash data of the vehicle, of the recorder or of its computer. */
    CRASH_DATA
}
