package org.mavlogd.vehicle.ardupilot;

import java.util.function.IntSupplier;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.conversation.OpenLog;
import org.mavlogd.vehicle.conversation.VehicleHearing;

/**
 * The conversation with one ArduPilot: asks for the log until it comes, acknowledges each block, asks for missing ones, and
 * finds a way out of every state in which an earlier run may have left the vehicle.
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
 * <p>While its log goes by MAVLink a vehicle refuses to arm without a stream. So the stream is asked for as soon as the
 * vehicle is heard, armed or not, and stopped only while it is disarmed. A vehicle that has nothing to log sends nothing and
 * keeps its stream: so a log stays open for as long as the vehicle is heard. Blocks addressed to another receiver are
 * ignored: an ack of mavlogd would take them from it. Time is an argument. Owned by the link's thread; {@link #onBlock} is on the
 * hot path.
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
     * A conversation that has not begun.
     *
     * @param sessionNumbers gives each log a number of its own within the feed
     * @param resumable logs of an earlier run that may continue
     */
    public ArduPilotLogSession(
            Settings settings,
            FeedPublisher publisher,
            IntSupplier sessionNumbers,
            ArduPilotOutbox outbox,
            ArduPilotCounters counters,
            LogConversation.ResumableLogs resumable) {
        this.settings = settings;
        this.counters = counters;
        this.log = new OpenLog(publisher, sessionNumbers, counters.excessSessions);
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

    /** Without its stream a vehicle does not arm: people should know. */
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
    public boolean isAtRest() {
        return state == State.IDLE && !log.isOpen();
    }

    @Override
    public boolean isAnswered() {
        return answered;
    }

    @Override
    public void want(boolean isWanted) {
        wanted = isWanted && !departure.isDecided();
    }

    /** What the vehicle's heartbeat says. */
    public void armed(boolean isArmed) {
        armed = isArmed;
    }

    @Override
    public void onHeard(long nowNs) {
        hearing.onHeard(nowNs);
    }

    /** Whether a log began, or one of an earlier run continued, since the last call: the stream comes to this link. */
    public boolean pollBegan() {
        boolean result = began;
        began = false;
        return result;
    }

    /**
     * A drive is over, and its log is to end with it: the stream begins again at once, so that the vehicle can be armed
     * again.
     */
    public void endDrive(long nowNs) {
        if (log.isOpen() && !armed && !departure.isDecided() && (state == State.RECORDING || state == State.ASKING)) {
            beginStop(State.STOPPING, State.ASKING, nowNs);
        }
    }

    /**
     * Leaves a stream that runs, where the vehicle notices it: it lives for 10 s without us, in which the vehicle can be armed
     * and the next run continues with it; then the vehicle gives up by itself. One that is idle, or that never sent a block, would
     * live for ever, and the vehicle would arm without a recorder: it is stopped, unless the vehicle is armed.
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

    /** REMOTE_LOG_DATA_BLOCK. Hot path. */
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

    /** Whether the stream is being stopped or left, or there is no room yet for the end of its log. */
    private boolean isOfNoUse() {
        boolean isEnded = !log.isTaking() && (state == State.STOPPING || log.isOpen() || departure.isDecided());
        return state == State.CLEARING || isEnded;
    }

    /** Whether the open log was silent, whatever we do about it, or the vehicle was told to begin another one. */
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
        if (departure.isDecided() || !log.mayBegin(nowNs)) {
            return; // the log that is open continues
        }
        if (log.isTaking()) {
            endLog(state == State.STOPPING ? SessionEnd.STOPPED : SessionEnd.NEW_SESSION, State.IDLE, nowNs);
        }
        // Without room the vehicle repeats its first block.
        if (log.completeEnd(nowNs) && stream.begin(nowNs)) {
            resumption.drop();
            // A boot time from before this log says nothing about the boot that this log belongs to.
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

    /** Nobody can read a log without its beginning. */
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
            // Another link has the vehicle: to stop the stream would be to stop it there.
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
            log.end(reason, nowNs);
        }
    }
}
