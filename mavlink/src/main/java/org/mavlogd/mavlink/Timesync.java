package org.mavlogd.mavlink;

/**
 * TIMESYNC: asks what somebody's clock shows, or answers that. MAVLink 1, and senders older than the target fields, have
 * only the first two; the others are then zero.
 *
 * @param tc1 in an answer, nanoseconds of who answers; 0 in a request
 * @param ts1 nanoseconds of who asks, which the answer repeats
 * @param targetSystem whom it is for; 0 for everybody
 * @param targetComponent see above
 * @see <a href="https://mavlink.io/en/services/timesync.html">Time Synchronization Protocol</a>
 */
public record Timesync(long tc1, long ts1, int targetSystem, int targetComponent) {
    private static final int TC1 = 0;
    private static final int TS1 = TC1 + Long.BYTES;
    private static final int TARGET_SYSTEM = TS1 + Long.BYTES;
    private static final int TARGET_COMPONENT = TARGET_SYSTEM + 1;
    private static final int LENGTH = TARGET_COMPONENT + 1;

    /** Asks, at a time of ours. */
    public static Timesync request(long nowNs, int targetSystem, int targetComponent) {
        return new Timesync(0, nowNs, targetSystem, targetComponent);
    }

    public static Timesync decode(FrameView frame) {
        return new Timesync(
                frame.int64(TC1), frame.int64(TS1), frame.uint8(TARGET_SYSTEM), frame.uint8(TARGET_COMPONENT));
    }

    /** Whether somebody wants to know the time. */
    public boolean isRequest() {
        return tc1 == 0;
    }

    /** Whether it is for a component: named, or for everybody. */
    public boolean isFor(int systemId, int componentId) {
        return (targetSystem == 0 || targetSystem == systemId)
                && (targetComponent == 0 || targetComponent == componentId);
    }

    /** Writes the payload; the result is its length in bytes. */
    public int encodePayload(byte[] target) {
        put(target, TC1, tc1);
        put(target, TS1, ts1);
        target[TARGET_SYSTEM] = (byte) targetSystem;
        target[TARGET_COMPONENT] = (byte) targetComponent;
        return LENGTH;
    }

    private static void put(byte[] target, int at, long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            target[at + i] = (byte) (value >>> (Byte.SIZE * i));
        }
    }
}
