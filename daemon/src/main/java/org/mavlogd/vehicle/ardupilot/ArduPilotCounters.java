package org.mavlogd.vehicle.ardupilot;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Durations;
import org.mavlogd.metrics.Metrics;

/** Counters of the conversations of one link. Written by the link's thread. */
public final class ArduPilotCounters {
    final Counter blocks;
    final Counter repeats;
    final Counter strays;
    final Counter ringFull;
    final Counter acks;
    final Durations ackTimes;
    final Counter nacks;
    final Counter sessions;
    final Counter excessSessions;
    final Counter resumed;
    final Counter starts;
    final Counter stops;

    public ArduPilotCounters(Metrics metrics, String link) {
        blocks = metrics.counter("ardupilot.blocks", "Log blocks handed to the recorder", "link", link);
        repeats = metrics.counter("ardupilot.repeated.blocks", "Blocks that were stored before", "link", link);
        strays = metrics.counter("ardupilot.stray.blocks", "Blocks that belong to no open log", "link", link);
        ringFull = metrics.counter("ardupilot.ring.full.blocks", "Blocks refused by the full ring", "link", link);
        acks = metrics.counter("ardupilot.acks.sent", "Acks sent, repeated ones included", "link", link);
        ackTimes = metrics.durations(
                "ardupilot.ack", "From the arrival of a block to its ack, handed to the network", "link", link);
        nacks = metrics.counter("ardupilot.nacks.sent", "Times that a missing block was asked for", "link", link);
        sessions = metrics.counter("ardupilot.sessions", "Logs started by vehicles", "link", link);
        excessSessions = metrics.counter(
                "ardupilot.excess.sessions",
                "First blocks refused because too many logs started recently, or the recorder lagged",
                "link",
                link);
        resumed = metrics.counter("ardupilot.resumed.sessions", "Logs of an earlier run that continued", "link", link);
        starts = metrics.counter("ardupilot.starts.sent", "Times that the log was asked for", "link", link);
        stops = metrics.counter("ardupilot.stops.sent", "Times that the log was stopped", "link", link);
    }
}
