package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The destination of a log's bytes: a file, memory, or anything else that grows at its end.
 *
 * <p>Owned by one thread. A sink that threw once is not to be used again: what reached the disk is then unknown.
 */
public interface ULogSink {
    /** Appends all bytes between position and limit; the buffer's position moves to its limit. */
    void write(ByteBuffer bytes) throws IOException;

    /** Bytes appended so far: the position in the log of the next byte. */
    long position();
}
