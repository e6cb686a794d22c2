package org.mavlogd.link;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.Peer;

/** One program that sends to a Unix socket, by the path that it bound. Owned by the link's thread. */
final class UnixPeer implements Peer {
    private static final String NAMELESS = "nameless sender";

    private final String path;
    // Null where Java has no name for it: not all bytes that the kernel takes are characters.
    private final @Nullable Path place;
    private final byte[] pathBytes;
    private final Sender sender;
    private long lastHeardNs;

    /** Sends one datagram. */
    interface Sender {
        void send(UnixPeer to, byte[] buffer, int offset, int length);
    }

    /** @param path empty for all those together that have none */
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

    /** Whether its socket still lies where it was bound, and not a link to the socket of somebody else. */
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

    /** Its path is told by the kernel: nobody can forge it. */
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
