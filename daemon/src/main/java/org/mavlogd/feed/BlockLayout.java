package org.mavlogd.feed;

/** A block record in the ring, native byte order: {@code session i32 | - | number i64 | arrival ns i64 | data}. */
final class BlockLayout {
    static final int SESSION = 0;
    static final int NUMBER = Long.BYTES;
    static final int ARRIVAL_NS = NUMBER + Long.BYTES;
    static final int DATA = ARRIVAL_NS + Long.BYTES;
    static final int LENGTH = DATA + BlockView.DATA_LENGTH;

    private BlockLayout() {}
}
