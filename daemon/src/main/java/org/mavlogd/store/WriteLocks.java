package org.mavlogd.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Shows other programs which files of a directory this one writes: for each a lock on one byte of the file
 * {@value #FILE}, at a position computed from the name. The kernel drops the locks when the program ends, in whatever
 * way.
 *
 * <p>The logs themselves cannot be locked: POSIX drops all locks of a process on a file when it closes any descriptor
 * of that file, and logs are read while they are written. For the same reason this file is opened only once in the
 * process. It is closed with the last lock, because a disk with an open file cannot be unmounted. Any thread.
 */
final class WriteLocks {
    static final String FILE = ".writing";

    private static final Map<Path, WriteLocks> BY_DIRECTORY = new ConcurrentHashMap<>();

    private final Path file;
    // Null while there is no lock. Guarded by this.
    private @Nullable Opened opened;

    /** The file while it is open. Guarded by the locks' monitor. */
    private static final class Opened {
        private final FileChannel channel;
        // Identifies the file, to detect that the name now belongs to another one.
        private final @Nullable Object key;
        private int locks;

        Opened(FileChannel channel, @Nullable Object key) {
            this.channel = channel;
            this.key = key;
        }
    }

    /** The lock of one name, until it is closed. */
    final class Held implements AutoCloseable {
        private final Opened its;
        private final FileLock lock;

        private Held(Opened its, FileLock lock) {
            this.its = its;
            this.lock = lock;
        }

        @Override
        public void close() throws IOException {
            synchronized (WriteLocks.this) {
                if (lock.isValid()) {
                    its.locks--;
                    lock.release();
                    closeUnused(its);
                }
            }
        }
    }

    private WriteLocks(Path directory) {
        this.file = directory.resolve(FILE);
    }

    static WriteLocks of(Path directory) {
        return BY_DIRECTORY.computeIfAbsent(directory, WriteLocks::new);
    }

    /** Locks a name until the lock is closed; null if the file system has no locks, which does no harm. */
    synchronized @Nullable Held lock(String name) {
        try {
            Opened its = open();
            try {
                FileLock lock = its.channel.tryLock(place(name), 1, false);
                its.locks += lock == null ? 0 : 1;
                return lock == null ? null : new Held(its, lock);
            } finally {
                closeUnused(its);
            }
        } catch (IOException | OverlappingFileLockException e) {
            return null; // it will be listed as unfinished
        }
    }

    /** Whether a running program, this one or another, writes the file of that name. */
    synchronized boolean isLocked(String name) {
        Opened own = opened;
        try {
            if (own != null) {
                return isLocked(own.channel, name);
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                return isLocked(channel, name);
            }
        } catch (OverlappingFileLockException e) {
            return true; // by this program itself
        } catch (IOException e) {
            return false;
        }
    }

    /** A shared lock, so that it also works for a user who may only read. */
    private static boolean isLocked(FileChannel channel, String name) throws IOException {
        try (FileLock lock = channel.tryLock(place(name), 1, true)) {
            return lock == null;
        }
    }

    /** Opens the file again if the directory has been replaced, for example by another disk. */
    private Opened open() throws IOException {
        Opened own = opened;
        if (own != null && Files.exists(file) && Objects.equals(own.key, key())) {
            return own;
        }
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            own = new Opened(channel, key());
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        opened = own;
        return own;
    }

    private void closeUnused(Opened its) throws IOException {
        if (its.locks == 0) {
            opened = opened == its ? null : opened;
            its.channel.close();
        }
    }

    private @Nullable Object key() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    private static long place(String name) {
        return Integer.toUnsignedLong(name.hashCode());
    }
}
