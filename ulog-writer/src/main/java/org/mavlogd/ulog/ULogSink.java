package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The destination of a log's bytes, which are appended: a file, memory, a channel.
 *
 * <p>Owned by one thread. After an exception it is unknown which bytes were written, and the sink must not be used
 * again.
 */
public interface ULogSink {
    /** Appends all bytes between position and limit, and moves the buffer's position to its limit. */
    void write(ByteBuffer bytes) throws IOException;

    /** Number of bytes appended so far. */
    long position();
}
