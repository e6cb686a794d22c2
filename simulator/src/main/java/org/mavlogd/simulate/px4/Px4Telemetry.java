package org.mavlogd.simulate.px4;

import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;

/** What a vehicle sends beside its log: traffic that a recorder has to pass over. Owned by the vehicle's thread. */
final class Px4Telemetry {
    /** MAVLink common.xml, ATTITUDE. */
    static final int ATTITUDE = 30;

    private static final int ATTITUDE_LENGTH = 28;
    private static final int SYSTEM_TIME_LENGTH = 12;
    private static final int TYPE_GROUND_ROVER = 10;
    private static final int AUTOPILOT_PX4 = 12;
    private static final int MODE_CUSTOM = 1;
    private static final int MODE_ARMED = 128;
    private static final int STATE_STANDBY = 3;
    private static final int STATE_ACTIVE = 4;
    /** One turn of the made-up swaying. */
    private static final double SWAY_US = 7e6;

    private final FrameSender frames;
    private final byte[] payload = new byte[ATTITUDE_LENGTH];

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
        put(0, (int) (clockUs / 1000));
        double turn = clockUs / SWAY_US * 2 * Math.PI;
        for (int axis = 0; axis < 3; axis++) {
            put(4 + 4 * axis, Float.floatToRawIntBits((float) (0.1 * Math.sin(turn + axis))));
            put(16 + 4 * axis, Float.floatToRawIntBits((float) (0.1 * Math.cos(turn + axis))));
        }
        frames.send(ATTITUDE, payload, 0, ATTITUDE_LENGTH);
    }

    /** Without the time of day, which such a vehicle does not know. */
    void sendSystemTime(long clockUs) {
        put(0, 0);
        put(4, 0);
        put(8, (int) (clockUs / 1000));
        frames.send(MessageIds.SYSTEM_TIME, payload, 0, SYSTEM_TIME_LENGTH);
    }

    private void put(int index, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            payload[index + i] = (byte) (value >> (8 * i));
        }
    }
}
