package org.mavlogd.record.merge;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalTopic;

/** Reads a sample or log message in the bytes of a local feed. Valid during the call only. Hot path. */
final class LocalRecordView {
    private final int feed;
    private @Nullable LocalTopic topic;
    private int instance;
    private int level;
    private int tag;
    private long takenNs;
    private DirectBuffer buffer = new UnsafeBuffer(0, 0);
    private int offset;
    private int length;

    /** @param feed index of the feed among all local ones */
    LocalRecordView(int feed) {
        this.feed = feed;
    }

    LocalRecordView sample(LocalTopic of, int itsInstance, long itsTimeNs) {
        topic = of;
        instance = itsInstance;
        takenNs = itsTimeNs;
        return this;
    }

    LocalRecordView text(int itsLevel, int itsTag, long itsTimeNs) {
        level = itsLevel;
        tag = itsTag;
        takenNs = itsTimeNs;
        return this;
    }

    LocalRecordView in(DirectBuffer bytes, int begin, int count) {
        buffer = bytes;
        offset = begin;
        length = count;
        return this;
    }

    int feed() {
        return feed;
    }

    /** The topic of a sample. */
    LocalTopic topic() {
        LocalTopic its = topic;
        if (its == null) {
            throw new IllegalStateException("no sample");
        }
        return its;
    }

    int instance() {
        return instance;
    }

    /** 0 to 7. */
    int level() {
        return level;
    }

    int tag() {
        return tag;
    }

    long takenNs() {
        return takenNs;
    }

    DirectBuffer buffer() {
        return buffer;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }
}
