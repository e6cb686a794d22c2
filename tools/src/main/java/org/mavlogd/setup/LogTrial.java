package org.mavlogd.setup;

import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;

/**
 * Requests the log of one vehicle for a moment, as the recorder does, and stops the stream again, at once if the vehicle
 * arms. A stream that another program receives is neither acknowledged nor stopped. Owned by the link's thread.
 */
abstract class LogTrial {
    static final long SECOND_NS = 1_000_000_000;
    /** Long enough to measure a rate. */
    static final long FLOW_NS = 3 * SECOND_NS / 2;

    private final Vehicle vehicle;
    private final Sender sender;
    private LogStream.Outcome outcome = LogStream.Outcome.NOT_ASKED;
    private long bytes;
    private long firstNs;
    private long lastNs;

    /** Sends one message to the vehicle. */
    @FunctionalInterface
    interface Sender {
        void send(int messageId, byte[] payload, int length);
    }

    LogTrial(Vehicle vehicle, Sender sender) {
        this.vehicle = vehicle;
        this.sender = sender;
    }

    /** Takes any frame of the vehicle. */
    final void onFrame(FrameView frame, long nowNs) {
        if (isArming(frame)) {
            if (!isFlowing()) {
                conclude(LogStream.Outcome.NOT_ASKED);
            }
            stop(nowNs);
        } else {
            onOther(frame, nowNs);
        }
    }

    private boolean isArming(FrameView frame) {
        if (frame.messageId() != MessageIds.HEARTBEAT || frame.componentId() != vehicle.componentId()) {
            return false;
        }
        Heartbeat heartbeat = Heartbeat.decode(frame);
        return heartbeat.autopilot() == vehicle.autopilot() && heartbeat.isArmed();
    }

    /** Takes any frame of the vehicle that does not show that it is armed. */
    abstract void onOther(FrameView frame, long nowNs);

    /** Does what is due; true when nothing is left to do. */
    abstract boolean onTick(long nowNs);

    /** Ends the trial early as at its normal end: sends STOP if the stream runs. */
    abstract void stop(long nowNs);

    final LogStream result() {
        return new LogStream(outcome, bytes, lastNs - firstNs);
    }

    final void conclude(LogStream.Outcome found) {
        outcome = found;
    }

    final void received(int count, long nowNs) {
        if (bytes == 0) {
            firstNs = nowNs;
        }
        bytes += count;
        lastNs = nowNs;
    }

    final boolean isFlowing() {
        return bytes > 0;
    }

    final boolean isMeasured(long nowNs) {
        return bytes > 0 && nowNs - firstNs >= FLOW_NS;
    }

    final void send(int messageId, byte[] payload, int length) {
        sender.send(messageId, payload, length);
    }
}
