package org.mavlogd.feed;

import org.agrona.DirectBuffer;

/** Takes the records of one local feed in the order in which they were published. Hot path. */
public interface LocalHandler {
    /**
     * A sample of a topic.
     *
     * @param instance 0 to 255: which of several alike devices; the log's multi_id
     * @param takenNs when the values were true, by the monotonic clock
     * @param buffer holds the fields behind the timestamp as they stand in a log; valid during the call only
     */
    void onSample(LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length);

    /**
     * A text with a tag.
     *
     * @param level 0 (emergency) to 7 (debug)
     * @param tag unsigned 16 bit
     * @param buffer holds valid UTF-8, at least one byte; valid during the call only
     */
    void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length);
}
