package org.mavlogd.vehicle;

/**
 * Detects that a vehicle's autopilot is of another make than its first heartbeat said: that heartbeat was forged, the
 * autopilot got other firmware, or another vehicle with the same ids took its place. Heartbeats of the known make take
 * precedence: while they come, the vehicle keeps it. Owned by the link's thread.
 */
final class MakeChange {
    /** Heartbeats of another make that are no coincidence. */
    static final int HEARTBEATS = 3;

    private final int make;
    private int others;
    private long ownNs;

    /** @param make MAV_AUTOPILOT of the first heartbeat */
    MakeChange(int make, long nowNs) {
        this.make = make;
        this.ownNs = nowNs;
    }

    /** @param autopilot MAV_AUTOPILOT of a later heartbeat */
    void onHeartbeat(int autopilot, long nowNs) {
        if (autopilot == make) {
            ownNs = nowNs;
            others = 0;
        } else if (isOther(autopilot)) {
            others++;
        }
    }

    /** Whether a heartbeat is of another make whose logs are recorded. */
    boolean isOther(int autopilot) {
        return autopilot != make && Autopilot.isSupported(autopilot);
    }

    /**
     * Whether the vehicle must start over: at once if its make is not recorded, else when heartbeats of its own make
     * stopped.
     */
    boolean isDue(long nowNs) {
        return Autopilot.isSupported(make) ? others >= HEARTBEATS && nowNs - ownNs >= SourceLock.HOLD_NS : others > 0;
    }
}
