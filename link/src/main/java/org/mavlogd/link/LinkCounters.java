package org.mavlogd.link;

import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;

/**
 * Counters of one link. Written by the link's thread only.
 *
 * @param receivedBytes bytes handed to the listener
 * @param receivedDatagrams datagrams handed to the listener; UDP and Unix only
 * @param sentBytes bytes accepted for sending
 * @param droppedSends calls of {@link Peer#send} whose bytes were dropped: the peer does not read, has gone, or is
 *     unreachable
 * @param refused datagrams from addresses, or connections, that were refused for lack of room or by the settings
 * @param evicted addresses forgotten, or connections closed, for a new one
 * @param cutDatagrams datagrams too long for their slot, delivered without their end
 * @param reconnects number of times that the link came up again
 * @param errors internal errors of the link and of the libraries below it, after which it opens again
 */
public record LinkCounters(
        Counter receivedBytes,
        Counter receivedDatagrams,
        Counter sentBytes,
        Counter droppedSends,
        Counter refused,
        Counter evicted,
        Counter cutDatagrams,
        Counter reconnects,
        ContainedPart errors) {

    /** Registers the counters as metrics with the tag {@code link}. */
    public static LinkCounters register(Metrics metrics, String linkName) {
        return new LinkCounters(
                metrics.counter("link.received.bytes", "Bytes received.", "link", linkName),
                metrics.counter(
                        "link.received.datagrams", "Datagrams received, of UDP and Unix sockets.", "link", linkName),
                metrics.counter("link.sent.bytes", "Bytes sent.", "link", linkName),
                metrics.counter("link.dropped.sends", "Frames that could not be sent.", "link", linkName),
                metrics.counter(
                        "link.refused.peers",
                        "Datagrams and connections refused: too many peers, or not the configured one.",
                        "link",
                        linkName),
                metrics.counter(
                        "link.evicted.peers",
                        "Addresses forgotten and connections closed to make room for new ones.",
                        "link",
                        linkName),
                metrics.counter("link.cut.datagrams", "Datagrams too long to be taken whole.", "link", linkName),
                metrics.counter("link.reconnects", "Times the link came back.", "link", linkName),
                metrics.part("link." + linkName, Recovery.PAUSES));
    }
}
