package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A log that {@link ULogAppender} appends to: a file, or a substitute in tests.
 *
 * <p>Positions and lengths are in bytes from the file's start. Every method throws {@link IOException} if the device
 * fails; a write that fails may have written any part. The appender then calls {@link #truncate} and {@link #write} to
 * undo what it did. Used by the thread that appends, one call at a time.
 */
public interface AppendFile {
    long length() throws IOException;

    /** Reads from a position until the target is full or the file ends; that may be nothing. */
    void read(long position, ByteBuffer target) throws IOException;

    /** Writes all bytes that remain in the source. The position is at most the length; past that the file grows. */
    void write(long position, ByteBuffer source) throws IOException;

    /** Cuts the file to a length that is at most its present one. */
    void truncate(long length) throws IOException;

    /** Returns when all that was written, and the length, is on disk: a loss of power keeps it. */
    void force() throws IOException;
}
