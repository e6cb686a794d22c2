package org.mavlogd.record;

import org.agrona.MutableDirectBuffer;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.FeedPublisher;

/** A log block from an array. */
public final class BytesBlock implements FeedPublisher.BlockSource {
    private final long number;
    private final byte[] bytes;

    public BytesBlock(long number, byte[] bytes) {
        if (bytes.length != BlockView.DATA_LENGTH) {
            throw new IllegalArgumentException("a block has no " + bytes.length + " bytes");
        }
        this.number = number;
        this.bytes = bytes;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public void copyData(MutableDirectBuffer target, int targetIndex) {
        target.putBytes(targetIndex, bytes);
    }
}
