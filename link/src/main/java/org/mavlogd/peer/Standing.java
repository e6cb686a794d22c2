package org.mavlogd.peer;

/** How much a far end matters to us; those that matter least make room for new ones. */
public enum Standing {
    /** Nothing but bytes came from there so far. */
    STRANGER,
    /** A frame that we take came from there. */
    SPEAKER,
    /** A vehicle is led from there. */
    VEHICLE
}
