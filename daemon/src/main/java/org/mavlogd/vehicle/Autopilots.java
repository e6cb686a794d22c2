package org.mavlogd.vehicle;

import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;

/**
 * Tells autopilots from everything else that sends heartbeats.
 *
 * @see <a href="https://mavlink.io/en/messages/minimal.html#MAV_TYPE">MAV_TYPE</a>
 * @see <a href="https://mavlink.io/en/messages/minimal.html#MAV_COMPONENT">MAV_COMPONENT</a>
 */
final class Autopilots {
    // MAV_COMPONENT: 1 is the autopilot, 25 to 99 are free for users, 100 and above belong to payloads and services.
    private static final int LAST_AUTOPILOT_COMPONENT = 99;

    private Autopilots() {}

    static boolean isAutopilot(int systemId, int componentId, Heartbeat heartbeat) {
        return systemId > 0
                && componentId > 0
                && componentId <= LAST_AUTOPILOT_COMPONENT
                && heartbeat.autopilot() != Heartbeat.AUTOPILOT_INVALID
                && isVehicleType(heartbeat.type());
    }

    private static boolean isVehicleType(int type) {
        return switch (type) {
            case 6, // GCS
                    18, // ONBOARD_CONTROLLER
                    26, // GIMBAL
                    27, // ADSB
                    30, // CAMERA
                    31, // CHARGING_STATION
                    32, // FLARM
                    33, // SERVO
                    34, // ODID
                    36, // BATTERY
                    37, // PARACHUTE
                    38, // LOG
                    39, // OSD
                    40, // IMU
                    41, // GPS
                    42 // WINCH
            -> false;
            default -> true;
        };
    }

    /**
     * The autopilot that speaks in these heartbeats.
     *
     * @param first the first of them
     */
    static Autopilot of(
            LinkContext context, FrameView first, Heartbeat heartbeat, SourceLock source, VehicleOutbox outbox) {
        return switch (heartbeat.autopilot()) {
            case Heartbeat.AUTOPILOT_PX4 ->
                new Px4Autopilot(context, first.systemId(), first.componentId(), source, outbox);
            case Heartbeat.AUTOPILOT_ARDUPILOT -> new ArduPilotAutopilot(context, first, source.holder(), outbox);
            default -> new UnsupportedAutopilot("autopilot type " + heartbeat.autopilot());
        };
    }
}
