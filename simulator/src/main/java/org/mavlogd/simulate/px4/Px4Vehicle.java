package org.mavlogd.simulate.px4;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.LoggingAck;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.StatusText;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.simulate.VehicleOutput;

/**
 * A PX4 that streams a real log: heartbeat and other telemetry, LOGGING_START and LOGGING_STOP, acked chunks by
 * stop-and-wait, one stream at a time.
 *
 * <p>A state machine without socket, thread or clock: it works when it is called, with the time given. Call {@link
 * #onTick} often enough for a smooth stream, or exactly at {@link #dueNs}. As in PX4 the logger does one thing at a
 * time, so commands wait while it waits for an acknowledgement. Owned by one thread. The output and the observer must
 * not call back. Hot path.
 */
public final class Px4Vehicle {
    private static final long HEARTBEAT_NS = 1_000_000_000;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_US = 1000;
    private static final int MIN_LINK_BYTES_PER_SECOND = 5000;
    private static final int MAX_PENDING_COMMANDS = 8;
    private static final int SEVERITY_CRITICAL = 2;
    /** The vehicle's clock when MAVLink starts after a boot. */
    private static final long BOOTED_US = 2_000_000;

    private final Px4Settings settings;
    private final LogImage log;
    private final FrameSender frames;
    private final Px4Telemetry telemetry;
    private final ChunkSender chunks;
    private final Px4Logger logger;
    private final BootClock clock;
    private final VehicleCounters counters = new VehicleCounters();
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private final byte[] payload = new byte[ChunkWriter.PAYLOAD_LENGTH];

    private boolean armed;
    private boolean rebooting;
    private boolean restartsStream;
    private long bootNs;
    private final Set<Long> startTimesUs = new HashSet<>();
    private boolean stopping;
    private Task stopper = new Task(Task.Kind.STOP, 0, 0, 0, false);
    private int targetSystem;
    private int targetComponent;
    private long nextHeartbeatNs;
    private long nextTelemetryNs;
    private long nextSystemTimeNs;

    /** Work for the next pass of the logger's loop. */
    private record Task(Kind kind, float param1, int system, int component, boolean answers) {
        private enum Kind {
            START,
            STOP,
            ARMED,
            DISARMED
        }
    }

    public Px4Vehicle(Px4Settings settings, LogImage log, VehicleOutput output, StreamObserver observer, long nowNs) {
        this.settings = settings;
        this.log = log;
        frames = new FrameSender(settings, output, counters);
        telemetry = new Px4Telemetry(frames);
        chunks = new ChunkSender(settings, frames, observer, counters, nowNs);
        clock = new BootClock(settings.clockDriftPpm(), nowNs);
        logger = new Px4Logger(settings, log, clock, chunks, observer, counters);
        boot(nowNs);
    }

    public VehicleCounters counters() {
        return counters;
    }

    /** Sends a message unrelated to the streamed log; returns the length of the frame. */
    int send(int messageId, byte[] payload, int length) {
        return frames.send(messageId, payload, 0, length);
    }

    public boolean isArmed() {
        return armed;
    }

    public boolean isStreaming() {
        return logger.isStreaming();
    }

    /** Whether the complete log has been streamed and only LOGGING_STOP brings more. */
    public boolean isAtLogEnd() {
        return logger.isAtEnd();
    }

    /** Takes a frame on the vehicle's link. */
    public void onFrame(FrameView frame, long nowNs) {
        if (rebooting) {
            return;
        }
        frames.onFrame(frame);
        switch (frame.messageId()) {
            case MessageIds.HEARTBEAT -> frames.silent(false);
            case MessageIds.COMMAND_LONG -> onCommand(CommandLong.decode(frame), frame.systemId(), frame.componentId());
            case LogChunkLayout.LOGGING_ACK ->
                onLoggingAck(LoggingAck.decode(frame).sequence(), nowNs);
            case MessageIds.TIMESYNC -> onTimesync(Timesync.decode(frame), nowNs);
            default -> {
                // Like PX4, does not answer unknown messages.
            }
        }
        work(nowNs);
    }

    /** Does everything that is due. */
    public void onTick(long nowNs) {
        if (rebooting) {
            if (nowNs - bootNs < 0) {
                return;
            }
            boot(nowNs);
        }
        if (nowNs - nextHeartbeatNs >= 0) {
            telemetry.sendHeartbeat(armed);
            nextHeartbeatNs = next(nextHeartbeatNs, HEARTBEAT_NS, nowNs);
        }
        if (settings.telemetryHz() > 0 && nowNs - nextTelemetryNs >= 0) {
            telemetry.sendAttitude(clock.us(nowNs));
            nextTelemetryNs = next(nextTelemetryNs, NS_PER_S / settings.telemetryHz(), nowNs);
        }
        if (settings.sendsSystemTime() && tellsTime() && nowNs - nextSystemTimeNs >= 0) {
            telemetry.sendSystemTime(clock.us(nowNs));
            nextSystemTimeNs = next(nextSystemTimeNs, NS_PER_S, nowNs);
        }
        chunks.run(nowNs);
        work(nowNs);
        frames.flush();
    }

    /** Time of the next work in {@link #onTick}. */
    public long dueNs(long nowNs) {
        if (rebooting) {
            return bootNs;
        }
        long due = nextHeartbeatNs;
        if (settings.telemetryHz() > 0) {
            due = earlier(due, nextTelemetryNs);
        }
        if (settings.sendsSystemTime() && tellsTime()) {
            due = earlier(due, nextSystemTimeNs);
        }
        return earlier(due, earlier(chunks.dueNs(nowNs), logger.dueNs(nowNs)));
    }

    /** Arms the vehicle, which flushes the current chunk as acked. */
    public void arm(long nowNs) {
        armed = true;
        add(new Task(Task.Kind.ARMED, 0, 0, 0, false));
        work(nowNs);
    }

    /** Disarms the vehicle, which streams post-flight data as acked. */
    public void disarm(long nowNs) {
        armed = false;
        add(new Task(Task.Kind.DISARMED, 0, 0, 0, false));
        work(nowNs);
    }

    /**
     * Handles a command on another of the vehicle's links, for example from a ground station: its COMMAND_ACK is not
     * sent here, but a stream that it starts is.
     *
     * @param command LOGGING_START or LOGGING_STOP
     */
    public void commandElsewhere(int command, int senderSystem, int senderComponent, long nowNs) {
        if (rebooting || !settings.loggerRuns()) {
            return;
        }
        Task.Kind kind = command == CommandLong.LOGGING_START ? Task.Kind.START : Task.Kind.STOP;
        add(new Task(kind, 0, senderSystem, senderComponent, false));
        work(nowNs);
    }

    /** Reboots the vehicle: it is silent, forgets its stream, and restarts its clock. */
    public void reboot(long nowNs) {
        restartsStream = settings.restartsStreamItself() && logger.isStreaming();
        logger.abort(nowNs);
        chunks.reset();
        tasks.clear();
        stopping = false;
        frames.restart();
        rebooting = true;
        bootNs = nowNs + settings.rebootNs();
        clock.setLogTime(BOOTED_US, bootNs);
    }

    private void boot(long nowNs) {
        rebooting = false;
        bootNs = nowNs;
        armed = settings.startsArmed();
        frames.silent(settings.silentUntilHeartbeat());
        nextHeartbeatNs = nowNs;
        nextTelemetryNs = nowNs;
        nextSystemTimeNs = nowNs;
        if (restartsStream) {
            restartsStream = false;
            startStream(nowNs);
        }
    }

    /** Answers everybody without a target, as PX4 does. */
    private void onTimesync(Timesync message, long nowNs) {
        if (message.isRequest() && settings.answersTimesync() && tellsTime()) {
            long shownNs = clock.us(nowNs) * NS_PER_US;
            int length = new Timesync(shownNs, message.ts1(), 0, 0).encodePayload(payload);
            frames.send(MessageIds.TIMESYNC, payload, 0, length);
        }
    }

    /**
     * Whether its clock has the times of its logs: not before the first one, nor if they are played at another pace.
     */
    private boolean tellsTime() {
        return clock.isLogTime() && settings.rateBytesPerSecond() == 0;
    }

    private void onLoggingAck(int sequence, long nowNs) {
        boolean wasBlocked = chunks.isBlocked();
        chunks.onAck(sequence, nowNs);
        if (wasBlocked && !chunks.isBlocked()) {
            logger.onUnblocked(nowNs);
        }
    }

    private void onCommand(CommandLong command, int sender, int senderComponent) {
        boolean isStart = command.command() == CommandLong.LOGGING_START;
        if (!isForUs(command, sender, senderComponent) || !(isStart || command.command() == CommandLong.LOGGING_STOP)) {
            return;
        }
        if (isStart && isLinkTooSlow()) {
            // Decided on the MAVLink side; the logger is not involved.
            answer(command.command(), CommandAck.DENIED, sender, senderComponent);
            String text = "Not enough bandwidth to enable log streaming";
            int length = new StatusText(SEVERITY_CRITICAL, text, 0, 0).encodePayload(payload);
            frames.send(MessageIds.STATUSTEXT, payload, 0, length);
        } else if (settings.loggerRuns()) {
            Task.Kind kind = isStart ? Task.Kind.START : Task.Kind.STOP;
            add(new Task(kind, command.param1(), sender, senderComponent, true));
        }
    }

    /** PX4 accepts a command for it or for all, unless it sent it itself. */
    private boolean isForUs(CommandLong command, int sender, int senderComponent) {
        boolean isOurSystem = command.targetSystem() == 0 || command.targetSystem() == settings.systemId();
        boolean isOurComponent = command.targetComponent() == 0 || command.targetComponent() == settings.componentId();
        boolean isFromUs = sender == settings.systemId() && senderComponent == settings.componentId();
        return isOurSystem && isOurComponent && !isFromUs;
    }

    private boolean isLinkTooSlow() {
        return settings.linkBytesPerSecond() > 0 && settings.linkBytesPerSecond() < MIN_LINK_BYTES_PER_SECOND;
    }

    private void add(Task task) {
        if (tasks.size() == MAX_PENDING_COMMANDS) {
            tasks.removeFirst();
            counters.ignoredCommands.increment();
        }
        tasks.addLast(task);
    }

    private void work(long nowNs) {
        runLogger(nowNs);
        while (!tasks.isEmpty() && logger.isReady()) {
            handle(tasks.removeFirst(), nowNs);
            runLogger(nowNs);
        }
    }

    private void handle(Task task, long nowNs) {
        switch (task.kind()) {
            case START -> handleStart(task, nowNs);
            case STOP -> handleStop(task, nowNs);
            case ARMED -> logger.flush();
            case DISARMED -> logger.logPostFlight();
        }
    }

    private void handleStart(Task task, long nowNs) {
        if (task.param1() != 0) {
            answer(task, CommandLong.LOGGING_START, CommandAck.UNSUPPORTED);
        } else if (logger.isStreaming()) {
            answer(task, CommandLong.LOGGING_START, CommandAck.TEMPORARILY_REJECTED);
        } else {
            answer(task, CommandLong.LOGGING_START, CommandAck.ACCEPTED);
            targetSystem = task.system();
            targetComponent = task.component();
            startStream(nowNs);
        }
    }

    private void handleStop(Task task, long nowNs) {
        if (!logger.isStreaming()) {
            answer(task, CommandLong.LOGGING_STOP, CommandAck.ACCEPTED);
            return;
        }
        if (settings.flushesAtStop()) {
            answer(task, CommandLong.LOGGING_STOP, CommandAck.IN_PROGRESS);
        }
        stopper = task;
        stopping = true;
        logger.stop(nowNs);
    }

    private void runLogger(long nowNs) {
        logger.run(nowNs);
        if (stopping && !logger.isStreaming()) {
            stopping = false;
            answer(stopper, CommandLong.LOGGING_STOP, CommandAck.ACCEPTED);
        }
    }

    private void startStream(long nowNs) {
        if (!clock.isLogTime()) {
            clock.set(log.startTimeUs(), nowNs);
        }
        long startTimeUs = clock.us(nowNs);
        while (!startTimesUs.add(startTimeUs)) {
            startTimeUs++; // two sessions never have equal headers, also after a reboot
        }
        logger.start(targetSystem, targetComponent, startTimeUs, nowNs);
    }

    private void answer(Task task, int command, int result) {
        if (task.answers()) {
            answer(command, result, task.system(), task.component());
        }
    }

    private void answer(int command, int result, int system, int component) {
        int length = new CommandAck(command, result, 0, 0, system, component).encodePayload(payload);
        frames.send(MessageIds.COMMAND_ACK, payload, 0, length);
    }

    /** The next time on a grid of {@code periodNs}; missed times are skipped. */
    private static long next(long dueNs, long periodNs, long nowNs) {
        long nextNs = dueNs + periodNs;
        return nowNs - nextNs > 0 ? nowNs + periodNs : nextNs;
    }

    private static long earlier(long aNs, long bNs) {
        return aNs - bNs <= 0 ? aNs : bNs;
    }
}
