package org.mavlogd.simulate;

import org.mavlogd.mavlink.LogBlockStatus;

/**
 * ArduPilot's log over MAVLink: begins with START, ends with STOP or when nobody answered for 10 s, and numbers its blocks
 * from 0 in each log. Plays a real log into its blocks. Owned by the vehicle's thread.
 */
final class ArduPilotLogger {
    private static final long TIMEOUT_NS = 10_000_000_000L;
    // After disarming it logs on for so long.
    private static final long PERSISTENCE_NS = 15_000_000_000L;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_US = 1000;

    private final ArduPilotSettings settings;
    private final DataFlashImage image;
    private final BlockBuffer buffer;
    private final BlockObserver observer;
    private final ArduPilotCounters counters;
    private final byte[] message = new byte[DataFlashImage.MAX_MESSAGE_LENGTH];

    private boolean streaming;
    private int targetSystem;
    private int targetComponent;
    private long answeredNs;
    private boolean armed;
    private long disarmedNs;
    private boolean everArmed;
    private boolean playing;
    private int next;
    private long clockNs;
    private long playedNs;
    private long laterUs;
    private long loopedUs;
    private int boots;
    private int firstBoot;
    private boolean everStarted;
    private long firstStartNs;
    private long writtenBytes;

    ArduPilotLogger(
            ArduPilotSettings settings, DataFlashImage image, BlockObserver observer, ArduPilotCounters counters) {
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

    /** Whether all of the log was played. */
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

    /** REMOTE_LOG_BLOCK_STATUS, from anybody. */
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
        laterUs = laterUs(nowNs);
        loopedUs = 0;
        writtenBytes = 0;
        playing = false;
        clockNs = 0;
        counters.logs.increment();
        observer.onLogStart(nowNs);
    }

    /** The first log has the image's own times; no two logs have the same, as on real boards. */
    private long laterUs(long nowNs) {
        if (!everStarted) {
            everStarted = true;
            firstStartNs = nowNs;
            firstBoot = boots;
        }
        return (nowNs - firstStartNs) / NS_PER_US + boots - firstBoot;
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

    /** Does what is due. */
    void run(BlockBuffer.Sender sender, long nowNs) {
        if (!streaming) {
            return;
        }
        if (nowNs - answeredNs >= TIMEOUT_NS) {
            counters.timeouts.increment();
            end(nowNs);
            return;
        }
        play(nowNs);
        buffer.push(sender, nowNs);
    }

    private boolean isLogging(long nowNs) {
        return armed || settings.logsDisarmed() || (everArmed && nowNs - disarmedNs < PERSISTENCE_NS);
    }

    private void play(long nowNs) {
        boolean isLogging = isLogging(nowNs);
        if (playing && isLogging) {
            clockNs += nowNs - playedNs;
        }
        playing = isLogging;
        playedNs = nowNs;
        while (isLogging && hasNext() && isDue()) {
            int length = image.copy(next, laterUs, message);
            buffer.write(message, length, nowNs);
            writtenBytes += length;
            next++;
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
