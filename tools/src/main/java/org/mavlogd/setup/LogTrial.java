package org.mavlogd.setup;

import org.mavlogd.mavlink.FrameView;

/**
 * Requests the log of one vehicle for a moment, as the recorder does, and stops the stream again. Owned by the link's
 * thread.
 */
abstract class LogTrial {
    static final long SECOND_NS = 1_000_000_000;
    /** Long enough to measure a rate. */
    static final long FLOW_NS = 3 * SECOND_NS / 2;

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

    LogTrial(Sender sender) {
        this.sender = sender;
    }

    /** Takes any frame of the vehicle. */
    abstract void onFrame(FrameView frame, long nowNs);

    /** Does what is due; true after the stream was stopped and the vehicle was told so. */
    abstract boolean onTick(long nowNs);

    /** Ends the trial early and sends STOP, as at its normal end. */
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
