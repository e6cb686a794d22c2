package org.mavlogd.link;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.Peer;

/** A program that sends to a Unix socket, identified by the path that it bound. Owned by the link's thread. */
final class UnixPeer implements Peer {
    private static final String NAMELESS = "nameless sender";

    private final String path;
    // Null if Java cannot represent the path: the kernel accepts bytes that are not characters.
    private final @Nullable Path place;
    private final byte[] pathBytes;
    private final Sender sender;
    private long lastHeardNs;

    /** Sends one datagram. */
    interface Sender {
        void send(UnixPeer to, byte[] buffer, int offset, int length);
    }

    /** @param path empty for the peer that represents all senders without one */
    UnixPeer(String path, Sender sender, long nowNs) {
        this.path = path;
        this.place = place(path);
        this.pathBytes = path.getBytes(StandardCharsets.UTF_8);
        this.sender = sender;
        this.lastHeardNs = nowNs;
    }

    private static @Nullable Path place(String path) {
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    void heard(long nowNs) {
        lastHeardNs = nowNs;
    }

    boolean isForgotten(long nowNs) {
        return nowNs - lastHeardNs >= UdpPeer.FORGET_NS;
    }

    byte[] pathBytes() {
        return pathBytes;
    }

    /** Whether the path still is the peer's socket, and not a link to another one. */
    boolean isInPlace() {
        return isReachable() && place != null && SocketPath.isDirect(place);
    }

    @Override
    public String address() {
        return isReachable() ? path : NAMELESS;
    }

    @Override
    public boolean isDatagram() {
        return true;
    }

    /** The kernel reports the path, so it cannot be forged. */
    @Override
    public boolean isExpected() {
        return isReachable();
    }

    @Override
    public boolean isReachable() {
        return !path.isEmpty();
    }

    @Override
    public void send(byte[] buffer, int offset, int length) {
        sender.send(this, buffer, offset, length);
    }

    @Override
    public String toString() {
        return address();
    }
}
