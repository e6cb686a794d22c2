package org.mavlogd.app;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mavlogd.text.Failures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a second recorder out of a log directory, because it would take files being written for unfinished ones of an
 * earlier run. The kernel releases the lock when the process ends, in whatever way.
 *
 * <p>Only its owner can open the file, because every user who can read a file can lock it. Root is refused in the
 * directory of the service, whose user could not write the files that root leaves there.
 */
public final class DirectoryLock implements AutoCloseable {
    /** The daemon cannot start; the message gives the reason and the fix. */
    public static final class StartException extends Exception {
        private static final long serialVersionUID = 1;

        public StartException(String message) {
            super(message);
        }
    }

    public static final String FILE = ".lock";

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final String SERVICE_USER = "mavlogd";
    private static final int ROOT = 0;
    private static final Path SELF = Path.of("/proc/self");
    private static final Path KERNEL_LOCKS = Path.of("/proc/locks");

    private final @Nullable FileChannel channel;

    private DirectoryLock(@Nullable FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock. If the directory cannot be written, or has no locks, it starts without one: then no log can be
     * written there either, or only one computer sees the directory.
     */
    public static DirectoryLock take(Path directory) throws StartException {
        FileChannel channel = null;
        try {
            Files.createDirectories(directory);
            refuseRoot(directory);
            channel = open(directory);
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
            LOG.warn("a second recorder cannot be kept out of the log directory: {}", Failures.text(directory, e));
            return new DirectoryLock(null);
        }
    }

    private static FileChannel open(Path directory) throws IOException, StartException {
        Path file = directory.resolve(FILE);
        try {
            return openOwn(file);
        } catch (AccessDeniedException e) {
            // Left by another user, perhaps root. In the user's own directory it can be replaced.
            if (isHeld(directory)) {
                throw inUse(directory);
            }
            if (!Files.deleteIfExists(file)) {
                throw e; // there is none: the directory itself cannot be written
            }
            return openOwn(file);
        }
    }

    private static FileChannel openOwn(Path file) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        try {
            Files.setPosixFilePermissions(file, OWNER_ONLY); // older versions made it readable by all
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("lock: {}", e.toString());
        }
        return channel;
    }

    private static void refuseRoot(Path directory) throws IOException, StartException {
        if (owner(SELF) != ROOT || !isServices(directory)) {
            return;
        }
        Path probe = Files.createTempFile(directory, ".owner", "");
        boolean isRoots = owner(probe) == ROOT; // not so on FAT, where all files belong to the user of the mount
        Files.delete(probe);
        if (isRoots) {
            throw new StartException(
                    "[log] directory " + directory + " belongs to another user, and root would leave files"
                            + " there that this user cannot write: start the service (systemctl start mavlogd), run this as that"
                            + " user (sudo -u " + Files.getOwner(directory).getName() + "), or set another directory");
        }
    }

    private static boolean isServices(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                ? owner(file) != ROOT
                : Files.getOwner(directory).getName().equals(SERVICE_USER);
    }

    private static int owner(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid") instanceof Integer number ? number : -1;
    }

    /** Whether a recorder is running there. */
    public static boolean isHeld(Path directory) {
        Path file = directory.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (AccessDeniedException e) {
            return isHeldByKernel(file, KERNEL_LOCKS);
        } catch (IOException e) {
            LOG.debug("lock: {}", e.toString());
            return false;
        }
    }

    /**
     * Whether the kernel lists a lock on a file that this user may not open.
     *
     * @param locks in the form of /proc/locks: {@code 1: POSIX  ADVISORY  WRITE 4711 08:01:131094 0 EOF}, see proc(5)
     */
    public static boolean isHeldByKernel(Path file, Path locks) {
        try (Stream<String> lines = Files.lines(locks, StandardCharsets.ISO_8859_1)) {
            // Only the inode's number: for some file systems the device differs from that of stat.
            String inode = ":" + Files.getAttribute(file, "unix:ino");
            return lines.map(line -> line.trim().split("\\s+"))
                    .anyMatch(words -> words.length > 5 && words[3].equals("WRITE") && words[5].endsWith(inode));
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
