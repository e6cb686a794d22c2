package org.mavlogd.link;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The peers of a UDP socket, by address. Its capacity is fixed: when it is full, the link must remove a peer before it
 * adds one, so a flood from forged addresses displaces no vehicle. Owned by the link's thread. Finding a peer is on the
 * hot path.
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

    /** Whether a usable frame came from any peer. */
    boolean hasSpeaker() {
        for (int i = 0; i < count; i++) {
            if (peers[i].hasSpoken()) {
                return true;
            }
        }
        return false;
    }

    int count() {
        return count;
    }

    /** The peer of a table with room for one; null if there is none. */
    @Nullable
    UdpPeer first() {
        return count == 0 ? null : peers[0];
    }

    void add(UdpPeer peer) {
        if (isFull()) {
            throw new IllegalStateException("peer table of " + peers.length + " is full, " + peer.address());
        }
        peers[count++] = peer;
    }

    /** Removes one peer that has been silent for too long; null if there is none. */
    @Nullable
    UdpPeer removeForgotten(long nowNs) {
        for (int i = 0; i < count; i++) {
            if (peers[i].isForgotten(nowNs)) {
                return remove(i);
            }
        }
        return null;
    }

    /** Removes the least important peer, among equals the longest silent; null if all must be kept. */
    @Nullable
    UdpPeer removeLeast() {
        int least = -1;
        for (int i = 0; i < count; i++) {
            if (!peers[i].isKept() && (least < 0 || peers[i].mattersLessThan(peers[least]))) {
                least = i;
            }
        }
        return least < 0 ? null : remove(least);
    }

    /** Removes any peer; null if there is none. */
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
