package org.mavlogd.vehicle;

import org.mavlogd.vehicle.conversation.LogConversation;

/** The state of a vehicle's log, for programs; {@link VehicleStatus#state} is the text for people. */
public enum VehicleState {
    /** No log is wanted now. */
    IDLE,
    /** The vehicle is asked for its log. */
    ASKING,
    /** The vehicle accepted; its log has not begun. */
    AWAITING,
    RECORDING,
    /** The vehicle is asked to stop; data that it still sends is recorded. */
    STOPPING,
    /** A stream whose start is missing is being stopped, so that it begins again. */
    CLEARING,
    /** The vehicle is not heard. */
    SILENT,
    /** Another link records it. */
    ON_OTHER_LINK,
    /** mavlogd cannot record logs of this autopilot. */
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
