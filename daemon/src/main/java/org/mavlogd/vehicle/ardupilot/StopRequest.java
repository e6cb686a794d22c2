package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;

/**
 * Stops the stream. STOP is not answered, so it is repeated while blocks come, and has worked when none came for
 * {@link #QUIET_NS}. First it waits up to 300 ms for missing blocks, because a stopped vehicle repeats nothing. Owned
 * by the session.
 */
final class StopRequest {
    // A vehicle repeats unacknowledged blocks ten times a second, so it is silent only if it stopped.
    static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long REPAIR_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PATIENT_AGAIN_NS = TimeUnit.SECONDS.toNanos(5);
    // Blocks that arrive just after STOP were already on the way.
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
     * Sends STOP if it is due.
     *
     * @param isComplete whether no block is missing that may still come
     * @return whether STOP was sent
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
     * Repeats the first STOP for a vehicle that may be silent because it has nothing to send: the first one may be
     * lost, and no recorder will be here to notice. Not if START follows: a late STOP would end the next stream.
     */
    void insist(long nowNs) {
        if (attempts > 0 && attempts < INSISTENT_ATTEMPTS && nowNs - sentNs >= INSIST_NS) {
            send(nowNs);
        }
    }

    /** Sends STOP once. */
    void send(long nowNs) {
        attempts++;
        sentNs = nowNs;
        counters.stops.increment();
        outbox.sendBlockStop();
    }

    /** Whether STOP was sent since {@link #begin}. */
    boolean isSent() {
        return attempts > 0;
    }

    private long pauseNs() {
        return attempts < PROMPT_ATTEMPTS ? AGAIN_NS : PATIENT_AGAIN_NS;
    }

    /** Whether STOP was sent, and no block came since for {@link #QUIET_NS}. */
    boolean isQuiet(long lastBlockNs, long nowNs) {
        return attempts > 0 && nowNs - sentNs >= QUIET_NS && nowNs - lastBlockNs >= QUIET_NS;
    }

    /** Whether the vehicle continues after several STOPs. */
    boolean isInVain(long nowNs) {
        return attempts >= PROMPT_ATTEMPTS && nowNs - sentNs >= AGAIN_NS;
    }
}
