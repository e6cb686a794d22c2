package org.mavlogd.vehicle;

import org.mavlogd.vehicle.conversation.LogConversation;

/** The state of a vehicle's log, for programs; {@link VehicleStatus#state} has it in words. */
public enum VehicleState {
    /** No log is wanted now. */
    IDLE,
    /** The vehicle is asked for its log. */
    ASKING,
    /** The vehicle agreed; its log has not begun. */
    AWAITING,
    RECORDING,
    /** The vehicle is told to stop; what it still sends is taken. */
    STOPPING,
    /** A stream of which the start is missing is stopped, so that it begins again. */
    CLEARING,
    /** Nothing is heard of the vehicle. */
    SILENT,
    /** Another link records it. */
    ON_OTHER_LINK,
    /** Its autopilot streams no log that is known here. */
    NOT_SUPPORTED;

    static VehicleState of(LogConversation.State conversation) {
        return switch (conversation) {
            case IDLE -> IDLE;
            case ASKING -> ASKING;
            case AWAITING -> AWAITING;
            case RECORDING -> RECORDING;
            case STOPPING -> STOPPING;
            case CLEARING -> CLEARING;
        };
    }
}
