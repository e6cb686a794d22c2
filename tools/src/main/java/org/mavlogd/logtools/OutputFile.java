package org.mavlogd.logtools;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.ULogSink;

/**
 * A file that appears under its name only when it is complete.
 *
 * <p>Until then it is written next to its place, under a hidden name. That file is deleted if it is closed before
 * {@link #commit}, or if the process is terminated.
 */
public final class OutputFile implements Closeable {
    /** Treatment of an existing file with the name. */
    public enum Existing {
        REFUSE,
        REPLACE,
        /** Like {@link #REFUSE}, for a short-lived file: it is not forced to the disk, which the recorder uses. */
        REFUSE_UNFORCED
    }

    /** Java's own list for this purpose keeps each name until the process ends, too long for a lake with many logs. */
    private static final Set<Path> UNFINISHED = deletedAtTheEnd();

    private final Path target;
    private final Path temporary;
    private final Existing existing;

    private OutputFile(Path target, Path temporary, Existing existing) {
        this.target = target;
        this.temporary = temporary;
        this.existing = existing;
    }

    /** Checks the place and chooses the hidden name; creates nothing yet. */
    public static OutputFile at(Path target, Existing existing) throws IOException {
        checkPlace(target, existing);
        // Not the process id: in a container a later process has the same one, and would append to the file of a killed
        // one.
        String hidden =
                "." + target.getFileName() + "." + ThreadLocalRandom.current().nextLong(Long.MAX_VALUE) + ".part";
        return new OutputFile(target, target.resolveSibling(hidden), existing);
    }

    /** Refuses an existing name, and always a path that is not a regular file: renaming would replace a device. */
    static void checkPlace(Path target, Existing existing) throws IOException {
        if (target.getFileName() == null || Files.isDirectory(target)) {
            throw new FileSystemException(target.toString(), null, "is a directory");
        }
        Path directory = Objects.requireNonNullElse(target.getParent(), Path.of(""));
        if (!Files.exists(directory)) {
            throw new NoSuchFileException(directory.toString());
        }
        if (!Files.isDirectory(directory)) {
            throw new NotDirectoryException(directory.toString());
        }
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (existing != Existing.REPLACE) {
            throw new FileAlreadyExistsException(target.toString(), null, "exists already");
        }
        if (!Files.isRegularFile(target)) {
            throw new FileSystemException(target.toString(), null, "is not a regular file");
        }
    }

    /** The file to write until {@link #commit}; it does not exist yet. */
    public Path temporary() {
        UNFINISHED.add(temporary);
        return temporary;
    }

    private static Set<Path> deletedAtTheEnd() {
        Set<Path> files = ConcurrentHashMap.newKeySet();
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> files.forEach(file -> file.toFile().delete()), "unfinished-files"));
        return files;
    }

    /** Adds this file's name to a write error, to distinguish it from errors of the log being read. */
    public IOException failed(IOException failure) {
        String reason = failure instanceof FileSystemException system ? system.getReason() : failure.getMessage();
        boolean isPlain = reason != null && failure.getClass() != NoSuchFileException.class;
        FileSystemException named = failure instanceof AccessDeniedException
                ? new AccessDeniedException(target.toString())
                : new FileSystemException(target.toString(), null, isPlain ? reason : "cannot be written");
        named.initCause(failure);
        return named;
    }

    /** Forces the complete file to disk and gives it its name. */
    public void commit() throws IOException {
        try {
            if (existing != Existing.REFUSE_UNFORCED) {
                force();
            }
            move();
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void force() throws IOException {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private void move() throws IOException {
        if (existing == Existing.REPLACE) {
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } else {
            moveWithoutReplacing();
        }
    }

    /** Deletes the file unless it was committed. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(temporary);
        UNFINISHED.remove(temporary);
    }

    /**
     * Renaming would replace a file created meanwhile. A hard link does not, but not every file system supports links.
     */
    private void moveWithoutReplacing() throws IOException {
        try {
            Files.createLink(target, temporary);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException e) {
            checkPlace(target, existing);
            Files.move(temporary, target);
        }
    }

    /** Writes a log to an output file. Errors name that file. */
    public static final class Sink implements ULogSink, Closeable {
        private final OutputFile file;
        private final FileSink sink;

        public Sink(OutputFile file) throws IOException {
            this.file = file;
            try {
                sink = FileSink.create(file.temporary());
            } catch (IOException e) {
                throw file.failed(e);
            }
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            try {
                sink.write(bytes);
            } catch (IOException e) {
                throw file.failed(e);
            }
        }

        /** A channel for libraries of other formats; closing it has no effect. */
        public WritableByteChannel channel() {
            return new Channel(this);
        }

        public void flush() throws IOException {
            try {
                sink.flush();
            } catch (IOException e) {
                throw file.failed(e);
            }
        }

        @Override
        public long position() {
            return sink.position();
        }

        @Override
        public void close() throws IOException {
            sink.close();
        }
    }

    private record Channel(Sink sink) implements WritableByteChannel {
        @Override
        public int write(ByteBuffer bytes) throws IOException {
            int count = bytes.remaining();
            sink.write(bytes);
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
