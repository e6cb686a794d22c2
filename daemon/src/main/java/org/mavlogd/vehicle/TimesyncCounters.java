package org.mavlogd.vehicle;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Durations;
import org.mavlogd.metrics.Metrics;

/**
 * What one link said and heard about clocks. Written by the link's thread.
 *
 * @param requests that we sent
 * @param roundTrips from a request to its answer
 * @param ignored answers to somebody else's, or to none
 * @param answered requests of vehicles that we answered
 */
record TimesyncCounters(Counter requests, Durations roundTrips, Counter ignored, Counter answered) {
    static TimesyncCounters register(Metrics metrics, String link) {
        return new TimesyncCounters(
                metrics.counter("timesync.requests", "Times that vehicles were asked for their clock", "link", link),
                metrics.durations(
                        "timesync.round.trip", "From a request for a vehicle's clock to its answer", "link", link),
                metrics.counter(
                        "timesync.ignored",
                        "Answers about clocks that were not for us, or to no request",
                        "link",
                        link),
                metrics.counter("timesync.answered", "Requests of vehicles for our clock, answered", "link", link));
    }
}
