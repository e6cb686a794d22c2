package org.mavlogd.vehicle;

import java.util.function.IntSupplier;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.vehicle.ardupilot.ArduPilotCounters;
import org.mavlogd.vehicle.conversation.ResumableLogs;
import org.mavlogd.vehicle.px4.Px4Counters;

/** What all vehicles of one link have in common. Owned by the link's thread. */
record LinkContext(
        String link,
        ConversationSettings settings,
        VehicleClaims claims,
        FrameSender sender,
        FeedPublisher publisher,
        IntSupplier sessionNumbers,
        LinkFrameCounters counters,
        Px4Counters px4Counters,
        ArduPilotCounters arduPilotCounters,
        ResumableLogs resumable,
        LocalPublisher local,
        LinkClocks clocks,
        OwnLogs ownLogs,
        ContainedPart fetchErrors) {}
