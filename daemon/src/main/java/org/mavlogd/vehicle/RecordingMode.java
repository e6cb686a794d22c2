package org.mavlogd.vehicle;

/** When a vehicle's log is wanted. */
public enum RecordingMode {
    /** For as long as the vehicle is there. */
    ALWAYS,
    /** From arming until some time after disarming. */
    ARMED
}
