package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file to append to: what {@link ULogAppender} needs of it, and what a test cuts off anywhere. */
interface AppendFile {
    long length() throws IOException;

    /** Reads as many bytes as remain, or as there are. */
    void read(long position, ByteBuffer target) throws IOException;

    /** Writes all bytes that remain; past the end the file grows. */
    void write(long position, ByteBuffer source) throws IOException;

    void force() throws IOException;
}
