package org.mavlogd.vehicle;

import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Metrics;

/** What the clocks of all vehicles of one link have in common. Owned by the link's thread. */
record LinkClocks(TimesyncSettings settings, ClockListener listener, TimesyncCounters counters, ContainedPart errors) {
    static LinkClocks of(String link, TimesyncSettings settings, ClockListener listener, Metrics metrics) {
        return new LinkClocks(
                settings,
                listener,
                TimesyncCounters.register(metrics, link),
                metrics.part("clock." + link, Recovery.PAUSES));
    }
}
