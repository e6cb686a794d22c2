package org.mavlogd.mavlink;

/**
 * HEARTBEAT: announces a system and its kind.
 *
 * @param type MAV_TYPE
 * @param autopilot MAV_AUTOPILOT
 * @param baseMode MAV_MODE_FLAG bits
 * @param customMode the autopilot's own, unsigned 32 bit
 * @param systemStatus MAV_STATE
 * @see <a href="https://mavlink.io/en/messages/common.html#HEARTBEAT">HEARTBEAT</a>
 */
public record Heartbeat(int type, int autopilot, int baseMode, long customMode, int systemStatus) {
    /** MAV_TYPE_GENERIC. */
    public static final int TYPE_GENERIC = 0;

    /** MAV_TYPE_ONBOARD_CONTROLLER. */
    public static final int TYPE_ONBOARD_CONTROLLER = 18;

    /** MAV_AUTOPILOT_INVALID: the sender is no autopilot. */
    public static final int AUTOPILOT_INVALID = 8;

    /** MAV_AUTOPILOT_ARDUPILOTMEGA. */
    public static final int AUTOPILOT_ARDUPILOT = 3;

    /** MAV_AUTOPILOT_PX4. */
    public static final int AUTOPILOT_PX4 = 12;

    /** MAV_STATE_ACTIVE. */
    public static final int STATE_ACTIVE = 4;

    private static final int SAFETY_ARMED = 0x80; // MAV_MODE_FLAG_SAFETY_ARMED
    private static final int MAVLINK_VERSION = 3; // field mavlink_version, fixed by the protocol

    /** The heartbeat that a flying PX4 would send while it streams its log; for use before its own is received. */
    public static Heartbeat ofStreamingPx4() {
        return new Heartbeat(TYPE_GENERIC, AUTOPILOT_PX4, SAFETY_ARMED, 0, STATE_ACTIVE);
    }

    /** Whether the motors are armed. */
    public boolean isArmed() {
        return (baseMode & SAFETY_ARMED) != 0;
    }

    public static Heartbeat decode(FrameView frame) {
        return new Heartbeat(
                HeartbeatLayout.type(frame),
                HeartbeatLayout.autopilot(frame),
                HeartbeatLayout.baseMode(frame),
                HeartbeatLayout.customMode(frame),
                HeartbeatLayout.systemStatus(frame));
    }

    /** Writes the payload and returns its length in bytes. */
    public int encodePayload(byte[] target) {
        HeartbeatLayout.putType(target, type);
        HeartbeatLayout.putAutopilot(target, autopilot);
        HeartbeatLayout.putBaseMode(target, baseMode);
        HeartbeatLayout.putCustomMode(target, customMode);
        HeartbeatLayout.putSystemStatus(target, systemStatus);
        HeartbeatLayout.putMavlinkVersion(target, MAVLINK_VERSION);
        return HeartbeatLayout.FULL_LENGTH;
    }
}
