package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;

/**
 * The orderly end of a recorder that leaves the vehicle's stream to the next run: it first waits a moment for missing
 * blocks, because the next run takes the file for complete. Owned by the session.
 */
final class Departure {
    // What is missing is repeated ten times meanwhile.
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(1);

    private final BlockStream stream;
    private boolean decided;
    private boolean underWay;
    private long leaveByNs;

    Departure(BlockStream stream) {
        this.stream = stream;
    }

    /** The recorder is going to end, whether or not it leaves a stream. */
    void decide() {
        decided = true;
    }

    boolean isDecided() {
        return decided;
    }

    void begin(long nowNs) {
        underWay = true;
        leaveByNs = nowNs + LEAVE_NS;
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** There is no stream to be left any more. */
    void cancel() {
        underWay = false;
    }

    /** Asks for what is missing; returns whether it is time to leave. */
    boolean isDue(long nowNs) {
        stream.askForMissing(nowNs);
        underWay = !stream.isComplete() && nowNs - leaveByNs < 0;
        return !underWay;
    }
}
