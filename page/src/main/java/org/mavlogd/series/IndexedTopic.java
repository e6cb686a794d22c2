package org.mavlogd.series;

import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;

/** One subscription of a log, with the index's counts of its samples. */
final class IndexedTopic {
    private static final int ID_BYTES = 2;

    private final Topic topic;
    private final TopicLayout layout;
    private final int number;
    private final int timestampOffset;
    private long samples;
    private long leftOut;
    private long firstUs = Long.MAX_VALUE;
    private long lastUs = Long.MIN_VALUE;
    private int firstBlock = -1;
    private int lastBlock = -1;

    /** @param timestamp a 64-bit field */
    IndexedTopic(Topic topic, TopicLayout layout, Column timestamp, int number) {
        this.topic = topic;
        this.layout = layout;
        this.number = number;
        this.timestampOffset = timestamp.offset();
    }

    String name() {
        return topic.name();
    }

    int instance() {
        return topic.multiId();
    }

    int messageId() {
        return topic.messageId();
    }

    TopicLayout layout() {
        return layout;
    }

    /** Number in the index. */
    int number() {
        return number;
    }

    /** Offset of the timestamp in the sample's fields. */
    int timestampOffset() {
        return timestampOffset;
    }

    /** Whether a data message of this topic may have this size; the log's reader refuses all others. */
    boolean fits(int messageSize) {
        int size = messageSize - ID_BYTES;
        return size >= layout.sizeWithoutPadding() && size <= layout.size();
    }

    /** Counts a sample; returns whether it is the topic's first in this block. */
    boolean count(long timeUs, int block) {
        samples++;
        firstUs = Math.min(firstUs, timeUs);
        lastUs = Math.max(lastUs, timeUs);
        firstBlock = firstBlock < 0 ? block : firstBlock;
        boolean isFirst = lastBlock != block;
        lastBlock = block;
        return isFirst;
    }

    /** Whether a block is between its first and its last sample: others with the same id have no samples there. */
    boolean reaches(int block) {
        return block >= firstBlock && block <= lastBlock;
    }

    /** Counts a sample with an impossible time. */
    void leaveOut() {
        leftOut++;
    }

    long leftOut() {
        return leftOut;
    }

    long samples() {
        return samples;
    }

    /** Meaningless without samples. */
    long firstUs() {
        return firstUs;
    }

    /** Meaningless without samples. */
    long lastUs() {
        return lastUs;
    }
}
