package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;

/**
 * Stops the stream: STOP is not answered, so it is repeated while blocks come, and has worked when none came for a
 * while. First it waits a moment for missing blocks, because a stopped vehicle repeats nothing. Owned by the session.
 */
final class StopRequest {
    // A vehicle repeats unacknowledged blocks ten times a second: it is quiet only when it stopped.
    static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long REPAIR_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PATIENT_AGAIN_NS = TimeUnit.SECONDS.toNanos(5);
    // What came just after STOP was under way.
    private static final long STILL_COMING_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int PROMPT_ATTEMPTS = 4;
    private static final long INSIST_NS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final int INSISTENT_ATTEMPTS = 3;

    private final ArduPilotOutbox outbox;
    private final ArduPilotCounters counters;
    private int attempts;
    private long beganNs;
    private long sentNs;

    StopRequest(ArduPilotOutbox outbox, ArduPilotCounters counters) {
        this.outbox = outbox;
        this.counters = counters;
    }

    void begin(long nowNs) {
        attempts = 0;
        beganNs = nowNs;
    }

    /**
     * Sends what is due.
     *
     * @param isComplete whether nothing is missing that may still come
     * @return whether STOP went out
     */
    boolean tick(boolean isComplete, long lastBlockNs, long nowNs) {
        boolean isFirst = attempts == 0;
        boolean isDue = isFirst
                ? isComplete || nowNs - beganNs >= REPAIR_NS
                : nowNs - sentNs >= pauseNs() && lastBlockNs - sentNs > 0 && nowNs - lastBlockNs < STILL_COMING_NS;
        if (isDue) {
            send(nowNs);
        }
        return isDue;
    }

    /**
     * Repeats the first STOP for a vehicle that may be silent because it has nothing to send: the first one may be lost, and nobody
     * will be here to notice. Not when START follows: a late STOP would end the next stream.
     */
    void insist(long nowNs) {
        if (attempts > 0 && attempts < INSISTENT_ATTEMPTS && nowNs - sentNs >= INSIST_NS) {
            send(nowNs);
        }
    }

    /** Says it once, to a vehicle that sends nothing. */
    void send(long nowNs) {
        attempts++;
        sentNs = nowNs;
        counters.stops.increment();
        outbox.sendBlockStop();
    }

    /** Whether the vehicle was told since {@link #begin}. */
    boolean isSent() {
        return attempts > 0;
    }

    private long pauseNs() {
        return attempts < PROMPT_ATTEMPTS ? AGAIN_NS : PATIENT_AGAIN_NS;
    }

    /** Nothing came for a while since the vehicle was told. */
    boolean isQuiet(long lastBlockNs, long nowNs) {
        return attempts > 0 && nowNs - sentNs >= QUIET_NS && nowNs - lastBlockNs >= QUIET_NS;
    }

    /** It was told several times, and continues. */
    boolean isInVain(long nowNs) {
        return attempts >= PROMPT_ATTEMPTS && nowNs - sentNs >= AGAIN_NS;
    }
}
