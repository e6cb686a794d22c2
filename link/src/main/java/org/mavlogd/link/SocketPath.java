package org.mavlogd.link;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * Examines the path of a Unix socket without following a symbolic link, because every user with write permission to the
 * directory could create one. Results hold only for the moment.
 */
final class SocketPath {
    // S_IFMT, S_IFSOCK, S_IFLNK and S_ISVTX of inode(7).
    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;
    private static final int SYMBOLIC_LINK = 0120000;
    private static final int STICKY = 01000;
    private static final int OTHERS_WRITE = 0022;
    private static final int ROOT = 0;

    private SocketPath() {}

    /** Whether the file is a socket, not a link to one. */
    static boolean isSocket(Path path) throws IOException {
        return isSocket(mode(path));
    }

    private static boolean isSocket(int mode) {
        return (mode & FILE_TYPE) == SOCKET;
    }

    /** Type and permissions. */
    static int mode(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    }

    static int owner(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    /** The user that this process runs as. */
    static int ownUser() throws IOException {
        return owner(Path.of("/proc/self"));
    }

    /** Whether users other than the owner could replace a file in the directory. */
    static boolean isReplaceableIn(Path directory) throws IOException {
        int mode = mode(directory.toRealPath());
        return (mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0;
    }

    /**
     * Whether the path leads to a socket without symbolic links of users other than root: it is absolute, ends at a
     * socket, and only root's links, such as {@code /var/run}, are among its directories.
     */
    static boolean isDirect(Path path) {
        if (!path.isAbsolute()) {
            return false;
        }
        try {
            if (!isSocket(path)) {
                return false;
            }
            for (Path each = path.getParent(); each != null; each = each.getParent()) {
                Map<String, Object> found = Files.readAttributes(each, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
                boolean isLink = ((int) found.getOrDefault("mode", 0) & FILE_TYPE) == SYMBOLIC_LINK;
                if (isLink && (int) found.getOrDefault("uid", ROOT) != ROOT) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false; // gone, or not visible to us
        }
    }
}
