package org.mavlogd.link;

import org.mavlogd.peer.Peer;

/** A peer that may have to make room for another one where there is room for a few only. Owned by the link's thread. */
sealed interface RankedPeer extends Peer permits UdpPeer, TcpPeer {
    /** What the listener thinks of it. */
    Rank rank();

    /** When something came from it last; when it came, if nothing did. */
    long lastHeardNs();

    /** Whether it must not go to make room. */
    default boolean isKept() {
        return rank() == Rank.VEHICLE;
    }

    /** Whether this one is to go rather than the other: the lower rank, and of equal ones that silent for longer. */
    default boolean mattersLessThan(RankedPeer other) {
        return rank() == other.rank() ? lastHeardNs() - other.lastHeardNs() < 0 : rank().compareTo(other.rank()) < 0;
    }
}
