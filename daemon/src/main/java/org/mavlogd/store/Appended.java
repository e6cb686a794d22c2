package org.mavlogd.store;

/** The contents of an appended section of a log. */
public enum Appended {
    /** Messages of people and programs. */
    REMARKS,
    /** A crash of the vehicle, of the recorder or of its computer. */
    CRASH_DATA
}
