package org.mavlogd.bench;

import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameLayout;

/**
 * Telemetry of typical messages and sizes, 34 to 242 bytes a frame, whose payload contains when it was sent: a number
 * (4 bytes), the monotonic time in nanoseconds (8 bytes), and a mark (4 bytes), little endian. Owned by the thread that
 * makes the frames.
 */
final class StampedFrames {
    private static final int SYSTEM = 1;
    /** A component of the vehicle, with its own sequence of frames. */
    private static final int COMPONENT = 158;

    private static final int MARK = 0x5BE7_C0DE;
    private static final int NUMBER_AT = 0;
    private static final int TIME_AT = NUMBER_AT + Integer.BYTES;
    private static final int MARK_AT = TIME_AT + Long.BYTES;
    private static final int STAMP_LENGTH = MARK_AT + Integer.BYTES;
    private static final int PAYLOAD_LENGTH = 255;

    /** Ids and payload lengths from common.xml; none has a target. */
    private static final int[][] MESSAGES = {
        {30, 28}, // ATTITUDE
        {31, 32}, // ATTITUDE_QUATERNION
        {32, 28}, // LOCAL_POSITION_NED
        {33, 28}, // GLOBAL_POSITION_INT
        {105, 62}, // HIGHRES_IMU
        {30, 28},
        {74, 20}, // VFR_HUD
        {83, 37}, // ATTITUDE_TARGET
        {24, 30}, // GPS_RAW_INT
        {105, 62},
        {30, 28},
        {331, 230}, // ODOMETRY
        {36, 21}, // SERVO_OUTPUT_RAW
        {230, 42}, // ESTIMATOR_STATUS
        {147, 36}, // BATTERY_STATUS
        {241, 32}, // VIBRATION
    };

    private final FrameEncoder encoder = new FrameEncoder(COMPONENT);
    private final byte[] payload = new byte[PAYLOAD_LENGTH];

    /** Writes the next frame and returns its length. */
    int write(int number, long nowNs, byte[] target) {
        int[] message = MESSAGES[number & (MESSAGES.length - 1)];
        LittleEndian.putInt32(payload, NUMBER_AT, number);
        LittleEndian.putInt64(payload, TIME_AT, nowNs);
        LittleEndian.putInt32(payload, MARK_AT, MARK);
        // The payload ends with a nonzero byte, since a sender omits zeros at the end.
        payload[message[1] - 1] = 1;
        return encoder.encode(SYSTEM, message[0], payload, message[1], target, 0);
    }

    /** Whether {@link #write} made this frame. */
    static boolean isStamped(byte[] frame, int offset, int length) {
        return length >= FrameLayout.HEADER_LENGTH_V2 + STAMP_LENGTH
                && frame[offset] == FrameLayout.START_V2
                && LittleEndian.int32(frame, offset + FrameLayout.HEADER_LENGTH_V2 + MARK_AT) == MARK;
    }

    static int number(byte[] frame, int offset) {
        return LittleEndian.int32(frame, offset + FrameLayout.HEADER_LENGTH_V2 + NUMBER_AT);
    }

    /** When the frame was sent. */
    static long sentNs(byte[] frame, int offset) {
        return LittleEndian.int64(frame, offset + FrameLayout.HEADER_LENGTH_V2 + TIME_AT);
    }
}
