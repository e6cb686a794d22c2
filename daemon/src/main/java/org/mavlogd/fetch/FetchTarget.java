package org.mavlogd.fetch;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.mavlogd.mavlink.Heartbeat;

/**
 * Addresses of a conversation about logs: the vehicle, and mavlogd, which uses the vehicle's system id.
 *
 * @param autopilot MAV_AUTOPILOT of its heartbeat
 * @param ownComponentId mavlogd's component id
 */
public record FetchTarget(int systemId, int componentId, int autopilot, int ownComponentId) {
    public boolean isArduPilot() {
        return autopilot == Heartbeat.AUTOPILOT_ARDUPILOT;
    }

    /** The name, for messages. */
    public String text() {
        return (isArduPilot() ? "ArduPilot " : "PX4 ") + systemId;
    }

    /**
     * The newest of its logs that is not empty. ArduPilot's ids are in the order of its logs, PX4's in that of its
     * directories.
     */
    public Optional<RemoteLog> newest(List<RemoteLog> logs) {
        Comparator<RemoteLog> byId = Comparator.comparing(RemoteLog::id);
        return logs.stream()
                .filter(log -> log.length() > 0)
                .max(
                        isArduPilot()
                                ? byId
                                : Comparator.comparing(RemoteLog::utcS).thenComparing(byId));
    }

    /** Whether logs of this autopilot can be fetched. */
    public static boolean isSupported(int autopilot) {
        return autopilot == Heartbeat.AUTOPILOT_ARDUPILOT || autopilot == Heartbeat.AUTOPILOT_PX4;
    }
}
