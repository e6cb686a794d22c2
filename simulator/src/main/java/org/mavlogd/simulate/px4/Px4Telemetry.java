package org.mavlogd.simulate.px4;

import org.mavlogd.mavlink.AttitudeLayout;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.SystemTimeLayout;

/** The telemetry of a simulated vehicle other than its log. Owned by the vehicle's thread. */
final class Px4Telemetry {
    private static final int TYPE_GROUND_ROVER = 10;
    private static final int AUTOPILOT_PX4 = 12;
    private static final int MODE_CUSTOM = 1;
    private static final int MODE_ARMED = 128;
    private static final int STATE_STANDBY = 3;
    private static final int STATE_ACTIVE = 4;
    /** Period of the simulated swaying. */
    private static final double SWAY_US = 7e6;

    private final FrameSender frames;
    private final byte[] payload = new byte[AttitudeLayout.FULL_LENGTH];

    Px4Telemetry(FrameSender frames) {
        this.frames = frames;
    }

    void sendHeartbeat(boolean armed) {
        int mode = MODE_CUSTOM | (armed ? MODE_ARMED : 0);
        Heartbeat heartbeat =
                new Heartbeat(TYPE_GROUND_ROVER, AUTOPILOT_PX4, mode, 0, armed ? STATE_ACTIVE : STATE_STANDBY);
        frames.send(MessageIds.HEARTBEAT, payload, 0, heartbeat.encodePayload(payload));
    }

    void sendAttitude(long clockUs) {
        double turn = clockUs / SWAY_US * 2 * Math.PI;
        AttitudeLayout.putTimeBootMs(payload, clockUs / 1000);
        AttitudeLayout.putRoll(payload, (float) (0.1 * Math.sin(turn)));
        AttitudeLayout.putPitch(payload, (float) (0.1 * Math.sin(turn + 1)));
        AttitudeLayout.putYaw(payload, (float) (0.1 * Math.sin(turn + 2)));
        AttitudeLayout.putRollspeed(payload, (float) (0.1 * Math.cos(turn)));
        AttitudeLayout.putPitchspeed(payload, (float) (0.1 * Math.cos(turn + 1)));
        AttitudeLayout.putYawspeed(payload, (float) (0.1 * Math.cos(turn + 2)));
        frames.send(AttitudeLayout.MESSAGE_ID, payload, 0, AttitudeLayout.FULL_LENGTH);
    }

    /** Sends the time since boot, without UTC, which such a vehicle does not know. */
    void sendSystemTime(long clockUs) {
        SystemTimeLayout.putTimeUnixUsec(payload, 0);
        SystemTimeLayout.putTimeBootMs(payload, clockUs / 1000);
        frames.send(MessageIds.SYSTEM_TIME, payload, 0, SystemTimeLayout.FULL_LENGTH);
    }
}
