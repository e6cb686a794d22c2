package org.mavlogd.vehicle.px4;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.mavlink.MavCommand;
import org.mavlogd.mavlink.MavResult;

/**
 * The conversation with one PX4: asks for the log when it is wanted, keeps it while it lasts, stops it in good order, and
 * finds a way out of every state in which somebody else may have left the vehicle.
 *
 * <pre>
 *          wanted         ACCEPTED            log begins            not wanted
 *   IDLE ---------> ASKING -------> AWAITING -----------> RECORDING ----------> STOPPING ---> IDLE
 *                    |  ^               |                     |                 drains until ACCEPTED
 *     rejected, or   |  | STOP          | nothing             | silence, reboot
 *     stray chunks   v  | ACCEPTED      v comes               v
 *                   CLEARING &lt;----------+                   ASKING
 * </pre>
 *
 * <p>A log that begins is recorded in every state, also when nobody here asked for it. Time is an argument. Owned by the
 * link's thread; {@link #onChunk} is on the hot path.
 */
public final class Px4LogSession {
    /** Where the conversation stands. */
    public enum State {
        /** No log is wanted, or the vehicle is not heard. */
        IDLE("idle"),
        /** START is repeated until it is answered. */
        ASKING("asking for the log"),
        /** START was accepted, the log has not begun. */
        AWAITING("waiting for log data"),
        RECORDING("recording"),
        /** STOP was sent; what the vehicle still has is taken. */
        STOPPING("stopping"),
        /** A stream whose beginning is not here is being stopped, so that it can begin anew. */
        CLEARING("clearing an old stream");

        private final String text;

        State(String text) {
            this.text = text;
        }

        /** In words, for people. */
        public String text() {
            return text;
        }
    }

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long START_RETRY_NS = SECOND_NS;
    private static final long PATIENT_START_RETRY_NS = 5 * SECOND_NS;
    private static final int PROMPT_STARTS = 5;
    private static final long MAX_BACK_OFF_NS = 30 * SECOND_NS;
    private static final long REFUSED_BACK_OFF_NS = 10 * SECOND_NS;
    private static final long BEGIN_WAIT_NS = 3 * SECOND_NS;

    // A vehicle that was not heard for so long is not spoken to.
    private static final long HEARD_NS = 3 * SECOND_NS;
    // A log outlives an outage of the link for so long: the vehicle streams on, and the data's times tell the gap.
    private static final long OUTAGE_NS = 30 * SECOND_NS;

    private static final long STOP_RETRY_NS = 500 * MILLISECOND_NS;
    private static final int STOP_ATTEMPTS = 4;
    // What the link had reordered still arrives after the vehicle confirmed STOP.
    private static final long LINGER_NS = 50 * MILLISECOND_NS;
    // Between an old stream and the next START, so that none of its chunks falls into the new one.
    private static final long CLEAR_QUIET_NS = 300 * MILLISECOND_NS;

    private static final int STRAYS_TO_CLEAR = 3;
    private static final int REJECTIONS_TO_CLEAR = 3;
    private static final int STALE_TO_RESTART = 3;
    // A log is given up when so many STARTs found neither the vehicle's answer nor more of the log.
    private static final int STARTS_TO_END = 3;
    private static final long REBOOT_STEP_MS = 1000;
    private static final long ACK_PROMPT_NS = 60 * MILLISECOND_NS;

    private final Px4SessionSettings settings;
    private final LogStream stream;
    private final Px4Outbox outbox;
    private final Px4Counters counters;

    private State state = State.IDLE;
    private String detail = "";
    private boolean refused;
    private boolean wanted;
    private boolean shutDown;
    private boolean asked;

    private long nextActionNs;
    private int starts;
    private int failures;
    private int rejections;
    private int strays;
    private int staleRun;
    private int stops;
    private long lastStopNs;
    private boolean stopConfirmed;
    private long stopConfirmedNs;

    private boolean ending;
    private SessionEnd endReason = SessionEnd.STOPPED;

    private boolean everHeard;
    private long lastHeardNs;
    private long heardAgainNs;
    private long lastChunkNs;
    private long lastBootMs;

    /**
     * A conversation that has not begun.
     *
     * @param sessionNumbers gives each log a number of its own within the feed
     */
    public Px4LogSession(
            Px4SessionSettings settings,
            FeedPublisher publisher,
            IntSupplier sessionNumbers,
            Px4Outbox outbox,
            Px4Counters counters) {
        this.settings = settings;
        this.outbox = outbox;
        this.counters = counters;
        this.stream = new LogStream(settings, publisher, sessionNumbers, outbox, counters);
    }

    /** How long a log outlives the vehicle's silence when {@code silenceNs} is {@link Px4SessionSettings#silenceNs}. */
    public static long longestOutageNs(long silenceNs) {
        return Math.max(OUTAGE_NS, silenceNs);
    }

    public State state() {
        return state;
    }

    /** What the user should know about the state; empty when all is well. */
    public String detail() {
        return detail;
    }

    /** Whether nothing is under way: no log open, no STOP unanswered. */
    public boolean isAtRest() {
        return state == State.IDLE && !stream.isOpen();
    }

    /** Whether the vehicle's last answer was that it will not stream its log on this link; no longer so once START rests. */
    public boolean isRefused() {
        return refused;
    }

    /** Whether nobody waits for an answer of ours now. Hot path. */
    public boolean mayWait(long nowNs) {
        boolean patient = state == State.RECORDING || state == State.ASKING || state == State.IDLE;
        return patient && !stream.isAcknowledging(nowNs, ACK_PROMPT_NS);
    }

    /** Whether the log is wanted now. */
    public void want(boolean isWanted) {
        wanted = isWanted && !shutDown;
    }

    /** The recorder is going to end: stops what we asked for, and lets go of what others asked for. */
    public void shutDown(long nowNs) {
        shutDown = true;
        wanted = false;
        if (state == State.RECORDING && !asked) {
            endLog(SessionEnd.RECORDER_STOPS, State.IDLE, nowNs);
        } else if (state == State.RECORDING || state == State.AWAITING || stream.isOpen()) {
            beginStop(State.STOPPING, nowNs);
        } else if (state == State.ASKING) {
            state = State.IDLE;
        }
    }

    /** Any frame of the vehicle. Hot path. */
    public void onHeard(long nowNs) {
        if (!isHeard(nowNs)) {
            heardAgainNs = nowNs;
        }
        everHeard = true;
        lastHeardNs = nowNs;
    }

    /** The vehicle's time since boot, as SYSTEM_TIME tells it; a step back is a reboot. */
    public void onBootTime(long bootMs, long nowNs) {
        boolean rebooted = bootMs + REBOOT_STEP_MS < lastBootMs;
        lastBootMs = bootMs;
        if (!rebooted) {
            return;
        }
        rejections = 0;
        failures = 0;
        if (stream.isOpen()) {
            endLog(SessionEnd.REBOOT, State.IDLE, nowNs);
        }
        if (state != State.STOPPING) {
            state = State.IDLE;
        }
    }

    /** LOGGING_DATA or LOGGING_DATA_ACKED. Hot path. */
    public void onChunk(LogChunk chunk, int linkMissing, long nowNs) {
        if (!chunk.isValid()) {
            counters.invalid.increment();
            return;
        }
        lastChunkNs = nowNs;
        if (chunk.isLogBegin() && !stream.isOwnBegin(chunk) && !beginLog(chunk, nowNs)) {
            return; // the ring is full; without an ack the vehicle repeats its first chunk
        }
        if (!stream.isOpen() || ending) {
            onStray(chunk, nowNs);
            return;
        }
        if (stream.take(chunk, linkMissing, nowNs) != LogStream.Verdict.STALE) {
            staleRun = 0;
            if (state == State.ASKING) {
                state = State.RECORDING; // the log was not over, only silent
                detail = "";
            }
        } else if (++staleRun >= STALE_TO_RESTART) {
            endLog(SessionEnd.SEQUENCE_RESTART, State.IDLE, nowNs);
        }
    }

    private boolean beginLog(LogChunk first, long nowNs) {
        if (stream.isOpen() && !ending) {
            endLog(SessionEnd.NEW_SESSION, State.IDLE, nowNs);
        }
        if (!completeEnd(nowNs) || !stream.begin(first, nowNs)) {
            return false;
        }
        asked = wanted;
        // A boot time from before this log says nothing about the boot that this log belongs to.
        lastBootMs = 0;
        state = State.RECORDING;
        detail = "";
        starts = 0;
        failures = 0;
        rejections = 0;
        strays = 0;
        staleRun = 0;
        return true;
    }

    /** A chunk of a log whose beginning is not here: nobody could read it. */
    private void onStray(LogChunk chunk, long nowNs) {
        counters.strays.increment();
        if (state == State.CLEARING) {
            if (chunk.isAcked()) {
                // The vehicle gets through with the old log only when somebody acknowledges it.
                outbox.sendAck(chunk.sequence());
                counters.acks.increment();
            }
            return;
        }
        strays++;
        if (strays >= STRAYS_TO_CLEAR && isOurs(chunk) && state != State.STOPPING) {
            detail = "the vehicle still streams a log that an earlier run asked for";
            beginStop(State.CLEARING, nowNs);
        }
    }

    private boolean isOurs(LogChunk chunk) {
        return chunk.targetSystem() == settings.systemId() && chunk.targetComponent() == settings.ownComponentId();
    }

    /** COMMAND_ACK for us. */
    public void onCommandAck(int command, int result, long nowNs) {
        if (command == MavCommand.LOGGING_START && state == State.ASKING) {
            onStartAnswer(result, nowNs);
        } else if (command == MavCommand.LOGGING_STOP && (state == State.STOPPING || state == State.CLEARING)) {
            onStopAnswer(result, nowNs);
        }
    }

    private void onStartAnswer(int result, long nowNs) {
        switch (result) {
            case MavResult.ACCEPTED -> {
                endLog(SessionEnd.STREAM_SILENT, State.AWAITING, nowNs);
                nextActionNs = nowNs + BEGIN_WAIT_NS;
            }
            case MavResult.IN_PROGRESS -> {}
            case MavResult.TEMPORARILY_REJECTED -> {
                rejections++;
                detail = "START rejected: somebody else has the log stream, or SDLOG_BACKEND lacks bit 1 (MAVLink)";
                if (rejections >= REJECTIONS_TO_CLEAR) {
                    rejections = 0;
                    beginStop(stream.isOpen() ? State.STOPPING : State.CLEARING, nowNs);
                }
            }
            case MavResult.DENIED ->
                refuse(
                        "START denied: the vehicle sends too slowly on this link (below 5000 B/s); raise MAV_x_RATE or the"
                                + " baud rate",
                        nowNs);
            case MavResult.UNSUPPORTED -> refuse("START refused: the vehicle cannot stream its log", nowNs);
            default -> refuse("START failed with MAV_RESULT " + result, nowNs);
        }
    }

    private void refuse(String reason, long nowNs) {
        detail = reason;
        refused = true;
        failures++;
        nextActionNs = nowNs + Math.min(REFUSED_BACK_OFF_NS * failures, MAX_BACK_OFF_NS);
    }

    private void onStopAnswer(int result, long nowNs) {
        if (result != MavResult.IN_PROGRESS && !stopConfirmed) {
            stopConfirmed = true;
            stopConfirmedNs = nowNs;
        }
    }

    /** Does what is due. */
    public void onTick(long nowNs) {
        if (!completeEnd(nowNs)) {
            return;
        }
        switch (state) {
            case IDLE -> {
                if (wanted && isHeard(nowNs)) {
                    state = State.ASKING;
                    starts = 0;
                    ask(nowNs);
                }
            }
            case ASKING -> tickAsking(nowNs);
            case AWAITING -> tickAwaiting(nowNs);
            case RECORDING -> tickRecording(nowNs);
            case STOPPING -> tickStopping(nowNs);
            case CLEARING -> tickClearing(nowNs);
        }
    }

    private void tickAsking(long nowNs) {
        if (stream.isOpen() && (!wanted || !isHeard(nowNs))) {
            state = State.RECORDING;
        } else if (!wanted || !isHeard(nowNs)) {
            state = State.IDLE;
            refused = false;
            detail = ""; // nothing is asked for, so nothing is refused
        } else if (nowNs - nextActionNs >= 0) {
            if (starts >= STARTS_TO_END && rejections == 0) {
                endLog(SessionEnd.STREAM_SILENT, State.ASKING, nowNs);
            }
            ask(nowNs);
        }
    }

    private void ask(long nowNs) {
        starts++;
        nextActionNs = nowNs + (starts < PROMPT_STARTS ? START_RETRY_NS : PATIENT_START_RETRY_NS);
        if (starts > PROMPT_STARTS && detail.isEmpty()) {
            detail = "START is not answered: is the vehicle's logger running?";
        }
        refused = false;
        counters.starts.increment();
        outbox.sendStart();
    }

    private void tickAwaiting(long nowNs) {
        if (!wanted) {
            beginStop(State.STOPPING, nowNs);
        } else if (nowNs - nextActionNs >= 0) {
            detail = "START accepted but no log data comes: is the link's rate too low, or does a router or the vehicle"
                    + " cut signed frames (267 of 280 bytes)?";
            beginStop(State.CLEARING, nowNs);
        }
    }

    private void tickRecording(long nowNs) {
        if (!wanted && asked) {
            beginStop(State.STOPPING, nowNs);
        } else if (isHeard(nowNs)) {
            long sinceNs = nowNs - (lastChunkNs - heardAgainNs > 0 ? lastChunkNs : heardAgainNs);
            if (sinceNs >= settings.silenceNs()) {
                onStreamSilent(nowNs);
            }
        } else if (nowNs - lastChunkNs >= longestOutageNs(settings.silenceNs())) {
            endLog(SessionEnd.VEHICLE_SILENT, State.IDLE, nowNs);
        }
    }

    /** START tells whether the log is over: then it is accepted, and else what is left of the old one can be had by STOP. */
    private void onStreamSilent(long nowNs) {
        if (wanted) {
            state = State.ASKING;
            starts = 0;
            rejections = 0;
            ask(nowNs);
        } else {
            endLog(SessionEnd.STREAM_SILENT, State.IDLE, nowNs);
        }
    }

    private void beginStop(State stopping, long nowNs) {
        state = stopping;
        stops = 0;
        stopConfirmed = false;
        strays = 0;
        sendStop(nowNs);
    }

    private void sendStop(long nowNs) {
        // While data still comes the vehicle is busy with it, and no attempt was in vain.
        if (stops == 0 || lastChunkNs - lastStopNs <= 0) {
            stops++;
        }
        lastStopNs = nowNs;
        nextActionNs = nowNs + STOP_RETRY_NS;
        counters.stops.increment();
        outbox.sendStop();
    }

    private void tickStopping(long nowNs) {
        if (stopConfirmed && isQuiet(nowNs, LINGER_NS)) {
            endLog(SessionEnd.STOPPED, State.IDLE, nowNs);
        } else if (!stopConfirmed && nowNs - nextActionNs >= 0) {
            if (stops >= STOP_ATTEMPTS) {
                endLog(SessionEnd.STOP_UNCONFIRMED, State.IDLE, nowNs);
            } else {
                sendStop(nowNs);
            }
        }
    }

    private void tickClearing(long nowNs) {
        boolean givenUp = !stopConfirmed && stops >= STOP_ATTEMPTS && nowNs - nextActionNs >= 0;
        if (givenUp || (stopConfirmed && isQuiet(nowNs, CLEAR_QUIET_NS))) {
            state = wanted ? State.ASKING : State.IDLE;
            starts = 0;
            // The first way back is at once; when it leads here again it gets longer, until a log begins.
            nextActionNs = nowNs + Math.min(failures * 2L * SECOND_NS, MAX_BACK_OFF_NS);
            failures++;
        } else if (!stopConfirmed && nowNs - nextActionNs >= 0) {
            sendStop(nowNs);
        }
    }

    private boolean isQuiet(long nowNs, long quietNs) {
        return nowNs - stopConfirmedNs >= quietNs && nowNs - lastChunkNs >= quietNs;
    }

    private boolean isHeard(long nowNs) {
        return everHeard && nowNs - lastHeardNs < HEARD_NS;
    }

    private void endLog(SessionEnd reason, State next, long nowNs) {
        state = next;
        staleRun = 0;
        if (stream.isOpen()) {
            ending = true;
            endReason = reason;
            completeEnd(nowNs);
        }
    }

    /** Publishes an end that is due; false while the ring has no room for it. */
    private boolean completeEnd(long nowNs) {
        if (ending && stream.end(endReason, nowNs)) {
            ending = false;
        }
        return !ending;
    }
}
