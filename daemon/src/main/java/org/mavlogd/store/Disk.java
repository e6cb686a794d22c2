package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A directory of log files; tests replace it by a failing disk. Names are file names without a path. Any thread may
 * call it.
 */
public interface Disk {
    /** The directory, for messages. */
    String location();

    /** Creates a new file; fails if the name is taken. */
    Output create(String name) throws IOException;

    /** Continues an existing file, of which only the first {@code length} bytes are kept. */
    Output grow(String name, long length) throws IOException;

    /** Opens an existing file for reading and repair. */
    Access open(String name) throws IOException;

    /**
     * Replaces a small file atomically: after a crash it has the old content or the new one. Creates it if missing;
     * does not force it.
     */
    void replace(String name, ByteBuffer content) throws IOException;

    /** Deletes a file; fails if it does not exist. */
    void delete(String name) throws IOException;

    /** Makes the names of all files durable, including new ones. */
    void forceNames() throws IOException;

    /** Renames a file durably; the new name must be free. */
    void rename(String from, String to) throws IOException;

    /**
     * Reads the files one by one, whatever their number; none if there is no directory. Files that are created or
     * deleted meanwhile may be among them. The caller must close it.
     */
    Entries entries() throws IOException;

    /** Passes each file to {@code visitor}, without collecting them in memory. */
    default void forEach(Consumer<Entry> visitor) throws IOException {
        try (Entries entries = entries()) {
            for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
                visitor.accept(entry);
            }
        }
    }

    /** All files in a list. For programs that show them all: the recorder's heap may be too small for it. */
    default List<Entry> list() throws IOException {
        List<Entry> all = new ArrayList<>();
        forEach(all::add);
        return List.copyOf(all);
    }

    /** Whether the file exists. */
    default boolean exists(String name) throws IOException {
        try {
            peek(name, 0, ByteBuffer.allocate(0));
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Creates the directory if it is missing, and fails unless a file can be created, written and deleted in it. */
    default void probe() throws IOException {}

    /** Bytes that may still be written; {@link Long#MAX_VALUE} if not known. */
    long usableBytes() throws IOException;

    /** Size of the file system in bytes; {@link Long#MAX_VALUE} if not known. */
    default long totalBytes() throws IOException {
        return Long.MAX_VALUE;
    }

    /** Reads from a position in a file until {@code target} is full or the file ends. */
    default void peek(String name, long position, ByteBuffer target) throws IOException {
        try (Access file = open(name)) {
            file.read(position, target);
        }
    }

    /** A file and its length. */
    record Entry(String name, long bytes) {}

    /** Iterates over the files of a directory. Owned by one thread. */
    interface Entries extends AutoCloseable {
        /** For a directory that does not exist. */
        Entries NONE = new Entries() {
            @Override
            public @Nullable Entry next() {
                return null;
            }

            @Override
            public void close() {}
        };

        /** The next file; null at the end. */
        @Nullable
        Entry next() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** An existing file that is not being written. Owned by one thread. */
    interface Access extends AutoCloseable {
        long length() throws IOException;

        /** Reads until {@code target} is full or the file ends. */
        void read(long position, ByteBuffer target) throws IOException;

        /** Writes all of {@code source}. */
        void write(long position, ByteBuffer source) throws IOException;

        /** Shortens the file to {@code length} bytes; it must have at least that many. */
        void truncate(long length) throws IOException;

        void force() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A file that is written at its end. One thread writes; another may call {@link #force} at the same time. */
    interface Output extends AutoCloseable {
        /**
         * Appends all bytes between position and limit, or none if the disk can still shorten the file. After a failure
         * the file must not be written again.
         */
        void write(ByteBuffer bytes) throws IOException;

        /** Overwrites bytes that were written before. A failure is final like that of {@link #write(ByteBuffer)}. */
        void rewrite(long position, ByteBuffer bytes) throws IOException;

        /** Returns when all bytes written before are on disk. A failure is final for this file. */
        void force() throws IOException;

        @Override
        void close() throws IOException;
    }
}
