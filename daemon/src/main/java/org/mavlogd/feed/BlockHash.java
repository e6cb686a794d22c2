package org.mavlogd.feed;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A hash that distinguishes log blocks of different content, also across runs. Hot path. */
public final class BlockHash {
    /** The value for a block whose content is not known. */
    public static final long UNKNOWN = 0;

    /** The value before the first word. */
    public static final long START = 1;

    // 64 bits, odd, without a pattern: the golden ratio, as in SplittableRandom.
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private BlockHash() {}

    /** Adds the next eight bytes, little endian. */
    public static long add(long hash, long word) {
        long mixed = (hash ^ word) * MIX;
        return mixed ^ (mixed >>> 32);
    }

    /** The final value after the last word; never {@link #UNKNOWN}. */
    public static long finish(long hash) {
        return hash == UNKNOWN ? START : hash;
    }

    /** The hash of a complete block between position and limit. */
    public static long of(ByteBuffer block) {
        ByteBuffer bytes = block.slice().order(ByteOrder.LITTLE_ENDIAN);
        long hash = START;
        while (bytes.remaining() >= Long.BYTES) {
            hash = add(hash, bytes.getLong());
        }
        return finish(hash);
    }
}
