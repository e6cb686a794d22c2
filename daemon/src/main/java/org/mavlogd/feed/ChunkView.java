package org.mavlogd.feed;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One log chunk, as received in a LOGGING_DATA or LOGGING_DATA_ACKED message, with the link thread's notes about its
 * arrival. Reads a record in the ring; reused, and valid during the call only. Hot path.
 */
public final class ChunkView {
    /** Longest data of one chunk. MAVLink, LOGGING_DATA: {@code uint8_t[249] data}. */
    public static final int MAX_DATA_LENGTH = 249;
    /** {@code first_message_offset} of a chunk in which no message starts. */
    public static final int NO_MESSAGE_START = 255;

    private DirectBuffer buffer = new UnsafeBuffer(new byte[Layout.DATA]);
    private int offset;

    ChunkView wrap(DirectBuffer ring, int index) {
        buffer = ring;
        offset = index;
        return this;
    }

    /** Monotonic time at which the link received it; estimated if it waited in the kernel. */
    public long arrivalNs() {
        return buffer.getLong(offset + Layout.ARRIVAL_NS);
    }

    /** The earliest time at which the link can have received it; its age counts from there. */
    public long sinceNs() {
        return buffer.getLong(offset + Layout.SINCE_NS);
    }

    /** LOGGING_DATA.sequence: unsigned 16 bit, wraps. */
    public int sequence() {
        return buffer.getShort(offset + Layout.SEQUENCE) & 0xFFFF;
    }

    /** Offset in {@link #data} of the first message that starts here, or {@link #NO_MESSAGE_START}. */
    public int firstMessageOffset() {
        return buffer.getByte(offset + Layout.FIRST_MESSAGE_OFFSET) & 0xFF;
    }

    /** Valid bytes of {@link #data}: 0 to {@link #MAX_DATA_LENGTH}. */
    public int length() {
        return buffer.getByte(offset + Layout.LENGTH) & 0xFF;
    }

    /** The number of its MAVLink frame, and which earlier frames of this vehicle had arrived: a {@link FrameTrail}. */
    public long frames() {
        return buffer.getLong(offset + Layout.FRAMES);
    }

    /** Chunks of this session that did not fit into the ring so far. */
    public int ringDropped() {
        return buffer.getInt(offset + Layout.RING_DROPPED);
    }

    /** The buffer that holds the data, at {@link #dataOffset}. */
    public DirectBuffer data() {
        return buffer;
    }

    public int dataOffset() {
        return offset + Layout.DATA;
    }

    /**
     * The layout of a chunk record in the ring, native byte order. Each offset is computed from the previous one.
     *
     * <pre>
     * session i32 | ring dropped i32 | arrival ns i64 | frames u64 | since ns i64 | sequence u16 | length u8 | first
     * message u8 | data
     * </pre>
     */
    static final class Layout {
        static final int SESSION = 0;
        static final int RING_DROPPED = SESSION + Integer.BYTES;
        static final int ARRIVAL_NS = RING_DROPPED + Integer.BYTES;
        static final int FRAMES = ARRIVAL_NS + Long.BYTES;
        static final int SINCE_NS = FRAMES + Long.BYTES;
        static final int SEQUENCE = SINCE_NS + Long.BYTES;
        static final int LENGTH = SEQUENCE + Short.BYTES;
        static final int FIRST_MESSAGE_OFFSET = LENGTH + Byte.BYTES;
        static final int DATA = FIRST_MESSAGE_OFFSET + Byte.BYTES;

        private Layout() {}
    }
}
