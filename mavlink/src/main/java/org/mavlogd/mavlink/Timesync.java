package org.mavlogd.mavlink;

/**
 * TIMESYNC: a request for another system's time, or the answer. MAVLink 1, and senders older than the target fields,
 * have only the first two fields; the others are then zero.
 *
 * @param tc1 time of the answering system in nanoseconds; 0 in a request
 * @param ts1 time of the requesting system in nanoseconds, repeated in the answer
 * @param targetSystem addressed system; 0 for all
 * @param targetComponent addressed component; 0 for all
 * @see <a href="https://mavlink.io/en/services/timesync.html">Time Synchronization Protocol</a>
 */
public record Timesync(long tc1, long ts1, int targetSystem, int targetComponent) {
    /** A request sent at our time {@code nowNs}. */
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

    /** Whether this is a request for the time. */
    public boolean isRequest() {
        return tc1 == 0;
    }

    /** Whether the message is for this component or for all. */
    public boolean isFor(int systemId, int componentId) {
        return (targetSystem == 0 || targetSystem == systemId)
                && (targetComponent == 0 || targetComponent == componentId);
    }

    /** Writes the payload and returns its length in bytes. */
    public int encodePayload(byte[] target) {
        TimesyncLayout.putTc1(target, tc1);
        TimesyncLayout.putTs1(target, ts1);
        TimesyncLayout.putTargetSystem(target, targetSystem);
        TimesyncLayout.putTargetComponent(target, targetComponent);
        return TimesyncLayout.FULL_LENGTH;
    }
}
