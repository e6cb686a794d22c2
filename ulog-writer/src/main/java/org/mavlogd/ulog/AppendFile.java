package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A log file that {@link ULogAppender} appends to; tests replace it.
 *
 * <p>Positions and lengths are in bytes from the start of the file. Every method throws {@link IOException} if the
 * device fails; a write that fails may have written any part. The appender then calls {@link #truncate} and {@link
 * #write} to undo its changes. Used by the appending thread, one call at a time.
 */
public interface AppendFile {
    long length() throws IOException;

    /** Reads from a position until the target is full or the file ends; reads nothing at the end of the file. */
    void read(long position, ByteBuffer target) throws IOException;

    /** Writes all remaining bytes of the source. The position is at most the length; the file grows as needed. */
    void write(long position, ByteBuffer source) throws IOException;

    /** Truncates the file to a length that is at most the current one. */
    void truncate(long length) throws IOException;

    /** Returns when all written bytes and the length are on disk, so that they survive a power cut. */
    void force() throws IOException;
}
