package org.mavlogd.fetch;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.mavlogd.mavlink.Heartbeat;

/**
 * Addresses of a conversation about logs: the vehicle that is asked, and the sender that asks. We speak under the
 * vehicle's own system id.
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

    /** Of its logs; ArduPilot's ids are in the order of its logs, PX4's in that of its directories. Empty ones do not count. */
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
