package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One directory of log files: tests replace it by a failing disk. Names are file names without a path.
 * Any thread may call it.
 */
public interface Disk {
    /** The directory, for people. */
    String location();

    /** Creates a new file; fails when the name is taken. */
    Output create(String name) throws IOException;

    /** Continues with an existing file, of which only the first {@code length} bytes are kept. */
    Output grow(String name, long length) throws IOException;

    /** Opens an existing file to look into it and to mend it. */
    Access open(String name) throws IOException;

    /**
     * Replaces a small file atomically: after a crash there is the old content or the new one. Made when missing; not forced.
     */
    void replace(String name, ByteBuffer content) throws IOException;

    /** Deletes a file that exists. */
    void delete(String name) throws IOException;

    /** Makes the names of all files durable, those of new files too. */
    void forceNames() throws IOException;

    /** Gives a file another name, which must be free, and makes the change durable. */
    void rename(String from, String to) throws IOException;

    /**
     * All files, one after the other, however many there are; none while there is no directory. Files that are made or deleted
     * meanwhile may be among them. To be closed.
     */
    Entries entries() throws IOException;

    /** Shows each file in turn: memory does not grow with their number. */
    default void forEach(Consumer<Entry> visitor) throws IOException {
        try (Entries entries = entries()) {
            for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
                visitor.accept(entry);
            }
        }
    }

    /** All files at once. For programs that show them all: the recorder's heap is not sure to have room for the list. */
    default List<Entry> list() throws IOException {
        List<Entry> all = new ArrayList<>();
        forEach(all::add);
        return List.copyOf(all);
    }

    /** Whether there is such a file. */
    default boolean exists(String name) throws IOException {
        try {
            peek(name, 0, ByteBuffer.allocate(0));
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Makes the directory when it is missing, and fails unless a file can be made, written and deleted in it. */
    default void probe() throws IOException {}

    /** Bytes that may still be written; {@link Long#MAX_VALUE} when it is not known. */
    long usableBytes() throws IOException;

    /** Bytes of the whole file system; {@link Long#MAX_VALUE} when it is not known. */
    default long totalBytes() throws IOException {
        return Long.MAX_VALUE;
    }

    /** Reads from a place in a file until {@code target} is full or the file ends. */
    default void peek(String name, long position, ByteBuffer target) throws IOException {
        try (Access file = open(name)) {
            file.read(position, target);
        }
    }

    /** A file and its length. */
    record Entry(String name, long bytes) {}

    /** The files of a directory, while they are read. Owned by one thread. */
    interface Entries extends AutoCloseable {
        /** Of a directory that is not there. */
        Entries NONE = new Entries() {
            @Override
            public @Nullable Entry next() {
                return null;
            }

            @Override
            public void close() {}
        };

        /** Null when there are no more. */
        @Nullable
        Entry next() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A file that is neither growing nor new. Owned by one thread. */
    interface Access extends AutoCloseable {
        long length() throws IOException;

        /** Reads until {@code target} is full or the file ends. */
        void read(long position, ByteBuffer target) throws IOException;

        /** Writes all of {@code source}. */
        void write(long position, ByteBuffer source) throws IOException;

        /** Cuts the file to {@code length} bytes, of which it must have that many. */
        void truncate(long length) throws IOException;

        void force() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A file that grows at its end. One thread writes; {@link #force} may be called by another at the same time. */
    interface Output extends AutoCloseable {
        /** Appends all bytes between position and limit. After a failure the file is not to be written again. */
        void write(ByteBuffer bytes) throws IOException;

        /** Writes over bytes that were written before. A failure is final like that of {@link #write(ByteBuffer)}. */
        void rewrite(long position, ByteBuffer bytes) throws IOException;

        /** Returns when everything written before is on disk. A failure is final for this file. */
        void force() throws IOException;

        @Override
        void close() throws IOException;
    }
}
