package org.mavlogd.recovery;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.BlockView;

/**
 * Replaces a block that never came in an ArduPilot's log, so that all others keep their places.
 *
 * <p>It contains zeros, and from {@link #TEXT_OFFSET} on a line with the number of the block. No message begins in it
 * (A3 95), so readers skip it; a message that was cut by the gap ends in zeros.
 */
public final class FillerBlock {
    public static final int TEXT_OFFSET = 136;

    private final UnsafeBuffer block = new UnsafeBuffer(new byte[BlockView.DATA_LENGTH]);

    /** The filler for that block, valid until the next call. */
    public DirectBuffer of(long number) {
        byte[] text = ("mavlogd: log block " + number + " never came\n").getBytes(StandardCharsets.US_ASCII);
        block.setMemory(0, BlockView.DATA_LENGTH, (byte) 0);
        block.putBytes(TEXT_OFFSET, text);
        return block;
    }

    /** Whether the block there is this filler. */
    boolean isAt(DirectBuffer data, int offset, long number) {
        // Most blocks are distinguished by their first bytes, without making the text.
        return data.getLong(offset) == 0 && of(number).equals(new UnsafeBuffer(data, offset, BlockView.DATA_LENGTH));
    }
}
