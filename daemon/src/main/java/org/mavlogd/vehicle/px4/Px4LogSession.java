package org.mavlogd.vehicle.px4;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.conversation.NewLogs;
import org.mavlogd.vehicle.conversation.OpenLog;
import org.mavlogd.vehicle.conversation.VehicleHearing;

/**
 * The conversation with one PX4 about its log: asks for the log when it is wanted, takes its chunks, stops it, and
 * recovers from every state in which another program may have left the vehicle.
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
 * <p>A log that starts is recorded in every state, also if mavlogd did not ask for it. A log that another receiver
 * asked for is recorded without acks, and not stopped. Time is an argument. Owned by the link's thread;
 * {@link #onChunk} is on the hot path.
 */
public final class Px4LogSession implements LogConversation {
    // Chunks that the link reordered still arrive after the vehicle confirmed STOP.
    private static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(50);
    // Time between an old stream and the next START, so that none of its chunks falls into the new one.
    private static final long CLEAR_QUIET_NS = TimeUnit.MILLISECONDS.toNanos(300);
    // After an ack the vehicle probably waits for the next one.
    private static final long ACK_PROMPT_NS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final int STALE_TO_RESTART = 3;

    private final Settings settings;
    private final Px4Outbox outbox;
    private final Px4Counters counters;
    private final OpenLog log;
    private final LogStream stream;
    private final StartExchange start;
    private final StopExchange stop;
    private final VehicleHearing hearing = new VehicleHearing();
    private final StreamResumption resumption;

    private State state = State.IDLE;
    private boolean wanted;
    private boolean shutDown;
    private boolean answered;
    private boolean asked;
    private boolean resumed;
    private int staleRun;
    private long lastChunkNs;

    /**
     * A conversation in state IDLE.
     *
     * @param newLogs all logs that begin on the link
     * @param resumable logs of an earlier run that may continue
     */
    public Px4LogSession(
            Settings settings,
            FeedPublisher publisher,
            NewLogs newLogs,
            Px4Outbox outbox,
            Px4Counters counters,
            LogConversation.ResumableLogs resumable) {
        this.settings = settings;
        this.outbox = outbox;
        this.counters = counters;
        this.log = new OpenLog(publisher, newLogs, settings.systemId(), counters.excessSessions);
        this.stream = new LogStream(settings, publisher, log, outbox, counters);
        this.start = new StartExchange(outbox, counters);
        this.stop = new StopExchange(outbox, counters);
        this.resumption = new StreamResumption(resumable, settings, stream);
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public String detail() {
        return start.detail();
    }

    @Override
    public boolean isLogOpen() {
        return log.isOpen();
    }

    /** Whether the vehicle refuses to stream its log here, or it does not get through; false once START rests. */
    @Override
    public boolean isRefused() {
        return start.isRefused();
    }

    /** Whether the vehicle ever answered a command or sent log data, and so is known to be real. */
    @Override
    public boolean isAnswered() {
        return answered;
    }

    /** A stream is watched for seconds of silence only; each acknowledged chunk wakes the link by itself. */
    @Override
    public boolean isUnhurried(long nowNs) {
        return isAtRest() || (state == State.RECORDING && mayWait(nowNs));
    }

    @Override
    public boolean mayWait(long nowNs) {
        boolean patient = state == State.RECORDING || state == State.ASKING || state == State.IDLE;
        return patient && !stream.isAcknowledging(nowNs, ACK_PROMPT_NS);
    }

    @Override
    public void want(boolean isWanted) {
        wanted = isWanted && !shutDown;
        // Another link asked for it, and left the vehicle to this one.
        asked |= wanted && state == State.RECORDING && stream.isForUs();
    }

    @Override
    public void leaveAwaited() {
        if (state == State.AWAITING) {
            state = State.IDLE; // without STOP, which would end the log on the other link
        }
    }

    /** Takes the armed state from the vehicle's heartbeat. */
    public void armed(boolean isArmed) {
        start.armed(isArmed);
    }

    /** Called when the vehicle is reached at another peer. */
    public void onNewLink() {
        start.onNewLink();
    }

    /** The recorder is about to end: stops a log that it asked for, and only releases one that others asked for. */
    @Override
    public void shutDown(long nowNs) {
        shutDown = true;
        wanted = false;
        if (state == State.RECORDING && !asked) {
            endLog(SessionEnd.RECORDER_STOPS, State.IDLE, nowNs);
        } else if (state == State.RECORDING || state == State.AWAITING || log.isOpen()) {
            beginStop(State.STOPPING, nowNs);
        } else if (state == State.ASKING) {
            state = State.IDLE;
        }
    }

    @Override
    public void onHeard(long nowNs) {
        hearing.onHeard(nowNs);
    }

    @Override
    public void onBootTime(long bootMs, long nowNs) {
        if (!hearing.isReboot(bootMs, nowNs)) {
            return;
        }
        start.reboot();
        if (log.isOpen()) {
            endLog(SessionEnd.REBOOT, State.IDLE, nowNs);
        } else if (state != State.STOPPING) {
            state = State.IDLE;
        }
    }

    /** LOGGING_DATA or LOGGING_DATA_ACKED. Hot path. */
    public void onChunk(LogChunk chunk, long frames, long nowNs) {
        if (!chunk.isValid()) {
            counters.invalid.increment();
            return;
        }
        lastChunkNs = nowNs;
        answered = true;
        boolean isForUs = chunk.isFor(settings);
        if (!isForUs) {
            counters.foreign.increment();
        }
        if (chunk.isLogBegin() && !stream.isOwnBegin(chunk) && !beginLog(chunk, nowNs)) {
            return; // no room now; without an ack the vehicle repeats its first chunk
        }
        if (!log.isTaking()) {
            onStray(chunk, frames, nowNs);
            return;
        }
        // A vehicle has one stream: a chunk with another receiver than the open log's belongs to another log.
        boolean isOfLog = isForUs == stream.isForUs();
        if (isOfLog && stream.take(chunk, frames, nowNs) != LogStream.Verdict.STALE) {
            onTaken(chunk);
        } else if (++staleRun >= STALE_TO_RESTART) {
            endLog(SessionEnd.SEQUENCE_RESTART, State.IDLE, nowNs);
        }
    }

    private void onTaken(LogChunk chunk) {
        staleRun = 0;
        if (!chunk.isAcked()) {
            start.onFlow(); // the vehicle sends it only after the definitions were acknowledged
        }
        if (state == State.ASKING) {
            state = State.RECORDING; // the log was not over, only silent
            start.rest();
        }
    }

    private boolean beginLog(LogChunk first, long nowNs) {
        if (!log.mayBegin(first.isAcked() && first.isFor(settings), nowNs)) {
            return false; // the log that is open continues
        }
        if (log.isTaking()) {
            endLog(SessionEnd.NEW_SESSION, State.IDLE, nowNs);
        }
        if (!log.completeEnd(nowNs) || !stream.begin(first, nowNs)) {
            return false;
        }
        asked = wanted && stream.isForUs();
        resumption.drop();
        // Boot times from before this log say nothing about the boot that it belongs to.
        hearing.forgetBootTime();
        start.forget();
        if (!stream.isForUs()) {
            start.explain(
                    "another ground station has the log stream: it is recorded too, but data that mavlogd misses is not repeated");
        }
        state = State.RECORDING;
        resumption.forgetStrays();
        staleRun = 0;
        return true;
    }

    /** Takes a chunk of a log whose start is missing, and which nobody could read. */
    private void onStray(LogChunk chunk, long frames, long nowNs) {
        counters.strays.increment();
        if (state == State.CLEARING) {
            if (chunk.isAcked() && chunk.isFor(settings)) {
                // The vehicle continues after the old log only if its chunks are acknowledged.
                outbox.sendAck(chunk.sequence());
                counters.acks.increment();
            }
            return;
        }
        boolean mayResume = !log.isOpen() && (state == State.IDLE || state == State.ASKING);
        StreamResumption.Verdict verdict = resumption.judge(chunk, frames, wanted, mayResume, nowNs);
        if (verdict == StreamResumption.Verdict.RESUMED) {
            onResumed();
        } else if (verdict == StreamResumption.Verdict.START_MISSING && state != State.STOPPING) {
            start.explain("the vehicle still streams a log that an earlier run asked for" + resumption.reason());
            beginStop(State.CLEARING, nowNs);
        }
    }

    private void onResumed() {
        state = State.RECORDING;
        resumed = true;
        asked = true; // by an earlier run: the chunks are addressed to mavlogd
        resumption.forgetStrays();
        staleRun = 0;
        start.forget();
    }

    /** Whether a log of an earlier run continued here since the last call. */
    public boolean pollResumed() {
        boolean result = resumed;
        resumed = false;
        return result;
    }

    /** Takes a COMMAND_ACK that is addressed to mavlogd. */
    public void onCommandAck(int command, int result, long nowNs) {
        answered = true;
        if (command == CommandLong.LOGGING_START && state == State.ASKING) {
            onStartAnswer(result, nowNs);
        } else if (command == CommandLong.LOGGING_STOP && (state == State.STOPPING || state == State.CLEARING)) {
            stop.onAnswer(result, nowNs);
        }
    }

    private void onStartAnswer(int result, long nowNs) {
        switch (start.onAnswer(result, nowNs)) {
            case ACCEPTED -> {
                resumption.drop();
                endLog(SessionEnd.STREAM_SILENT, State.AWAITING, nowNs);
            }
            case TAKEN -> beginStop(log.isOpen() ? State.STOPPING : State.CLEARING, nowNs);
            case GO_ON -> {}
        }
    }

    @Override
    public void onTick(long nowNs) {
        if (!log.completeEnd(nowNs)) {
            return;
        }
        resumption.tick();
        switch (state) {
            case IDLE -> {
                if (wanted && hearing.isHeard(nowNs) && !resumption.delaysStart(hearing.heardAgainNs(), nowNs)) {
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

    private void ask(long nowNs) {
        state = State.ASKING;
        start.begin(nowNs);
    }

    private void tickAsking(long nowNs) {
        if (!wanted || !hearing.isHeard(nowNs)) {
            // An open log continues although nobody asks for it any more.
            state = log.isOpen() ? State.RECORDING : State.IDLE;
            start.rest();
        } else if (start.isDue(nowNs)) {
            if (start.isUnanswered()) {
                endLog(SessionEnd.STREAM_SILENT, State.ASKING, nowNs);
            }
            start.send(nowNs);
        }
    }

    private void tickAwaiting(long nowNs) {
        if (!wanted) {
            beginStop(State.STOPPING, nowNs);
        } else if (start.isBeginLate(nowNs)) {
            start.explainLateBegin();
            beginStop(State.CLEARING, nowNs);
        }
    }

    private void tickRecording(long nowNs) {
        if (!wanted && asked) {
            beginStop(State.STOPPING, nowNs);
        } else if (!hearing.isHeard(nowNs)) {
            if (nowNs - lastChunkNs >= VehicleHearing.longestOutageNs(settings.silenceNs())) {
                endLog(SessionEnd.VEHICLE_SILENT, State.IDLE, nowNs);
            }
        } else if (nowNs - lastChunkNs >= settings.silenceNs()
                && nowNs - hearing.heardAgainNs() >= settings.silenceNs()) {
            onStreamSilent(nowNs);
        }
    }

    /**
     * Asks with START whether the log is over. If it is, START is accepted; else STOP yields the rest of the old log.
     */
    private void onStreamSilent(long nowNs) {
        if (wanted && !start.isPaused(nowNs)) {
            ask(nowNs);
        } else {
            endLog(SessionEnd.STREAM_SILENT, State.IDLE, nowNs);
        }
    }

    private void beginStop(State stopping, long nowNs) {
        state = stopping;
        resumption.forgetStrays();
        resumption.drop();
        stop.begin(nowNs);
    }

    private void tickStopping(long nowNs) {
        stop.tick(lastChunkNs, nowNs);
        if (stop.isQuiet(lastChunkNs, LINGER_NS, nowNs)) {
            endLog(SessionEnd.STOPPED, State.IDLE, nowNs);
        } else if (stop.isInVain(lastChunkNs, nowNs)) {
            endLog(SessionEnd.STOP_UNCONFIRMED, State.IDLE, nowNs);
        }
    }

    private void tickClearing(long nowNs) {
        stop.tick(lastChunkNs, nowNs);
        if (stop.isQuiet(lastChunkNs, CLEAR_QUIET_NS, nowNs) || stop.isInVain(lastChunkNs, nowNs)) {
            state = wanted ? State.ASKING : State.IDLE;
            start.beginLater(nowNs);
            if (!wanted) {
                start.rest();
            }
        }
    }

    private void endLog(SessionEnd reason, State next, long nowNs) {
        state = next;
        staleRun = 0;
        log.end(reason, stream.ringDropped(), nowNs);
    }
}
