package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One directory of log files: the seam at which tests put a failing disk. Names are plain file names without any path.
 * Any thread may call it.
 */
public interface Disk {
    /** The directory, for people. */
    String location();

    /** Creates a new file; fails when the name is taken. */
    Output create(String name) throws IOException;

    /** Makes the names of all files durable, those of new files too. */
    void forceNames() throws IOException;

    /** Gives a file another name, which must be free, and makes the change durable. */
    void rename(String from, String to) throws IOException;

    /** The names of all files. */
    List<String> names() throws IOException;

    /** Bytes that may still be written; {@link Long#MAX_VALUE} when nobody can tell. */
    long usableBytes() throws IOException;

    /** A file that grows at its end. One thread writes; {@link #force} may be called by another at the same time. */
    interface Output extends AutoCloseable {
        /** Appends all bytes between position and limit. After a failure the file is not to be written again. */
        void write(ByteBuffer bytes) throws IOException;

        /** Returns when everything written before is on the medium. A failure is final for this file. */
        void force() throws IOException;

        @Override
        void close() throws IOException;
    }
}
