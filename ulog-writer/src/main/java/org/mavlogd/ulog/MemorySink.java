package org.mavlogd.ulog;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A sink in memory, for logs of up to 2 GiB. Owned by one thread. */
public final class MemorySink implements PatchableSink {
    private static final int FIRST_LENGTH = 4096;
    private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

    private byte[] bytes = new byte[FIRST_LENGTH];
    private int length;

    /** Creates an empty log. */
    public MemorySink() {}

    @Override
    public void write(ByteBuffer source) {
        int count = source.remaining();
        if (count > MAX_LENGTH - length) {
            throw new IllegalStateException("a log of " + ((long) length + count) + " bytes does not fit into memory");
        }
        if (count > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, (int)
                    Math.min(MAX_LENGTH, Math.max(2L * bytes.length, (long) length + count)));
        }
        source.get(bytes, length, count);
        length += count;
    }

    @Override
    public long position() {
        return length;
    }

    @Override
    public void patch(long position, ByteBuffer patch) {
        FileSink.checkPatch(position, patch, length);
        patch.get(bytes, (int) position, patch.remaining());
    }

    @Override
    public void flush() {}

    @Override
    public void force() {}

    /** A copy of the log so far. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }
}
