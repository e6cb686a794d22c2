package org.mavlogd.logtools;

import org.mavlogd.ulog.Topic;

/** Counts the samples of one topic instance. Several subscriptions of one instance count as one. Hot path. */
public final class TopicTally {
    /** What a data message has beside its fields: size, type and message id. */
    private static final int HEAD_BYTES = 5;

    private final String name;
    private final int multiId;
    private final int messageId;
    private long messages;
    private long bytes;
    private long firstUs;
    private long lastUs;

    TopicTally(Topic topic) {
        name = topic.name();
        multiId = topic.multiId();
        messageId = topic.messageId();
    }

    void onSample(long timestampUs, int length) {
        if (messages == 0) {
            firstUs = timestampUs;
        }
        lastUs = timestampUs;
        messages++;
        bytes += HEAD_BYTES + length;
    }

    public String name() {
        return name;
    }

    public int multiId() {
        return multiId;
    }

    /** Of its first subscription. */
    public int messageId() {
        return messageId;
    }

    public long messages() {
        return messages;
    }

    /** Of its data messages, headers included. */
    public long bytes() {
        return bytes;
    }

    /** Of the first sample in the log's order; 0 without samples. */
    public long firstUs() {
        return firstUs;
    }

    /** Of the last sample in the log's order; 0 without samples. */
    public long lastUs() {
        return lastUs;
    }

    /** Samples per second between the first and the last; 0 if that cannot be told. */
    public double rateHz() {
        return messages < 2 || lastUs <= firstUs ? 0 : (messages - 1) * 1e6 / (lastUs - firstUs);
    }
}
