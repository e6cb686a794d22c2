package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;

/**
 * Asks for the log once a second until it comes: nobody answers START, and it may be lost without a sign, in the vehicle
 * too. Where a stream runs already it is ignored. Knows in words why there may be no log. Owned by the session.
 */
final class StartRequest {
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final ArduPilotOutbox outbox;
    private final ArduPilotCounters counters;
    private long nextNs;
    private long armedSinceNs;
    private boolean wasArmed;
    private String trouble = "";

    StartRequest(ArduPilotOutbox outbox, ArduPilotCounters counters) {
        this.outbox = outbox;
        this.counters = counters;
    }

    /** Asks at once. */
    void begin(long nowNs) {
        wasArmed = false;
        send(nowNs);
    }

    void tick(boolean armed, long nowNs) {
        if (nowNs - nextNs >= 0) {
            send(nowNs);
        }
        if (armed && !wasArmed) {
            armedSinceNs = nowNs;
        }
        wasArmed = armed;
        // A disarmed vehicle may have nothing to log (LOG_DISARMED): that is no trouble.
        if (armed && nowNs - armedSinceNs >= PATIENCE_NS && trouble.isEmpty()) {
            trouble = "armed, but it streams no log: is bit 1 (MAVLink) of LOG_BACKEND_TYPE set,"
                    + " and LOG_MAV_BUFSIZE below 54?";
        }
    }

    private void send(long nowNs) {
        nextNs = nowNs + AGAIN_NS;
        counters.starts.increment();
        outbox.sendBlockStart();
    }

    void explain(String reason) {
        trouble = reason;
    }

    /** What the user should know; empty when nothing is wrong. */
    String trouble() {
        return trouble;
    }

    /** The log has come. */
    void rest() {
        trouble = "";
    }
}
