package org.mavlogd.setup;

import org.mavlogd.mavlink.Heartbeat;

/**
 * A PX4 or ArduPilot that was found.
 *
 * @param autopilot MAV_AUTOPILOT
 * @param isArmed by its heartbeat
 * @param isSigning whether it signs its frames: then it may accept none of ours
 * @param address from which it sent, such as {@code 127.0.0.1:14550}
 */
public record Vehicle(
        int systemId, int componentId, int autopilot, boolean isArmed, boolean isSigning, String address) {
    /** MAV_COMP_ID_ONBOARD_COMPUTER, the recorder's default. */
    static final int OWN_COMPONENT = 191;

    static boolean isSupported(int autopilot) {
        return autopilot == Heartbeat.AUTOPILOT_ARDUPILOT || autopilot == Heartbeat.AUTOPILOT_PX4;
    }

    public boolean isArduPilot() {
        return autopilot == Heartbeat.AUTOPILOT_ARDUPILOT;
    }

    /** The vehicle for people. */
    public String text() {
        return (isArduPilot() ? "ArduPilot" : "PX4") + " (system id " + systemId + ")";
    }
}
