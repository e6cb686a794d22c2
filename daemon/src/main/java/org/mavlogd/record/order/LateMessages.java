package org.mavlogd.record.order;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.memory.MemoryShare;

/**
 * Keeps messages of topics that the current file lacks, in order, for the next file. Limited to {@link #MAX_BYTES}.
 * Owned by the recorder's thread.
 */
public final class LateMessages {
    static final int MAX_BYTES = 1 << 20;

    private static final int FIRST_BYTES = 16 << 10;

    private final MemoryShare share;
    private byte[] bytes = new byte[0];
    private final UnsafeBuffer view = new UnsafeBuffer(bytes);
    private int length;

    public LateMessages(MemoryShare share) {
        this.share = share;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    public int length() {
        return length;
    }

    public DirectBuffer buffer() {
        return view;
    }

    /** Keeps a message; false if there is no room. */
    public boolean add(DirectBuffer message, int count) {
        if (length + count > MAX_BYTES) {
            return false;
        }
        if (length + count > bytes.length) {
            int grown = Math.max(Math.max(FIRST_BYTES, 2 * bytes.length), length + count);
            if (!share.reserve(grown)) {
                return false;
            }
            share.release(bytes.length);
            bytes = Arrays.copyOf(bytes, grown);
            view.wrap(bytes);
        }
        message.getBytes(0, bytes, length, count);
        length += count;
        return true;
    }

    public void clear() {
        length = 0;
    }
}
