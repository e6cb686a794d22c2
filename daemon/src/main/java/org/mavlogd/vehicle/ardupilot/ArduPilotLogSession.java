package org.mavlogd.vehicle.ardupilot;

import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.conversation.NewLogs;
import org.mavlogd.vehicle.conversation.OpenLog;
import org.mavlogd.vehicle.conversation.VehicleHearing;

/**
 * The conversation with one ArduPilot about its log: asks for the log until it comes, acknowledges each block, asks for
 * missing ones, and recovers from every state in which an earlier run may have left the vehicle.
 *
 * <pre>
 *         wanted          block 0               silence of 2 s
 *   IDLE ---------> ASKING -------> RECORDING -----------------> ASKING, the log still open
 *                    |   ^              |                           |
 *      a stream whose|   | quiet        | drive over, or end        | block 0 of other content: a new log
 *  beginning is not  v   |              v                           | more of the same: RECORDING
 *               CLEARING            STOPPING ---> ASKING or IDLE    | the vehicle is gone: the log is over
 * </pre>
 *
 * <p>A vehicle that is set to log over MAVLink refuses to arm without a stream. So mavlogd asks for the stream as soon
 * as it hears the vehicle, armed or not, and stops it only while the vehicle is disarmed. A vehicle that has nothing to
 * log sends nothing and keeps its stream, so a log stays open as long as the vehicle is heard. Blocks addressed to
 * another receiver are ignored: if mavlogd acknowledged them, that receiver could not get them any more. Time is an
 * argument. Owned by the link's thread; {@link #onBlock} is on the hot path.
 */
public final class ArduPilotLogSession implements LogConversation {
    private final Settings settings;
    private final ArduPilotCounters counters;
    private final OpenLog log;
    private final BlockStream stream;
    private final StartRequest start;
    private final StopRequest stop;
    private final VehicleHearing hearing = new VehicleHearing();
    private final BlockResumption resumption;
    private final BlockJudge judge;
    private final Departure departure;

    private State state = State.IDLE;
    private State afterStop = State.IDLE;
    private boolean wanted;
    private boolean armed;
    private boolean answered;
    private boolean began;
    private long lastBlockNs;

    /**
     * A conversation in state IDLE.
     *
     * @param newLogs all logs that begin on the link
     * @param resumable logs of an earlier run that may continue
     */
    public ArduPilotLogSession(
            Settings settings,
            FeedPublisher publisher,
            NewLogs newLogs,
            ArduPilotOutbox outbox,
            ArduPilotCounters counters,
            LogConversation.ResumableLogs resumable) {
        this.settings = settings;
        this.counters = counters;
        this.log = new OpenLog(publisher, newLogs, settings.systemId(), counters.excessSessions);
        this.stream = new BlockStream(settings.systemId(), publisher, log, outbox, counters);
        this.stop = new StopRequest(outbox, counters);
        this.resumption = new BlockResumption(resumable, settings.systemId());
        this.start = new StartRequest(resumption, stop, outbox, counters);
        this.judge = new BlockJudge(stream, resumption, hearing, counters);
        this.departure = new Departure(stream);
    }

    @Override
    public State state() {
        return state;
    }

    /** Tells the user that the vehicle does not arm without its stream. */
    @Override
    public String stateText() {
        return switch (state) {
            case ASKING -> "keeps the vehicle ready to arm: waits for its log";
            case RECORDING -> "recording, and keeps the vehicle ready to arm";
            case STOPPING -> "stopping: the vehicle will not arm until its log is asked for again";
            case IDLE, AWAITING, CLEARING -> LogConversation.super.stateText();
        };
    }

    @Override
    public String detail() {
        return start.trouble();
    }

    @Override
    public boolean isLogOpen() {
        return log.isOpen();
    }

    @Override
    public boolean isAnswered() {
        return answered;
    }

    @Override
    public void want(boolean isWanted) {
        wanted = isWanted && !departure.isDecided();
    }

    /** Takes the armed state from the vehicle's heartbeat. */
    public void armed(boolean isArmed) {
        armed = isArmed;
    }

    @Override
    public void onHeard(long nowNs) {
        hearing.onHeard(nowNs);
    }

    /** Whether a log began, or one of an earlier run continued, since the last call: the stream runs on this link. */
    public boolean pollBegan() {
        boolean result = began;
        began = false;
        return result;
    }

    /** Ends the log with the drive. The stream begins again at once, so that the vehicle can be armed again. */
    public void endDrive(long nowNs) {
        if (log.isOpen() && !armed && !departure.isDecided() && (state == State.RECORDING || state == State.ASKING)) {
            beginStop(State.STOPPING, State.ASKING, nowNs);
        }
    }

    /**
     * Leaves a running stream if the vehicle notices that: the stream lives for 10 s without a recorder, in which the
     * vehicle can be armed and the next run continues it; then the vehicle gives it up. A stream that is idle, or never
     * sent a block, would live for ever, and the vehicle would arm without a recorder: it is stopped, unless the
     * vehicle is armed.
     */
    @Override
    public void shutDown(long nowNs) {
        departure.decide();
        wanted = false;
        boolean isLeft = armed || (settings.noticesLeaving() && !judge.isSilent(nowNs));
        if (!log.isOpen() && (armed || state != State.ASKING)) {
            state = State.IDLE;
        } else if (state == State.STOPPING) {
            afterStop = State.IDLE;
        } else if (isLeft) {
            departure.begin(nowNs);
            leave(nowNs);
        } else {
            beginStop(State.STOPPING, State.IDLE, nowNs);
        }
    }

    private void leave(long nowNs) {
        if (departure.isDue(nowNs)) {
            endLog(SessionEnd.LEFT, State.IDLE, nowNs);
        }
    }

    @Override
    public void onBootTime(long bootMs, long nowNs) {
        if (hearing.isReboot(bootMs, nowNs)) {
            start.rest();
            judge.forget();
            departure.cancel();
            start.noStreamLeft();
            if (log.isOpen()) {
                endLog(SessionEnd.REBOOT, State.IDLE, nowNs);
            } else {
                state = State.IDLE;
            }
        }
    }

    /** Takes a REMOTE_LOG_DATA_BLOCK. Hot path. */
    public void onBlock(LogBlock block, long nowNs) {
        if (!block.isFor(settings.systemId(), settings.ownComponentId())) {
            onForeign(nowNs);
            return;
        }
        long before = lastBlockNs;
        lastBlockNs = nowNs;
        boolean isAmongOthers = answered && nowNs - before < BlockJudge.OVERTAKEN_NS;
        answered = true;
        if (isOfNoUse()) {
            counters.strays.increment();
            return;
        }
        BlockJudge.Verdict verdict =
                log.isOpen() ? judge.ofOpenLog(block, isNewExpected(nowNs), nowNs) : judge.ofNoLog(block, nowNs);
        switch (verdict) {
            case TAKEN -> onTaken();
            case BEGIN -> beginLog(block, isAmongOthers, nowNs);
            case RESUMED -> onBegan();
            case START_MISSING -> onStartMissing(nowNs);
            case LEFT -> {}
        }
    }

    /**
     * Whether blocks are ignored: the stream is being stopped or left, or the ring has no room yet for the end of its
     * log.
     */
    private boolean isOfNoUse() {
        boolean isEnded = !log.isTaking() && (state == State.STOPPING || log.isOpen() || departure.isDecided());
        return state == State.CLEARING || isEnded;
    }

    /** Whether a new log may begin: the open one is silent, or the vehicle was told to begin another. */
    private boolean isNewExpected(long nowNs) {
        boolean isRenewed = state == State.STOPPING && afterStop == State.ASKING && stop.isSent();
        return state == State.ASKING || isRenewed || judge.isSilent(nowNs);
    }

    private void onForeign(long nowNs) {
        counters.strays.increment();
        start.noStreamLeft();
        if (state == State.ASKING && log.isOpen() && judge.isGivenUp(nowNs)) {
            endLog(SessionEnd.STREAM_SILENT, State.ASKING, nowNs);
        }
        if (state == State.ASKING && !log.isOpen()) {
            start.explain(
                    "another program has the log stream; mavlogd takes it over when that stops or is gone for 10 s");
        }
    }

    private void onTaken() {
        if (state == State.ASKING) {
            state = State.RECORDING; // the log was not over, only silent
            start.rest();
        }
    }

    private void beginLog(LogBlock first, boolean isAmongOthers, long nowNs) {
        if (departure.isDecided() || !log.mayBegin(true, nowNs)) {
            return; // the log that is open continues
        }
        if (log.isTaking()) {
            endLog(state == State.STOPPING ? SessionEnd.STOPPED : SessionEnd.NEW_SESSION, State.IDLE, nowNs);
        }
        // If the ring is full, the vehicle repeats its first block.
        if (log.completeEnd(nowNs) && stream.begin(nowNs)) {
            resumption.drop();
            // Boot times from before this log say nothing about the boot that it belongs to.
            hearing.forgetBootTime();
            judge.begin(first, isAmongOthers, nowNs);
            onBegan();
        }
    }

    private void onBegan() {
        state = State.RECORDING;
        began = true;
        start.noStreamLeft();
        start.rest();
    }

    private void onStartMissing(long nowNs) {
        if (log.isOpen()) {
            endLog(SessionEnd.SEQUENCE_RESTART, State.IDLE, nowNs);
            clear(nowNs);
        } else if (!departure.isDecided()) {
            clear(nowNs);
        }
    }

    /** Stops a stream whose start is missing, because nobody can read its log. */
    private void clear(long nowNs) {
        start.explain("the vehicle still streams a log that an earlier run asked for");
        resumption.drop();
        start.noStreamLeft();
        beginStop(State.CLEARING, State.ASKING, nowNs);
    }

    private void beginStop(State stopping, State next, long nowNs) {
        state = stopping;
        afterStop = next;
        judge.forget();
        stop.begin(nowNs);
    }

    @Override
    public void onTick(long nowNs) {
        if (!log.completeEnd(nowNs)) {
            return;
        }
        resumption.tick();
        if (departure.isUnderWay()) {
            leave(nowNs);
            return;
        }
        switch (state) {
            case IDLE -> {
                if (wanted && hearing.isHeard(nowNs)) {
                    ask(nowNs);
                }
            }
            case ASKING -> tickAsking(nowNs);
            case AWAITING -> throw new IllegalStateException("only the log itself answers START");
            case RECORDING -> tickRecording(nowNs);
            case STOPPING -> tickStopping(nowNs);
            case CLEARING -> tickClearing(nowNs);
        }
    }

    private void ask(long nowNs) {
        state = State.ASKING;
        judge.forget();
        start.ask(nowNs);
    }

    private void tickAsking(long nowNs) {
        if (!wanted) {
            start.rest();
            endLog(SessionEnd.RECORDER_STOPS, State.IDLE, nowNs);
        } else if (log.isOpen() && judge.isSilenceEnd(nowNs)) {
            endSilent(State.ASKING, nowNs);
        } else if (hearing.isHeard(nowNs)) {
            if (!log.isOpen()) {
                start.tickIdle(armed, nowNs);
            }
            start.tick(armed, nowNs);
        } else if (!log.isOpen()) {
            start.rest();
            state = State.IDLE;
        }
    }

    private void endSilent(State next, long nowNs) {
        if (stream.isSettled()) {
            start.streamLeft();
        }
        endLog(judge.silenceReason(nowNs), next, nowNs);
    }

    private void tickRecording(long nowNs) {
        stream.askForMissing(nowNs);
        if (!wanted) {
            // Another link has the vehicle: STOP would stop the stream there.
            endLog(SessionEnd.RECORDER_STOPS, State.IDLE, nowNs);
        } else if (judge.isSilenceEnd(nowNs)) {
            endSilent(State.IDLE, nowNs);
        } else if (judge.isSilent(nowNs) && hearing.isHeard(nowNs)) {
            ask(nowNs);
        }
    }

    private void tickStopping(long nowNs) {
        boolean isRenewed = afterStop == State.ASKING;
        if (isRenewed && armed && !stop.isSent()) {
            state = State.RECORDING; // the next drive is in the same log
            return;
        }
        stream.askForMissing(nowNs);
        boolean isTold = stop.tick(stream.isComplete(), lastBlockNs, nowNs);
        if (departure.isDecided()) {
            stop.insist(nowNs);
        }
        if (isTold && isRenewed && judge.isLongLog()) {
            start.begin(nowNs); // so that the vehicle can be armed again at once
        }
        if (stop.isQuiet(lastBlockNs, nowNs)) {
            stopped(SessionEnd.STOPPED, nowNs);
        } else if (stop.isInVain(nowNs)) {
            stopped(SessionEnd.STOP_UNCONFIRMED, nowNs);
        }
    }

    private void stopped(SessionEnd reason, long nowNs) {
        endLog(reason, State.IDLE, nowNs);
        if (afterStop == State.ASKING) {
            ask(nowNs);
        }
    }

    private void tickClearing(long nowNs) {
        stop.tick(true, lastBlockNs, nowNs);
        if (stop.isQuiet(lastBlockNs, nowNs)) {
            state = State.IDLE;
            start.rest();
            if (wanted) {
                ask(nowNs);
            }
        }
    }

    private void endLog(SessionEnd reason, State next, long nowNs) {
        state = next;
        judge.forget();
        if (log.isTaking()) {
            log.end(reason, 0, nowNs);
        }
    }
}
