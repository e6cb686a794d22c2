package org.mavlogd.vehicle.px4;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Durations;
import org.mavlogd.metrics.Metrics;

/** Counters of the conversations of one link. Written by the link's thread. */
public final class Px4Counters {
    final Counter chunks;
    final Counter ackedChunks;
    final Counter acks;
    final Durations ackTimes;
    final Counter repeats;
    final Counter foreign;
    final Counter strays;
    final Counter stale;
    final Counter invalid;
    final Counter ringFull;
    final Counter sessions;
    final Counter excessSessions;
    final Counter resumed;
    final Counter starts;
    final Counter stops;

    public Px4Counters(Metrics metrics, String link) {
        chunks = metrics.counter("px4.chunks", "Log chunks handed to the recorder", "link", link);
        ackedChunks = metrics.counter(
                "px4.acked.chunks", "Log chunks handed to the recorder that asked for an ack", "link", link);
        acks = metrics.counter("px4.acks.sent", "Acks sent, repeated ones included", "link", link);
        ackTimes = metrics.durations(
                "px4.ack", "From the arrival of a chunk to its ack, handed to the network", "link", link);
        repeats = metrics.counter("px4.repeated.chunks", "Chunks that were stored before", "link", link);
        foreign = metrics.counter(
                "px4.foreign.chunks", "Chunks addressed to another receiver, never acknowledged", "link", link);
        strays = metrics.counter("px4.stray.chunks", "Chunks of a log whose start is missing", "link", link);
        stale = metrics.counter("px4.stale.chunks", "Chunks far behind the sequence", "link", link);
        invalid = metrics.counter("px4.invalid.chunks", "Chunks with impossible lengths", "link", link);
        ringFull = metrics.counter("px4.ring.full.chunks", "Chunks refused by the full ring", "link", link);
        sessions = metrics.counter("px4.sessions", "Logs started by vehicles", "link", link);
        excessSessions = metrics.counter(
                "px4.excess.sessions",
                "First chunks refused because too many logs started recently, or the recorder lagged",
                "link",
                link);
        resumed = metrics.counter("px4.resumed.sessions", "Logs of an earlier run that continued", "link", link);
        starts = metrics.counter("px4.starts.sent", "LOGGING_START commands sent", "link", link);
        stops = metrics.counter("px4.stops.sent", "LOGGING_STOP commands sent", "link", link);
    }
}
