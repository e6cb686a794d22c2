package org.mavlogd.lake;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source of logs for a lake: a folder or a bucket. */
interface LogSource extends Closeable {
    /** The start of a bucket's address. */
    String SCHEME = "s3://";

    /** The source itself has failed, not one log: nothing more can be read from it now. */
    final class Failure extends IOException {
        private static final long serialVersionUID = 1;

        Failure(String reason, @Nullable Throwable cause) {
            super(reason, cause);
        }
    }

    /**
     * All logs, by name. Their files need not exist before {@link #fetch}.
     *
     * @throws IOException if the source, or a part of it, cannot be read
     */
    List<SourceLog> logs() throws IOException;

    /**
     * Makes the file of a log available until {@link #release}.
     *
     * @throws Failure if the source fails
     * @throws java.nio.file.FileSystemException that names the file, if it cannot be written
     * @throws IOException if this log cannot be read
     */
    default void fetch(SourceLog log) throws IOException {}

    /** The file of a log is no longer needed. */
    default void release(SourceLog log) throws IOException {}

    @Override
    default void close() {}
}
