package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;

/**
 * A stream to us that may still be in the vehicle though its log is over here: an earlier run left it, or the link was lost.
 * When it is only idle, it would go on in its middle as soon as the vehicle is armed. While the vehicle is disarmed and
 * silent it costs nothing to begin it anew. Owned by the session.
 */
final class IdleStream {
    // A stream that runs shows itself within some 100 ms, unless the link is bad.
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(3);

    private final BlockResumption resumption;
    private final StartRequest start;
    private final StopRequest stop;
    private boolean left;
    private long askedNs;

    IdleStream(BlockResumption resumption, StartRequest start, StopRequest stop) {
        this.resumption = resumption;
        this.start = start;
        this.stop = stop;
    }

    /** Its log ended here without a sign that the vehicle ended it. */
    void left() {
        left = true;
    }

    /** There is none, for sure. */
    void forget() {
        left = false;
    }

    /** The log is asked for from now on. */
    void asked(long nowNs) {
        askedNs = nowNs;
    }

    /** No log is open, and none comes: has it begun anew when it is time. */
    void tick(boolean armed, long nowNs) {
        boolean isLikely = left || resumption.isWaiting();
        if (isLikely && !armed && nowNs - askedNs >= IDLE_NS) {
            left = false;
            resumption.drop();
            stop.send(nowNs);
            start.begin(nowNs);
        }
    }
}
