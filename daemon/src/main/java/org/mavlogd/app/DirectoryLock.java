package org.mavlogd.app;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a second recorder out of a log directory: it would take the growing files of the first one for left-over ones. The
 * kernel lets go of the lock when the process ends, however that happens.
 */
public final class DirectoryLock implements AutoCloseable {
    public static final String FILE = ".lock";

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);

    private final @Nullable FileChannel channel;

    private DirectoryLock(@Nullable FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock. A directory that cannot be written, or knows no locks, goes without: no log could be written there
     * either, or only one computer sees it.
     */
    public static DirectoryLock take(Path directory) throws StartException {
        FileChannel channel = null;
        try {
            Files.createDirectories(directory);
            channel = FileChannel.open(directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw inUse(directory);
            }
            return new DirectoryLock(channel);
        } catch (OverlappingFileLockException e) {
            close(channel);
            throw inUse(directory);
        } catch (IOException e) {
            close(channel);
            LOG.warn("{}: cannot be locked against a second recorder: {}", directory, e.toString());
            return new DirectoryLock(null);
        }
    }

    /** Whether a recorder runs there, as far as this user may know. */
    public static boolean isHeld(Path directory) {
        Path file = directory.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return false;
        }
        // Shared: a user who may only read there is told as well.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            LOG.debug("lock: {}", e.toString());
            return false;
        }
    }

    private static StartException inUse(Path directory) {
        return new StartException("[log] directory " + directory
                + " is in use by another mavlogd: stop that one, or give this one a directory of its own");
    }

    @Override
    public void close() {
        close(channel);
    }

    private static void close(@Nullable FileChannel channel) {
        if (channel == null) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("lock: {}", e.toString());
        }
    }
}
