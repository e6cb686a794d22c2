package org.mavlogd.link;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The far ends of a UDP socket, by address. Bounded: when it is full new addresses find no room, and a flood from forged
 * addresses pushes nobody out who is still talking. Owned by the link's thread. Finding a peer is on the hot path.
 */
final class PeerTable {
    private final UdpPeer[] peers;
    private int count;
    private int lastFound;

    PeerTable(int capacity) {
        peers = new UdpPeer[capacity];
    }

    @Nullable
    UdpPeer find(InetSocketAddress address) {
        // Datagrams come in runs from one sender.
        if (lastFound < count && peers[lastFound].isAt(address)) {
            return peers[lastFound];
        }
        for (int i = 0; i < count; i++) {
            if (peers[i].isAt(address)) {
                lastFound = i;
                return peers[i];
            }
        }
        return null;
    }

    boolean isFull() {
        return count == peers.length;
    }

    int count() {
        return count;
    }

    void add(UdpPeer peer) {
        if (isFull()) {
            throw new IllegalStateException("peer table of " + peers.length + " is full, " + peer.address());
        }
        peers[count++] = peer;
    }

    /** Takes out one peer that has been silent for {@code limitNs}; null when there is none. */
    @Nullable
    UdpPeer removeSilent(long nowNs, long limitNs) {
        for (int i = 0; i < count; i++) {
            if (peers[i].isSilent(nowNs, limitNs)) {
                return remove(i);
            }
        }
        return null;
    }

    /** Takes out any peer; null when there is none. */
    @Nullable
    UdpPeer removeAny() {
        return count == 0 ? null : remove(count - 1);
    }

    @SuppressWarnings("NullAway") // slots from count on are empty
    private UdpPeer remove(int index) {
        UdpPeer removed = peers[index];
        count--;
        peers[index] = peers[count];
        peers[count] = null;
        return removed;
    }
}
