package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;

/**
 * Asks for the log once a second until it comes, because START is not answered and may be lost unnoticed. A vehicle
 * with a running stream ignores it. Explains why there may be no log. Owned by the session.
 *
 * <p>The vehicle may still have a stream to mavlogd although its log is over here: an earlier run left it, or the link
 * was lost. If that stream is only idle, it would continue in the middle as soon as the vehicle is armed. While the
 * vehicle is disarmed and silent it costs nothing to begin again: STOP is sent before START.
 */
final class StartRequest {
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    // A running stream sends within some 100 ms, unless the link is bad.
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(3);

    private final BlockResumption resumption;
    private final StopRequest stop;
    private final ArduPilotOutbox outbox;
    private final ArduPilotCounters counters;
    private long nextNs;
    private long armedSinceNs;
    private boolean wasArmed;
    private boolean isStreamLeft;
    private long askedNs;
    private String trouble = "";

    StartRequest(BlockResumption resumption, StopRequest stop, ArduPilotOutbox outbox, ArduPilotCounters counters) {
        this.resumption = resumption;
        this.stop = stop;
        this.outbox = outbox;
        this.counters = counters;
    }

    /** Asks for the log from now on. */
    void ask(long nowNs) {
        askedNs = nowNs;
        begin(nowNs);
    }

    /** A log ended here without evidence that the vehicle ended its stream. */
    void streamLeft() {
        isStreamLeft = true;
    }

    /** The vehicle surely has no stream any more. */
    void noStreamLeft() {
        isStreamLeft = false;
    }

    /** While no log is open and none comes: restarts a stream that is idle, if it is time. */
    void tickIdle(boolean armed, long nowNs) {
        boolean isLikely = isStreamLeft || resumption.isWaiting();
        if (isLikely && !armed && nowNs - askedNs >= IDLE_NS) {
            isStreamLeft = false;
            resumption.drop();
            stop.send(nowNs);
            begin(nowNs);
        }
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
        // A disarmed vehicle may have nothing to log (LOG_DISARMED): that is not a problem.
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

    /** A problem that the user should know; empty if there is none. */
    String trouble() {
        return trouble;
    }

    /** The log has come. */
    void rest() {
        trouble = "";
    }
}
