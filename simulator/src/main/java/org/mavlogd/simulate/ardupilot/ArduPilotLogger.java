package org.mavlogd.simulate.ardupilot;

import java.util.function.LongUnaryOperator;
import org.mavlogd.mavlink.LogBlockStatus;

/**
 * ArduPilot's log over MAVLink: starts with START, ends with STOP or after 10 s without an answer, and numbers its
 * blocks from 0 in each log. While it has nothing to log it keeps its stream and sends nothing. Plays a real log, with
 * the times of the vehicle's clock. Owned by the vehicle's thread.
 */
final class ArduPilotLogger {
    /** ArduPilot, AP_Logger_MAVLink. */
    static final long TIMEOUT_NS = 10_000_000_000L;

    // Interval of the check for answers: 10.84 s were measured for the time-out.
    private static final long TIMEOUT_CHECK_NS = 1_000_000_000L;
    // Logging continues for this time after disarming.
    private static final long PERSISTENCE_NS = 15_000_000_000L;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_US = 1000;

    private final ArduPilotSettings settings;
    private final DataFlashImage image;
    private final BlockBuffer buffer;
    private final ArduPilotVehicle.Observer observer;
    private final ArduPilotCounters counters;
    private final LongUnaryOperator clockUs;
    private final byte[] message = new byte[DataFlashImage.MAX_MESSAGE_LENGTH];

    private boolean streaming;
    private int targetSystem;
    private int targetComponent;
    private long answeredNs;
    private long checkedNs;
    private boolean armed;
    private boolean paused;
    private long disarmedNs;
    private boolean everArmed;
    private boolean playing;
    private int next;
    private long clockNs;
    private long playedNs;
    private long laterUs;
    private long loopedUs;
    private boolean everPlayed;
    private int boots;
    private long writtenBytes;

    /** @param clockUs converts a time to the vehicle's clock, microseconds since its boot */
    ArduPilotLogger(
            ArduPilotSettings settings,
            DataFlashImage image,
            ArduPilotVehicle.Observer observer,
            ArduPilotCounters counters,
            LongUnaryOperator clockUs) {
        this.clockUs = clockUs;
        this.settings = settings;
        this.image = image;
        this.observer = observer;
        this.counters = counters;
        this.buffer = new BlockBuffer(settings.bufferKb(), counters, observer);
    }

    boolean isStreaming() {
        return streaming;
    }

    int targetSystem() {
        return targetSystem;
    }

    int targetComponent() {
        return targetComponent;
    }

    /** Whether the complete log was played. */
    boolean isAtEnd() {
        return streaming && !settings.loops() && next >= image.count();
    }

    /** The vehicle boots. */
    void boot(boolean isArmed) {
        armed = isArmed;
        everArmed = isArmed;
        boots++;
    }

    void armed(boolean isArmed, long nowNs) {
        if (armed && !isArmed) {
            disarmedNs = nowNs;
        }
        armed = isArmed;
        everArmed |= isArmed;
    }

    /** Handles REMOTE_LOG_BLOCK_STATUS of any sender. */
    void onStatus(LogBlockStatus status, int senderSystem, int senderComponent, long nowNs) {
        if (!settings.logsToMavlink()) {
            return;
        }
        boolean isAck = status.status() == LogBlockStatus.ACK;
        if (isAck && status.number() == LogBlockStatus.START) {
            onStart(senderSystem, senderComponent, nowNs);
        } else if (isAck && status.number() == LogBlockStatus.STOP) {
            end(nowNs);
        } else if (streaming) {
            onAnswer(status.number(), isAck, nowNs);
        }
    }

    private void onStart(int system, int component, long nowNs) {
        if (streaming) {
            counters.ignoredStarts.increment();
            return;
        }
        streaming = true;
        targetSystem = system;
        targetComponent = component;
        answeredNs = nowNs;
        buffer.reset(nowNs);
        next = 0;
        checkedNs = nowNs;
        everPlayed = false;
        loopedUs = 0;
        writtenBytes = 0;
        playing = false;
        clockNs = 0;
        counters.logs.increment();
        observer.onLogStart(nowNs);
    }

    private void onAnswer(long number, boolean isAck, long nowNs) {
        if (isAck) {
            observer.onAck(number, nowNs);
        } else {
            observer.onNack(number, nowNs);
        }
        if (isAck ? buffer.onAck(number) : buffer.onNack(number)) {
            answeredNs = nowNs;
        }
    }

    void end(long nowNs) {
        if (streaming) {
            streaming = false;
            buffer.reset(nowNs);
            observer.onLogEnd(nowNs);
        }
    }

    /** Does everything that is due. */
    void run(BlockBuffer.Sender sender, long nowNs) {
        if (!streaming) {
            return;
        }
        if (nowNs - checkedNs >= TIMEOUT_CHECK_NS) {
            checkedNs = nowNs;
            if (buffer.sentNs() - answeredNs > settings.answerTimeoutNs()) {
                counters.timeouts.increment();
                end(nowNs);
                return;
            }
        }
        play(nowNs);
        buffer.push(sender, nowNs);
    }

    /** While logs are downloaded, a disarmed vehicle does not log, but still sends its blocks. */
    void paused(boolean isPaused) {
        paused = isPaused;
    }

    private boolean isLogging(long nowNs) {
        if (paused && !armed) {
            return false;
        }
        return armed || settings.logsDisarmed() || (everArmed && nowNs - disarmedNs < PERSISTENCE_NS);
    }

    private void play(long nowNs) {
        boolean isLogging = isLogging(nowNs) && image.count() > 0;
        if (playing && isLogging) {
            clockNs += nowNs - playedNs;
        } else if (isLogging) {
            resumeClock(nowNs);
        }
        if (playing || isLogging) {
            playedNs = nowNs;
        }
        playing = isLogging;
        while (isLogging && hasNext() && isDue()) {
            int length = image.copy(next, laterUs, message);
            buffer.write(message, length, nowNs);
            writtenBytes += length;
            next++;
        }
    }

    /** Continues with times of the vehicle's clock at the time of logging. */
    private void resumeClock(long nowNs) {
        if (everPlayed) {
            laterUs += (nowNs - playedNs) / NS_PER_US;
        } else {
            everPlayed = true;
            // Like real boards, not the same microsecond after each boot.
            laterUs = clockUs.applyAsLong(nowNs) - image.timeUs(0) + boots - 1;
        }
    }

    private boolean hasNext() {
        if (next >= image.count() && settings.loops()) {
            next = 0;
            laterUs += image.durationUs();
            loopedUs += image.durationUs();
        }
        return next < image.count();
    }

    private boolean isDue() {
        if (settings.rateBytesPerSecond() > 0) {
            return writtenBytes * (double) NS_PER_S / settings.rateBytesPerSecond() <= clockNs;
        }
        return (image.timeUs(next) - image.timeUs(0) + loopedUs) * NS_PER_US <= clockNs;
    }
}
