package org.mavlogd.vehicle;

/**
 * Notices that a vehicle's autopilot is of another make than its first heartbeat said. Somebody may have sent that in its
 * name, its autopilot may have got another firmware, or another vehicle with the same ids took its place. A heartbeat of the make that
 * is known counts for more: where both come, the vehicle stays what it is. Owned by the link's thread.
 */
final class MakeChange {
    /** So many of another make are no accident. */
    static final int HEARTBEATS = 3;

    private final int make;
    private int others;
    private long ownNs;

    /** @param make MAV_AUTOPILOT of the first heartbeat */
    MakeChange(int make, long nowNs) {
        this.make = make;
        this.ownNs = nowNs;
    }

    /** @param autopilot of an autopilot's heartbeat */
    void onHeartbeat(int autopilot, long nowNs) {
        if (autopilot == make) {
            ownNs = nowNs;
            others = 0;
        } else if (isOther(autopilot)) {
            others++;
        }
    }

    /** Whether a heartbeat is of another make, of which logs are recorded. */
    boolean isOther(int autopilot) {
        return autopilot != make && Autopilot.isSupported(autopilot);
    }

    /** Whether the vehicle must begin anew; at once where nothing is recorded of it, else when its own make is silent. */
    boolean isDue(long nowNs) {
        return Autopilot.isSupported(make) ? others >= HEARTBEATS && nowNs - ownNs >= SourceLock.HOLD_NS : others > 0;
    }
}
