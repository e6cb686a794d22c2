package org.mavlogd.feed;

/**
 * A record that tells how a vehicle's clock stands: {@code system i32 | component i32 | at ns i64 | vehicle us i64 | rate
 * f64 | now ns i64 | step u8}.
 */
final class ClockLayout {
    static final int SYSTEM_ID = 0;
    static final int COMPONENT_ID = SYSTEM_ID + Integer.BYTES;
    static final int AT_NS = COMPONENT_ID + Integer.BYTES;
    static final int VEHICLE_US = AT_NS + Long.BYTES;
    static final int RATE = VEHICLE_US + Long.BYTES;
    static final int NOW_NS = RATE + Double.BYTES;
    static final int STEP = NOW_NS + Long.BYTES;
    static final int LENGTH = STEP + Byte.BYTES;

    private ClockLayout() {}
}
