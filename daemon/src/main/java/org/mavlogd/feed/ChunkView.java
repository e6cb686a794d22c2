package org.mavlogd.feed;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One log chunk, as it came out of a LOGGING_DATA or LOGGING_DATA_ACKED message, together with what the link thread knew
 * at its arrival. Reads a record in the ring; reused, and valid during the call only. Hot path.
 */
public final class ChunkView {
    /** Longest data of one chunk. MAVLink, LOGGING_DATA: {@code uint8_t[249] data}. */
    public static final int MAX_DATA_LENGTH = 249;
    /** {@code first_message_offset} of a chunk in which no message starts. */
    public static final int NO_MESSAGE_START = 255;

    private DirectBuffer buffer = new UnsafeBuffer(new byte[ChunkLayout.DATA]);
    private int offset;

    ChunkView wrap(DirectBuffer ring, int index) {
        buffer = ring;
        offset = index;
        return this;
    }

    /** Monotonic time at which the link read it. */
    public long arrivalNs() {
        return buffer.getLong(offset + ChunkLayout.ARRIVAL_NS);
    }

    /** LOGGING_DATA.sequence: unsigned 16 bit, wraps. */
    public int sequence() {
        return buffer.getShort(offset + ChunkLayout.SEQUENCE) & 0xFFFF;
    }

    /** Offset in {@link #data} of the first message that starts here, or {@link #NO_MESSAGE_START}. */
    public int firstMessageOffset() {
        return buffer.getByte(offset + ChunkLayout.FIRST_MESSAGE_OFFSET) & 0xFF;
    }

    /** Valid bytes of {@link #data}: 0 to {@link #MAX_DATA_LENGTH}. */
    public int length() {
        return buffer.getByte(offset + ChunkLayout.LENGTH) & 0xFF;
    }

    /** The MAVLink frame that brought it, and which ones of this vehicle before it had arrived: a {@link FrameTrail}. */
    public long frames() {
        return buffer.getLong(offset + ChunkLayout.FRAMES);
    }

    /** Chunks of this session that did not fit into the ring so far. */
    public int ringDropped() {
        return buffer.getInt(offset + ChunkLayout.RING_DROPPED);
    }

    /** The buffer that holds the data, at {@link #dataOffset}. */
    public DirectBuffer data() {
        return buffer;
    }

    public int dataOffset() {
        return offset + ChunkLayout.DATA;
    }
}
