package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A sink whose bytes can be overwritten and made durable: a file, or memory.
 *
 * <p>Owned by one thread.
 */
public interface PatchableSink extends ULogSink {
    /**
     * Overwrites bytes that were appended before, from {@code position} on; appending continues at the end.
     *
     * @throws IllegalArgumentException if the patch is not completely before {@link #position()}
     */
    void patch(long position, ByteBuffer bytes) throws IOException;

    /** Passes all buffered bytes to the operating system, so that other processes can read them. */
    void flush() throws IOException;

    /** Flushes, then waits until everything is on disk, so that it survives a power cut. */
    void force() throws IOException;
}
