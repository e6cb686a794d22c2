package org.mavlogd.mavlink;

/**
 * TIMESYNC: a request for another system's time, or the answer. MAVLink 1, and senders older than the target fields,
 * have only the first two; the others are then zero.
 *
 * @param tc1 in an answer, nanoseconds of who answers; 0 in a request
 * @param ts1 nanoseconds of who asks, which the answer repeats
 * @param targetSystem whom it is for; 0 for everybody
 * @param targetComponent see above
 * @see <a href="https://mavlink.io/en/services/timesync.html">Time Synchronization Protocol</a>
 */
public record Timesync(long tc1, long ts1, int targetSystem, int targetComponent) {
    /** Asks, at a time of ours. */
    public static Timesync request(long nowNs, int targetSystem, int targetComponent) {
        return new Timesync(0, nowNs, targetSystem, targetComponent);
    }

    public static Timesync decode(FrameView frame) {
        return new Timesync(
                TimesyncLayout.tc1(frame),
                TimesyncLayout.ts1(frame),
                TimesyncLayout.targetSystem(frame),
                TimesyncLayout.targetComponent(frame));
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
        TimesyncLayout.putTc1(target, tc1);
        TimesyncLayout.putTs1(target, ts1);
        TimesyncLayout.putTargetSystem(target, targetSystem);
        TimesyncLayout.putTargetComponent(target, targetComponent);
        return TimesyncLayout.FULL_LENGTH;
    }
}
