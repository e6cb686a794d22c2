package org.mavlogd.link;

import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of a Unix socket that we serve: creates it safely, sets its permissions, and deletes it. A stale socket of a
 * program that has ended is replaced, and so is one of another user in our own directory, which was created there while
 * we were not running. Files of other kinds, and sockets served by a process of our own user, are never replaced. Owned
 * by the link's thread.
 */
final class UnixSocketFile {
    private static final int ALL_PERMISSIONS = 0777;

    // Netty's text for ECONNREFUSED, errno(3): no process has bound the socket.
    private static final String CONNECTION_REFUSED = "(-111)";

    private final Path path;
    private final int mode;
    private final String group;
    private @Nullable Object ours;
    private String replaced = "";

    UnixSocketFile(LinkSettings.UnixDatagram settings) {
        this.path = Path.of(settings.path());
        this.mode = settings.mode();
        this.group = settings.group();
        if (mode < 0 || mode > ALL_PERMISSIONS) {
            throw new IllegalArgumentException("mode 0" + Integer.toOctalString(mode) + ", allowed 0 to 0777");
        }
    }

    /**
     * Call it before the socket is bound, which deletes any file there. Throws, with the reason, if the file must not
     * be deleted.
     */
    void prepare() throws IOException {
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > LinkSettings.MAX_UNIX_PATH_BYTES) {
            throw new IOException("the path has " + length + " bytes, a Unix socket takes at most "
                    + LinkSettings.MAX_UNIX_PATH_BYTES);
        }
        Path directory = path.getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            throw new IOException("there is no directory " + directory);
        }
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!SocketPath.isSocket(path)) {
            throw new IOException("there is a file that is not a socket; it is left as it is");
        }
        if (directory == null || !isForeignIn(directory)) {
            refuseServed();
        }
    }

    /** Whether another user created the socket in our directory; programs that send to it mean us. */
    private boolean isForeignIn(Path directory) throws IOException {
        int us = SocketPath.ownUser();
        int owner = SocketPath.owner(path);
        boolean isForeign = owner != us && SocketPath.owner(directory.toRealPath()) == us;
        if (isForeign) {
            replaced = path + ": user id " + owner + " had created a socket in this place; it is replaced";
        }
        return isForeign;
    }

    private void refuseServed() throws IOException {
        Socket probe = Socket.newSocketDomainDgram();
        try {
            probe.connect(new DomainSocketAddress(path.toString()));
            throw new IOException("another program serves it");
        } catch (java.net.ConnectException e) {
            if (!String.valueOf(e.getMessage()).contains(CONNECTION_REFUSED)) {
                throw new IOException("another socket is there: " + NettyLink.reason(e), e);
            }
        } catch (java.io.FileNotFoundException e) {
            // It vanished meanwhile.
        } finally {
            probe.close();
        }
    }

    /**
     * Sets the permissions of the file. Call it after the socket is bound.
     *
     * @return advice for the operator; empty if everything is as requested
     */
    String open() throws IOException {
        Object made = key();
        ours = made;
        setMode(made);
        String advice = group.isEmpty() ? "" : giveToGroup();
        advice = advice.isEmpty() ? replaceable() : advice;
        advice = advice.isEmpty() ? replaced : advice;
        replaced = "";
        return advice;
    }

    /** The system call follows links, so the file is checked to be our socket before and after it. */
    private void setMode(Object made) throws IOException {
        if (!SocketPath.isSocket(path)) {
            throw new IOException("the socket was replaced by another file");
        }
        Files.setPosixFilePermissions(path, permissions(mode));
        if (!made.equals(key()) || (SocketPath.mode(path) & ALL_PERMISSIONS) != mode) {
            throw new IOException("the socket was replaced by another file");
        }
    }

    private String replaceable() throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        return directory == null || !SocketPath.isReplaceableIn(directory)
                ? ""
                : directory
                        + ": other users may replace the socket in it; set its sticky bit (chmod +t) or remove their permission to write";
    }

    private String giveToGroup() {
        try {
            Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setGroup(
                            path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(group));
            return "";
        } catch (UserPrincipalNotFoundException e) {
            return path + ": there is no group \"" + group + "\"; the socket stays with the group of this process";
        } catch (IOException e) {
            return path + ": cannot be given to group \"" + group
                    + "\", of which this process must be a member; the socket stays with the group of this process ("
                    + e.getMessage() + ")";
        }
    }

    /** Whether the file still exists and is the one that we created. */
    boolean isOurs() {
        Object made = ours;
        try {
            return made != null && made.equals(key());
        } catch (IOException e) {
            return false;
        }
    }

    /** Deletes the file if it is ours. */
    void remove() {
        if (isOurs()) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                // The directory denies it; at the next start the file is a stale socket.
            }
        }
        ours = null;
    }

    private Object key() throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
        if (key == null) {
            throw new NoSuchFileException(path.toString());
        }
        return key;
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        // In the order of the bits, from the owner's read to the others' execute.
        PosixFilePermission[] all = PosixFilePermission.values();
        Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < all.length; i++) {
            if ((mode & 0400 >> i) != 0) {
                set.add(all[i]);
            }
        }
        return set;
    }
}
