package org.mavlogd.link;

import org.mavlogd.peer.Peer;

/** A peer that may be removed for another one when the link has no room left. Owned by the link's thread. */
sealed interface RankedPeer extends Peer permits UdpPeer, TcpPeer {
    /** The importance that the listener assigned. */
    Rank rank();

    /** Time of the last bytes from the peer, or of its creation. */
    long lastHeardNs();

    /** Whether the peer must not be removed for another one. */
    default boolean isKept() {
        return rank() == Rank.VEHICLE;
    }

    /** Whether this peer is removed before the other: by lower rank, among equals by longer silence. */
    default boolean mattersLessThan(RankedPeer other) {
        return rank() == other.rank() ? lastHeardNs() - other.lastHeardNs() < 0 : rank().compareTo(other.rank()) < 0;
    }
}
