package org.mavlogd.vehicle;

/** What the clocks of all vehicles of one link have in common. Owned by the link's thread. */
record LinkClocks(TimesyncSettings settings, ClockTopic topic, TimesyncCounters counters) {}
