package org.mavlogd.feed;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One block of an ArduPilot's log, as received in a REMOTE_LOG_DATA_BLOCK message. Blocks come in any order, each once.
 * Reads a record in the ring; reused, and valid during the call only. Hot path.
 */
public final class BlockView {
    /** Bytes of each block. MAVLink, REMOTE_LOG_DATA_BLOCK: {@code uint8_t[200] data}. */
    public static final int DATA_LENGTH = 200;

    private DirectBuffer buffer = new UnsafeBuffer(new byte[Layout.LENGTH]);
    private int offset;

    BlockView wrap(DirectBuffer ring, int index) {
        buffer = ring;
        offset = index;
        return this;
    }

    /** From 0 in each log; the block's position in the log is this times {@link #DATA_LENGTH}. */
    public long number() {
        return buffer.getLong(offset + Layout.NUMBER);
    }

    /** Monotonic time at which the link received it. */
    public long arrivalNs() {
        return buffer.getLong(offset + Layout.ARRIVAL_NS);
    }

    /** The buffer that holds the data, at {@link #dataOffset}. */
    public DirectBuffer data() {
        return buffer;
    }

    public int dataOffset() {
        return offset + Layout.DATA;
    }

    /**
     * The layout of a block record in the ring, native byte order:
     * {@code session i32 | - | number i64 | arrival ns i64 | data}.
     */
    static final class Layout {
        static final int SESSION = 0;
        static final int NUMBER = Long.BYTES;
        static final int ARRIVAL_NS = NUMBER + Long.BYTES;
        static final int DATA = ARRIVAL_NS + Long.BYTES;
        static final int LENGTH = DATA + BlockView.DATA_LENGTH;

        private Layout() {}
    }
}
