package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A sink whose earlier bytes can be changed and that can be made durable: a file, or memory.
 *
 * <p>Owned by one thread.
 */
public interface PatchableSink extends ULogSink {
    /**
     * Overwrites bytes already appended, from {@code position} on; the position for appending stays.
     *
     * @throws IllegalArgumentException if the patch does not lie wholly before {@link #position()}
     */
    void patch(long position, ByteBuffer bytes) throws IOException;

    /** Hands everything buffered here to the disk, where other processes can read it. */
    void flush() throws IOException;

    /** Flushes, then makes everything durable: it survives a power cut once this returns. */
    void force() throws IOException;
}
