package org.mavlogd.store;

import java.util.concurrent.TimeUnit;

/**
 * Follows, while a ULog grows, which {@link StreamMark.Stretch} of it nobody needs to look through. The last seconds are left
 * out: they tell the latest times, and what sends now. Owned by the recorder's thread.
 */
final class PlainStretch {
    private static final long TAIL_NS = TimeUnit.SECONDS.toNanos(5);

    private long headEnd;
    // Ends of messages: one some seconds ago, and the one that follows it.
    private long tailBytes;
    private long nextTailBytes;
    private long nextTailNs;

    /** @param headEnd where the last message ends that those behind it need */
    PlainStretch(long headEnd) {
        this.headEnd = headEnd;
    }

    /** There is one more such message. */
    void headEndsAt(long bytes) {
        headEnd = bytes;
    }

    /** What is plain now, in a file of so many bytes that are whole messages. */
    StreamMark.Stretch of(long bytes, long nowNs) {
        if (nextTailBytes == 0 || nowNs - nextTailNs >= TAIL_NS) {
            tailBytes = nextTailBytes;
            nextTailBytes = bytes;
            nextTailNs = nowNs;
        }
        return new StreamMark.Stretch(headEnd, Math.max(headEnd, tailBytes));
    }
}
