package org.mavlogd.record.order;

import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.ulog.ULogLayout;

/**
 * Measures gaps by the timestamps in the data.
 *
 * <p>A gap lasts as long as the log time advances across it, where log time is the youngest timestamp so far.
 * Timestamps inside the gap are missing, and a single message after it may be much older than its place in the log: it
 * shows the log time only together with the usual lag of its topic. So the next few messages with a timestamp are held
 * back until one of them is of a topic with a steady lag; failing that, the youngest of them is used. Then the output
 * gets the duration and the held messages. Times that jump further than a gap can have lasted are ignored. Hot path:
 * allocates nothing after construction.
 */
public final class DropoutMarker {
    // Measured on real logs with chunks lost at random: the youngest of three messages is off by 4 ms in the median and
    // up to 90 ms, the lag of the topic by less than 0.2 ms in the median. Without a steady topic among four messages
    // waiting longer does not help, because the log time continues meanwhile.
    private static final int TIMED_MESSAGES = 4;
    private static final int HOLD_BYTES = 8192;
    private static final long MAX_LEAP_US = TimeUnit.HOURS.toMicros(1);

    /** Takes the messages and gaps in order. */
    public interface Output {
        /** There is a gap of this length before the next message. */
        void onDropout(long durationMs);

        /** The next message, in order. */
        void onMeasuredMessage(DirectBuffer buffer, int offset, int length);
    }

    private final Output output;
    private final UnsafeBuffer held = new UnsafeBuffer(new byte[HOLD_BYTES]);
    private final int[] heldLengths = new int[HOLD_BYTES / ULogLayout.MESSAGE_HEADER_LENGTH];
    private int heldCount;
    private int heldBytes;
    private int timedCount;

    private boolean pending;
    private long silenceUs;
    private long lastUs = MessageTimes.NONE;
    private boolean outputClosed;
    private long closedUs = MessageTimes.NONE;
    private long youngestUs = MessageTimes.NONE;
    private long steadyUs = MessageTimes.NONE;
    private final TopicLagTracker lags = new TopicLagTracker();

    public DropoutMarker(Output output) {
        this.output = output;
    }

    /** Continues a log of an earlier run, with a gap after its youngest time. */
    public void resume(long youngestStoredUs, long silenceNs) {
        lastUs = youngestStoredUs;
        onGap(silenceNs);
    }

    /** The youngest timestamp so far, or {@link MessageTimes#NONE}. */
    public long lastUs() {
        return lastUs;
    }

    /** There is a gap here; {@code silenceNs} is how long nothing arrived. */
    public void onGap(long silenceNs) {
        if (timedCount > 0) {
            release();
        }
        silenceUs = (pending ? silenceUs : 0) + TimeUnit.NANOSECONDS.toMicros(silenceNs);
        pending = true;
    }

    /** Takes the next message; {@code timestampUs} is {@link MessageTimes#NONE} if it has none. */
    public void onMessage(DirectBuffer buffer, int offset, int length, long timestampUs) {
        if (!pending) {
            believe(timestampUs);
            learn(buffer, offset, timestampUs);
            output.onMeasuredMessage(buffer, offset, length);
            return;
        }
        if (timestampUs == MessageTimes.NONE && timedCount == 0) {
            // Definitions and syncs have no time: they may pass before the dropout.
            output.onMeasuredMessage(buffer, offset, length);
            return;
        }
        if (timestampUs != MessageTimes.NONE) {
            measure(MessageTimes.topic(buffer, offset), timestampUs);
        }
        if (length > HOLD_BYTES - heldBytes) {
            release();
            output.onMeasuredMessage(buffer, offset, length);
            return;
        }
        held.putBytes(heldBytes, buffer, offset, length);
        heldLengths[heldCount++] = length;
        heldBytes += length;
        if (timedCount == TIMED_MESSAGES || steadyUs != MessageTimes.NONE) {
            release();
        }
    }

    /** Whether there is a gap after {@link #lastUs} whose length is not known yet. */
    public boolean isMeasuring() {
        return pending;
    }

    /** Whether messages wait until a gap is measured. */
    public boolean isHolding() {
        return heldCount > 0;
    }

    /** Releases the held messages, with the length of the gap as far as it is known. */
    public void giveUpHolding() {
        if (heldCount > 0) {
            release();
        }
    }

    /** The output has no file: messages from here on are not stored. */
    public void onOutputClosed() {
        outputClosed = true;
        closedUs = lastUs;
    }

    /** The output has a file again; {@code missing} is whether messages were lost meanwhile. */
    public void onOutputReopened(boolean missing) {
        if (outputClosed && missing) {
            if (closedUs != MessageTimes.NONE) {
                silenceUs += Math.max(0, lastUs - closedUs); // so long a leap is plausible
            }
            lastUs = closedUs;
            pending = true;
        }
        outputClosed = false;
    }

    /** Ends the log: a gap at its end lasts as long as nothing arrived. */
    public void onEnd() {
        if (pending) {
            release();
        }
    }

    private void learn(DirectBuffer buffer, int offset, long timestampUs) {
        if (timestampUs != MessageTimes.NONE) {
            lags.learn(MessageTimes.topic(buffer, offset), lastUs - timestampUs);
        }
    }

    private void measure(int topic, long timestampUs) {
        timedCount++;
        if (!isPlausible(timestampUs)) {
            return;
        }
        youngestUs = Math.max(youngestUs, timestampUs);
        if (lags.isReliable(topic)) {
            steadyUs = timestampUs + lags.lagUs(topic);
        }
    }

    private void release() {
        pending = false;
        output.onDropout(durationMs());
        int offset = 0;
        for (int i = 0; i < heldCount; i++) {
            output.onMeasuredMessage(held, offset, heldLengths[i]);
            offset += heldLengths[i];
        }
        believe(Math.max(youngestUs, steadyUs));
        heldCount = 0;
        heldBytes = 0;
        timedCount = 0;
        silenceUs = 0;
        youngestUs = MessageTimes.NONE;
        steadyUs = MessageTimes.NONE;
    }

    private long durationMs() {
        boolean measured = lastUs != MessageTimes.NONE && youngestUs != MessageTimes.NONE;
        long durationUs = measured ? endUs() - lastUs : silenceUs;
        return Math.max(1, (durationUs + 500) / 1000);
    }

    private long endUs() {
        return steadyUs != MessageTimes.NONE ? steadyUs : youngestUs;
    }

    private boolean isPlausible(long timestampUs) {
        return lastUs == MessageTimes.NONE || timestampUs - lastUs <= MAX_LEAP_US + silenceUs;
    }

    private void believe(long timestampUs) {
        if (timestampUs > lastUs && isPlausible(timestampUs)) {
            lastUs = timestampUs;
            if (outputClosed && closedUs == MessageTimes.NONE) {
                closedUs = timestampUs; // the log began without a file
            }
        }
    }
}
