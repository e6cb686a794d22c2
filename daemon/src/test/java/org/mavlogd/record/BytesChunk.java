package org.mavlogd.record;

import org.agrona.MutableDirectBuffer;
import org.mavlogd.feed.FeedPublisher;

/** A log chunk from an array. */
public final class BytesChunk implements FeedPublisher.ChunkSource {
    private final int sequence;
    private final int firstMessageOffset;
    private final byte[] bytes;
    private final int offset;
    private final int length;

    public BytesChunk(int sequence, int firstMessageOffset, byte[] bytes, int offset, int length) {
        this.sequence = sequence;
        this.firstMessageOffset = firstMessageOffset;
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    /** The n-th piece of {@link LogBytes#CHUNK_LENGTH} bytes of a log. */
    static BytesChunk of(byte[] log, int[] firstMessageOffsets, int chunk) {
        int offset = chunk * LogBytes.CHUNK_LENGTH;
        int length = Math.min(LogBytes.CHUNK_LENGTH, log.length - offset);
        return new BytesChunk(chunk & 0xFFFF, firstMessageOffsets[chunk], log, offset, length);
    }

    @Override
    public int sequence() {
        return sequence;
    }

    @Override
    public int firstMessageOffset() {
        return firstMessageOffset;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void copyData(MutableDirectBuffer target, int targetIndex) {
        target.putBytes(targetIndex, bytes, offset, length);
    }
}
