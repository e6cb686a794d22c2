package org.mavlogd.vehicle;

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

    /** The make of an autopilot, for people. */
    static String name(int autopilot) {
        return switch (autopilot) {
            case Heartbeat.AUTOPILOT_PX4 -> "PX4";
            case Heartbeat.AUTOPILOT_ARDUPILOT -> "ArduPilot";
            default -> "autopilot type " + autopilot;
        };
    }
}
