package org.mavlogd.vehicle.px4;

import java.util.concurrent.TimeUnit;
import org.mavlogd.mavlink.MavResult;

/**
 * LOGGING_START, repeated with patience that depends on the vehicle's answers. Knows in words why there is no log yet. Owned
 * by the session.
 */
final class StartExchange {
    /** What an answer means for the session. */
    enum Verdict {
        /** Nothing yet: START is repeated. */
        GO_ON,
        /** The log is going to begin. */
        ACCEPTED,
        /** The vehicle insists that a stream is running: it must be stopped first. */
        TAKEN
    }

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NS = SECOND_NS;
    private static final long PATIENT_RETRY_NS = 5 * SECOND_NS;
    private static final int PROMPT_ATTEMPTS = 5;
    private static final long REFUSED_BACK_OFF_NS = 10 * SECOND_NS;
    private static final long RESTART_BACK_OFF_NS = 2 * SECOND_NS;
    private static final long MAX_BACK_OFF_NS = 30 * SECOND_NS;
    private static final int REJECTIONS_TO_TAKE = 3;
    private static final long BEGIN_WAIT_NS = 3 * SECOND_NS;
    // A silent log is given up when so many STARTs found neither an answer nor more of the log.
    private static final int ATTEMPTS_TO_END = 3;

    private final Px4Outbox outbox;
    private final Px4Counters counters;
    private int attempts;
    private int failures;
    private int rejections;
    private boolean refused;
    private long nextNs;
    private long beginUntilNs;
    private String detail = "";

    StartExchange(Px4Outbox outbox, Px4Counters counters) {
        this.outbox = outbox;
        this.counters = counters;
    }

    /** Why there is no log yet; empty when nothing is wrong. */
    String detail() {
        return detail;
    }

    /** Whether the vehicle's last answer was that it will not stream its log on this link. */
    boolean isRefused() {
        return refused;
    }

    /** Asks at once, with all the patience for answers that a new question gets. */
    void begin(long nowNs) {
        attempts = 0;
        rejections = 0;
        send(nowNs);
    }

    /** Asks again some time after a stream was cleared: the first time at once, later after longer pauses. */
    void beginLater(long nowNs) {
        attempts = 0;
        nextNs = nowNs + Math.min(failures * RESTART_BACK_OFF_NS, MAX_BACK_OFF_NS);
        failures++;
    }

    boolean isDue(long nowNs) {
        return nowNs - nextNs >= 0;
    }

    void send(long nowNs) {
        attempts++;
        nextNs = nowNs + (attempts < PROMPT_ATTEMPTS ? RETRY_NS : PATIENT_RETRY_NS);
        if (attempts > PROMPT_ATTEMPTS && detail.isEmpty()) {
            detail = "START is not answered: is the vehicle's logger running?";
        }
        refused = false;
        counters.starts.increment();
        outbox.sendStart();
    }

    Verdict onAnswer(int result, long nowNs) {
        switch (result) {
            case MavResult.ACCEPTED -> {
                beginUntilNs = nowNs + BEGIN_WAIT_NS;
                return Verdict.ACCEPTED;
            }
            case MavResult.IN_PROGRESS -> {
                return Verdict.GO_ON;
            }
            case MavResult.TEMPORARILY_REJECTED -> {
                return onRejected();
            }
            case MavResult.DENIED ->
                refuse(
                        "START denied: the vehicle sends too slowly on this link (below 5000 B/s); raise MAV_x_RATE or the"
                                + " baud rate",
                        nowNs);
            case MavResult.UNSUPPORTED -> refuse("START refused: the vehicle cannot stream its log", nowNs);
            default -> refuse("START failed with MAV_RESULT " + result, nowNs);
        }
        return Verdict.GO_ON;
    }

    private Verdict onRejected() {
        detail = "START rejected: somebody else has the log stream, or SDLOG_BACKEND lacks bit 1 (MAVLink)";
        rejections++;
        if (rejections < REJECTIONS_TO_TAKE) {
            return Verdict.GO_ON;
        }
        rejections = 0;
        return Verdict.TAKEN;
    }

    private void refuse(String reason, long nowNs) {
        detail = reason;
        refused = true;
        failures++;
        nextNs = nowNs + Math.min(REFUSED_BACK_OFF_NS * failures, MAX_BACK_OFF_NS);
    }

    /** Whether the vehicle neither answers nor says that its stream is running. */
    boolean isUnanswered() {
        return attempts >= ATTEMPTS_TO_END && rejections == 0;
    }

    /** Whether the log should have begun since START was accepted. */
    boolean isBeginLate(long nowNs) {
        return nowNs - beginUntilNs >= 0;
    }

    void explainLateBegin() {
        detail = "START accepted but no log data comes: is the link's rate too low, or does a router or the"
                + " vehicle cut signed frames (267 of 280 bytes)?";
    }

    /** The session found out itself why there is no log. */
    void explain(String reason) {
        detail = reason;
    }

    /** Nothing is asked for any more, so nothing is refused. */
    void rest() {
        refused = false;
        detail = "";
    }

    /** A log began, or the vehicle did anew: earlier trouble no longer counts. */
    void forget() {
        rest();
        attempts = 0;
        failures = 0;
        rejections = 0;
    }
}
