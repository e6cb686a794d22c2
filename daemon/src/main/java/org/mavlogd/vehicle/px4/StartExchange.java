package org.mavlogd.vehicle.px4;

import java.util.concurrent.TimeUnit;
import org.mavlogd.mavlink.CommandAck;

/**
 * Repeats LOGGING_START at intervals that depend on the vehicle's answers, and explains why there is no log yet. Owned
 * by the session.
 *
 * <p>A vehicle that accepts START pauses logging, also to its SD card, for 2.5 s if the first chunks are not
 * acknowledged. So after {@link #VAIN_TRIES} accepted STARTs without a log, the next one waits for minutes.
 */
final class StartExchange {
    /** The effect of an answer on the session. */
    enum Verdict {
        /** None yet: START is repeated. */
        GO_ON,
        /** The log is going to begin. */
        ACCEPTED,
        /** The vehicle reports repeatedly that a stream is running: it must be stopped first. */
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
    // A silent log is over when this many STARTs brought neither an answer nor more of the log.
    private static final int ATTEMPTS_TO_END = 3;
    private static final int VAIN_TRIES = 3;
    private static final long VAIN_PAUSE_NS = 180 * SECOND_NS;
    private static final long VAIN_PAUSE_ARMED_NS = 900 * SECOND_NS;
    // A new link may not have the problem of the old one, but a link that comes and goes must not cost 2.5 s each time.
    private static final long VAIN_PAUSE_NEW_LINK_NS = 60 * SECOND_NS;

    private static final String LATE_BEGIN =
            "START accepted but no log data comes: is the link's rate too low, or does a"
                    + " router or the vehicle cut signed frames (267 of 280 bytes)?";
    private static final String VAIN_PAUSE_REASON =
            " Each try stops the vehicle's logger for 2.5 s, also for its SD card:"
                    + " the next one waits 3 min, 15 min while armed, or until the vehicle reboots or is on another link";

    private final Px4Outbox outbox;
    private final Px4Counters counters;
    private int attempts;
    private int failures;
    private int rejections;
    private boolean refused;
    private int vainTries;
    private boolean armed;
    private boolean isNewLink;
    private long acceptedNs;
    private long nextNs;
    private long beginUntilNs;
    private String detail = "";

    StartExchange(Px4Outbox outbox, Px4Counters counters) {
        this.outbox = outbox;
        this.counters = counters;
    }

    /** Why there is no log yet; empty if nothing is wrong. */
    String detail() {
        return detail;
    }

    /**
     * Whether the vehicle refuses to stream its log on this link, by its last answer, or because the log does not get
     * through.
     */
    boolean isRefused() {
        return refused;
    }

    /** Starts over with all attempts, and sends START at once unless it is paused. */
    void begin(long nowNs) {
        attempts = 0;
        rejections = 0;
        nextNs = nowNs;
        if (isPaused(nowNs)) {
            explainLateBegin();
        } else {
            send(nowNs);
        }
    }

    /** Sets whether the vehicle is armed; then a gap in the log on its SD card costs more. */
    void armed(boolean isArmed) {
        armed = isArmed;
    }

    /** Called when the vehicle is reached at another peer. */
    void onNewLink() {
        isNewLink = true;
    }

    /** The first chunks of the log got through. */
    void onFlow() {
        vainTries = 0;
    }

    /** Schedules START after a stream was cleared: at once the first time, after longer pauses later. */
    void beginLater(long nowNs) {
        attempts = 0;
        nextNs = nowNs + Math.min(failures * RESTART_BACK_OFF_NS, MAX_BACK_OFF_NS);
        failures++;
    }

    boolean isDue(long nowNs) {
        return nowNs - nextNs >= 0 && !isPaused(nowNs);
    }

    /** Whether START is paused because several accepted ones brought no log. */
    boolean isPaused(long nowNs) {
        return vainTries >= VAIN_TRIES && nowNs - acceptedNs < vainPauseNs();
    }

    private long vainPauseNs() {
        if (isNewLink) {
            return VAIN_PAUSE_NEW_LINK_NS;
        }
        return armed ? VAIN_PAUSE_ARMED_NS : VAIN_PAUSE_NS;
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
            case CommandAck.ACCEPTED -> {
                beginUntilNs = nowNs + BEGIN_WAIT_NS;
                acceptedNs = nowNs;
                isNewLink = false;
                vainTries++;
                return Verdict.ACCEPTED;
            }
            case CommandAck.IN_PROGRESS -> {
                return Verdict.GO_ON;
            }
            case CommandAck.TEMPORARILY_REJECTED -> {
                return onRejected();
            }
            case CommandAck.DENIED ->
                refuse(
                        "START denied: the vehicle sends too slowly on this link (below 5000 B/s); raise MAV_x_RATE or the"
                                + " baud rate",
                        nowNs);
            case CommandAck.UNSUPPORTED -> refuse("START refused: the vehicle cannot stream its log", nowNs);
            default -> refuse("START failed with MAV_RESULT " + result, nowNs);
        }
        return Verdict.GO_ON;
    }

    private Verdict onRejected() {
        detail = "START rejected: another program has the log stream, or SDLOG_BACKEND lacks bit 1 (MAVLink)";
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

    /** Whether the vehicle neither answers nor reports a running stream. */
    boolean isUnanswered() {
        return attempts >= ATTEMPTS_TO_END && rejections == 0;
    }

    /** Whether the log should have begun since START was accepted. */
    boolean isBeginLate(long nowNs) {
        return nowNs - beginUntilNs >= 0;
    }

    /**
     * Reports that START was accepted but its log does not get through; after several tries another link may take the
     * vehicle.
     */
    void explainLateBegin() {
        refused = vainTries >= VAIN_TRIES;
        detail = LATE_BEGIN + (refused ? VAIN_PAUSE_REASON : "");
    }

    /** Sets the reason, found by the session, why there is no log. */
    void explain(String reason) {
        detail = reason;
    }

    /** Nothing is asked for any more, so nothing is refused. */
    void rest() {
        refused = false;
        detail = "";
    }

    /** A log began: earlier problems no longer count, but its first chunks may still not get through. */
    void forget() {
        rest();
        attempts = 0;
        failures = 0;
        rejections = 0;
    }

    /** The vehicle rebooted: earlier problems no longer count, nor do accepted STARTs without a log. */
    void reboot() {
        forget();
        vainTries = 0;
    }
}
