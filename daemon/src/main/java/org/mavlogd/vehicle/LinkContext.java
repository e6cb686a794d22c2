package org.mavlogd.vehicle;

import java.util.function.IntSupplier;
import org.mavlogd.vehicle.ardupilot.ArduPilotCounters;
import org.mavlogd.vehicle.px4.Px4Counters;

/** What all vehicles of one link have in common. Owned by the link's thread. */
record LinkContext(
        LinkFeeds feeds,
        ConversationSettings settings,
        VehicleLogs logs,
        FrameSender sender,
        IntSupplier sessionNumbers,
        LinkFrameCounters counters,
        Px4Counters px4Counters,
        ArduPilotCounters arduPilotCounters,
        LinkClocks clocks) {
    /** The link's name. */
    String link() {
        return feeds.link();
    }
}
