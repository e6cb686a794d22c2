package org.mavlogd.fetch;

import org.mavlogd.mavlink.Heartbeat;

/**
 * Who is asked, and who asks. We speak under the vehicle's own system id.
 *
 * @param autopilot MAV_AUTOPILOT of its heartbeat
 * @param ownComponentId the component id that we send with
 */
public record FetchTarget(int systemId, int componentId, int autopilot, int ownComponentId) {
    public boolean isArduPilot() {
        return autopilot == Heartbeat.AUTOPILOT_ARDUPILOT;
    }

    /** For people. */
    public String text() {
        return (isArduPilot() ? "ArduPilot " : "PX4 ") + systemId;
    }

    /** Whether logs of this autopilot can be fetched. */
    public static boolean isSupported(int autopilot) {
        return autopilot == Heartbeat.AUTOPILOT_ARDUPILOT || autopilot == Heartbeat.AUTOPILOT_PX4;
    }
}
