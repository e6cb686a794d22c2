package org.mavlogd.vehicle.px4;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.ChunkView;

/** A copy of a chunk that waits for the judgement about its stream. Reused. Owned by the session. */
final class HeldChunk implements StreamChunk {
    private final UnsafeBuffer data = new UnsafeBuffer(new byte[ChunkView.MAX_DATA_LENGTH]);
    private boolean acked;
    private int sequence;
    private int firstMessageOffset;
    private int length;
    private long frames;
    private long arrivalNs;

    void set(StreamChunk chunk, long trail, long nowNs) {
        acked = chunk.isAcked();
        sequence = chunk.sequence();
        firstMessageOffset = chunk.firstMessageOffset();
        length = chunk.length();
        frames = trail;
        arrivalNs = nowNs;
        chunk.copyData(data, 0);
    }

    @Override
    public boolean isAcked() {
        return acked;
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

    /** Which frames of the vehicle had arrived by then. */
    long frames() {
        return frames;
    }

    long arrivalNs() {
        return arrivalNs;
    }

    /** Of which {@link #length} bytes are valid. */
    DirectBuffer data() {
        return data;
    }

    @Override
    public void copyData(MutableDirectBuffer target, int targetIndex) {
        target.putBytes(targetIndex, data, 0, length);
    }
}
