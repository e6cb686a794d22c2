package org.mavlogd.vehicle;

import java.util.Optional;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.metrics.Metrics;

/** What the clocks of all vehicles of one link have in common. Owned by the link's thread. */
record LinkClocks(
        TimesyncSettings settings, Optional<ClockTopic> topic, TimesyncCounters counters, ContainedPart errors) {
    static LinkClocks of(String link, TimesyncSettings settings, LocalPublisher local, Metrics metrics) {
        return new LinkClocks(
                settings,
                settings.asks() ? Optional.of(new ClockTopic(link, local, metrics)) : Optional.empty(),
                TimesyncCounters.register(metrics, link),
                metrics.part("clock." + link, Recovery.PAUSES));
    }
}
