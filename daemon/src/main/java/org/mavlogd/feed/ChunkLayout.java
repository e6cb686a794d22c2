package org.mavlogd.feed;

/**
 * A chunk record in the ring, native byte order, each offset computed from the one before.
 *
 * <pre>
 * session i32 | ring dropped i32 | arrival ns i64 | frames u64 | sequence u16 | length u8 | first message u8 | data
 * </pre>
 */
final class ChunkLayout {
    static final int SESSION = 0;
    static final int RING_DROPPED = SESSION + Integer.BYTES;
    static final int ARRIVAL_NS = RING_DROPPED + Integer.BYTES;
    static final int FRAMES = ARRIVAL_NS + Long.BYTES;
    static final int SEQUENCE = FRAMES + Long.BYTES;
    static final int LENGTH = SEQUENCE + Short.BYTES;
    static final int FIRST_MESSAGE_OFFSET = LENGTH + Byte.BYTES;
    static final int DATA = FIRST_MESSAGE_OFFSET + Byte.BYTES;

    private ChunkLayout() {}
}
