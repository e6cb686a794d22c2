package org.mavlogd.lake;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source of logs for a lake: a folder or a bucket. */
interface LogSource extends Closeable {
    /** The source itself fails, not one log of it: nothing more can be read from it now. */
    final class Failure extends IOException {
        private static final long serialVersionUID = 1;

        Failure(String reason, @Nullable Throwable cause) {
            super(reason, cause);
        }
    }

    /**
     * All logs, by their names. Their files need not be there before {@link #fetch}.
     *
     * @throws IOException if the source, or a part of it, cannot be read
     */
    List<SourceLog> logs() throws IOException;

    /**
     * Lets the file of a log be there until {@link #release}.
     *
     * @throws Failure if the source fails
     * @throws java.nio.file.FileSystemException that names the file, if it cannot be written
     * @throws IOException if this log cannot be had
     */
    default void fetch(SourceLog log) throws IOException {}

    /** The file of a log is not needed any more. */
    default void release(SourceLog log) throws IOException {}

    @Override
    default void close() {}
}
