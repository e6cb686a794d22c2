package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;

/**
 * Ends a recorder that leaves the vehicle's stream to the next run: it first waits up to 1 s for missing blocks,
 * because the next run takes the file as complete. Owned by the session.
 */
final class Departure {
    // The vehicle repeats missing blocks ten times in this period.
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(1);

    private final BlockStream stream;
    private boolean decided;
    private boolean underWay;
    private long leaveByNs;

    Departure(BlockStream stream) {
        this.stream = stream;
    }

    /** The recorder is about to end, whether or not it leaves a stream. */
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

    /** There is no stream to leave any more. */
    void cancel() {
        underWay = false;
    }

    /** Asks for missing blocks; returns whether it is time to leave. */
    boolean isDue(long nowNs) {
        stream.askForMissing(nowNs);
        underWay = !stream.isComplete() && nowNs - leaveByNs < 0;
        return !underWay;
    }
}
