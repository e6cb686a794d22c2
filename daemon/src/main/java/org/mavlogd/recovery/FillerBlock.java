package org.mavlogd.recovery;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.BlockView;

/**
 * Replaces a block that never came in an ArduPilot's log, so that all others keep their places.
 *
 * <p>Zeros, and from {@link #TEXT_OFFSET} on a line that says which block it is, padded with zeros. No message begins in it
 * (A3 95), so readers pass over it to the next one; the message that was cut by the hole ends in zeros.
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

    /** Whether that stands there for that block. */
    boolean isAt(DirectBuffer data, int offset, long number) {
        // Most blocks are told by their first bytes, which costs no text.
        return data.getLong(offset) == 0 && of(number).equals(new UnsafeBuffer(data, offset, BlockView.DATA_LENGTH));
    }
}
