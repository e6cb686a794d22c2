package org.mavlogd.simulate.ardupilot;

import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.simulate.VehicleOutput;

/**
 * An ArduPilot rover that streams a real log by MAVLink, and refuses to arm while it has no receiver for it.
 *
 * <p>A state machine without socket, thread or clock: it works when it is called, with the time given. Owned by one
 * thread. The output and the observer must not call back.
 */
public final class ArduPilotVehicle {
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_MS = 1_000_000;
    private static final long TIME_NS = NS_PER_S / 2;
    private static final long PRE_ARM_NS = 30 * NS_PER_S;
    private static final long NS_PER_US = 1000;
    private static final long US_PER_MS = 1000;
    /** Minimum of the vehicle's clock when MAVLink starts after a boot. */
    private static final long BOOTED_US = 1_500_000;

    private static final int CRITICAL = 2;
    private static final int INFO = 6;
    /** Time between steps while a log is streamed. */
    private static final long STEP_NS = 2 * NS_PER_MS;

    private final ArduPilotSettings settings;
    private final ArduPilotFrames frames;
    private final ArduPilotLogger logger;
    private final ArduPilotCounters counters = new ArduPilotCounters();
    // Not less than the log's times, which are never from before its vehicle's boot.
    private final long bootedUs;

    private boolean armed;
    private boolean rebooting;
    private boolean downloading;
    private long bootNs;
    private long nextHeartbeatNs;
    private long nextTimeNs;
    private long nextTelemetryNs;
    private long nextPreArmNs;

    public ArduPilotVehicle(
            ArduPilotSettings settings, DataFlashImage log, VehicleOutput output, Observer observer, long nowNs) {
        this.settings = settings;
        this.frames = new ArduPilotFrames(settings, output, counters);
        this.bootedUs = log.count() == 0 ? BOOTED_US : Math.max(BOOTED_US, log.timeUs(0));
        this.logger = new ArduPilotLogger(settings, log, observer, counters, this::bootUs);
        boot(nowNs);
    }

    public ArduPilotCounters counters() {
        return counters;
    }

    /** Sends a message unrelated to the streamed log; returns the length of the frame. */
    int send(int messageId, byte[] payload, int length) {
        return frames.send(messageId, payload, length);
    }

    public boolean isArmed() {
        return armed;
    }

    public boolean isStreaming() {
        return logger.isStreaming();
    }

    /** Whether the complete log has been streamed. */
    public boolean isAtLogEnd() {
        return logger.isAtEnd();
    }

    /** Takes a frame on the vehicle's link. */
    public void onFrame(FrameView frame, long nowNs) {
        if (rebooting || (settings.isMavlink1() && frame.isV2())) {
            return;
        }
        if (frame.messageId() == MessageIds.REMOTE_LOG_BLOCK_STATUS) {
            logger.onStatus(LogBlockStatus.decode(frame), frame.systemId(), frame.componentId(), nowNs);
        } else if (frame.messageId() == MessageIds.TIMESYNC) {
            onTimesync(Timesync.decode(frame), nowNs);
        }
    }

    /** Answers a request, unless the log is played at another pace and so has other times than the vehicle. */
    private void onTimesync(Timesync message, long nowNs) {
        if (message.isRequest() && settings.rateBytesPerSecond() == 0) {
            frames.timesync(new Timesync(bootUs(nowNs) * NS_PER_US, message.ts1(), 0, 0));
        }
    }

    /** Sets whether its own logs are being listed or sent: a disarmed vehicle then neither logs nor arms. */
    void downloading(boolean isDownloading) {
        downloading = isDownloading;
        logger.paused(isDownloading);
    }

    /** Does everything that is due. */
    public void onTick(long nowNs) {
        if (rebooting) {
            if (nowNs - bootNs < 0) {
                return;
            }
            boot(nowNs);
        }
        logger.run(this::sendBlock, nowNs);
        if (nowNs - nextHeartbeatNs >= 0) {
            frames.heartbeat(armed);
            nextHeartbeatNs = next(nextHeartbeatNs, NS_PER_S, nowNs);
        }
        if (nowNs - nextTimeNs >= 0) {
            frames.systemTime(bootMs(nowNs));
            nextTimeNs = next(nextTimeNs, TIME_NS, nowNs);
        }
        if (settings.telemetryHz() > 0 && nowNs - nextTelemetryNs >= 0) {
            frames.attitude(bootMs(nowNs));
            nextTelemetryNs = next(nextTelemetryNs, NS_PER_S / settings.telemetryHz(), nowNs);
        }
        if (isLoggingFailed() && nowNs - nextPreArmNs >= 0) {
            frames.text(CRITICAL, "PreArm: Logging failed");
            nextPreArmNs = nowNs + PRE_ARM_NS;
        }
    }

    private void sendBlock(long number, byte[] data, boolean isRepeat) {
        frames.block(number, data, logger.targetSystem(), logger.targetComponent());
    }

    /** Latest time of the next work in {@link #onTick}. */
    public long dueNs(long nowNs) {
        if (rebooting) {
            return bootNs;
        }
        long due = earlier(nextHeartbeatNs, nextTimeNs);
        if (settings.telemetryHz() > 0) {
            due = earlier(due, nextTelemetryNs);
        }
        return logger.isStreaming() ? earlier(due, nowNs + STEP_NS) : due;
    }

    private boolean isLoggingFailed() {
        return !armed && settings.logsToMavlink() && !logger.isStreaming();
    }

    /** Arms the vehicle; false if it refuses because its log has no receiver, or its own logs are being sent. */
    public boolean arm(long nowNs) {
        if (isLoggingFailed() || downloading) {
            counters.refusedArmings.increment();
            frames.text(CRITICAL, isLoggingFailed() ? "Arm: Logging failed" : "Arm: Downloading logs");
            return false;
        }
        armed = true;
        logger.armed(true, nowNs);
        frames.text(INFO, "Throttle armed");
        return true;
    }

    public void disarm(long nowNs) {
        armed = false;
        logger.armed(false, nowNs);
        frames.text(INFO, "Throttle disarmed");
    }

    /** Handles START or STOP on another of the vehicle's links; a log that it starts is sent here. */
    public void statusElsewhere(long number, int senderSystem, int senderComponent, long nowNs) {
        logger.onStatus(
                new LogBlockStatus(settings.systemId(), 0, number, LogBlockStatus.ACK),
                senderSystem,
                senderComponent,
                nowNs);
    }

    /** Reboots the vehicle: it is silent, forgets its stream, and restarts its clock. */
    public void reboot(long nowNs) {
        logger.end(nowNs);
        rebooting = true;
        bootNs = nowNs + settings.rebootNs();
    }

    private void boot(long nowNs) {
        rebooting = false;
        bootNs = nowNs;
        frames.restart();
        armed = settings.startsArmed();
        logger.boot(armed);
        nextHeartbeatNs = nowNs;
        nextTimeNs = nowNs;
        nextTelemetryNs = nowNs;
        nextPreArmNs = nowNs + PRE_ARM_NS;
        if (settings.bootText()) {
            frames.bootText();
        }
    }

    private long bootMs(long nowNs) {
        return bootUs(nowNs) / US_PER_MS;
    }

    /** The vehicle's clock, which its log uses. */
    private long bootUs(long nowNs) {
        return bootedUs + (nowNs - bootNs) / NS_PER_US;
    }

    /** The next time on a grid of {@code periodNs}; missed times are skipped. */
    private static long next(long dueNs, long periodNs, long nowNs) {
        long nextNs = dueNs + periodNs;
        return nowNs - nextNs > 0 ? nowNs + periodNs : nextNs;
    }

    private static long earlier(long aNs, long bNs) {
        return aNs - bNs <= 0 ? aNs : bNs;
    }

    /**
     * Receives what a simulated ArduPilot really logged: the reference for a recording. All calls come from the
     * vehicle's thread; buffers are valid only during the call.
     */
    public interface Observer {
        /** Ignores all calls. */
        Observer NONE = new Observer() {};

        /** A log starts with block 0. */
        default void onLogStart(long nowNs) {}

        /** A block is full: it is sent from now on, until it is acknowledged or the log ends. */
        default void onBlock(long number, byte[] data, long nowNs) {}

        /** A block was acknowledged. */
        default void onAck(long number, long nowNs) {}

        /** A block was requested again, whether or not it can be sent. */
        default void onNack(long number, long nowNs) {}

        /** The log has ended: stopped, timed out, or by a reboot. */
        default void onLogEnd(long nowNs) {}
    }
}
