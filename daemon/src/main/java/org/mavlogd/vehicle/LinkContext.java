package org.mavlogd.vehicle;

import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Durations;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.ardupilot.ArduPilotCounters;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.conversation.NewLogs;
import org.mavlogd.vehicle.px4.Px4Counters;

/** Objects that all vehicles of one link share. Owned by the link's thread. */
record LinkContext(
        LinkFeeds feeds,
        ConversationSettings settings,
        VehicleLogs logs,
        FrameSender sender,
        NewLogs newLogs,
        DroppedFrames counters,
        Px4Counters px4Counters,
        ArduPilotCounters arduPilotCounters,
        Clocks clocks) {
    /** The link's name. */
    String link() {
        return feeds.link();
    }

    /** The settings of the log conversation with one vehicle, which is reached at that peer. */
    LogConversation.Settings sessionSettings(int systemId, int componentId, Peer peer) {
        return new LogConversation.Settings(
                systemId, componentId, settings.ownComponentId(), settings.silenceNs(), peer.isDatagram());
    }

    /**
     * Counters of the messages about clocks on one link. Written by the link's thread.
     *
     * @param requests requests that mavlogd sent
     * @param roundTrips time from a request to its answer
     * @param ignored answers to requests of others, or to none
     * @param answered requests of vehicles that mavlogd answered
     */
    record TimesyncCounters(Counter requests, Durations roundTrips, Counter ignored, Counter answered) {
        static TimesyncCounters register(Metrics metrics, String link) {
            return new TimesyncCounters(
                    metrics.counter(
                            "timesync.requests", "Times that vehicles were asked for their clock", "link", link),
                    metrics.durations(
                            "timesync.round.trip", "From a request for a vehicle's clock to its answer", "link", link),
                    metrics.counter(
                            "timesync.ignored",
                            "Answers about clocks for another receiver, or without a request",
                            "link",
                            link),
                    metrics.counter("timesync.answered", "Requests of vehicles for our clock, answered", "link", link));
        }
    }

    /**
     * Good frames of one link that had no effect. Written by the link's thread.
     *
     * @param foreign frames with a vehicle's id that came from another peer
     * @param excessVehicles heartbeats of vehicles without a free place, or of new vehicles that came too fast
     * @param unknownVehicleChunks log chunks of senders of which no heartbeat came
     */
    record DroppedFrames(Counter foreign, Counter excessVehicles, Counter unknownVehicleChunks) {
        static DroppedFrames register(Metrics metrics, String link) {
            return new DroppedFrames(
                    metrics.counter(
                            "vehicle.dropped.frames",
                            "Frames in a vehicle's name that had no effect",
                            "link",
                            link,
                            "cause",
                            "foreign_source"),
                    metrics.counter(
                            "vehicle.dropped.frames",
                            "Frames in a vehicle's name that had no effect",
                            "link",
                            link,
                            "cause",
                            "too_many_vehicles"),
                    metrics.counter(
                            "px4.unknown.vehicle.chunks", "Log chunks of senders without a heartbeat", "link", link));
        }
    }

    /** Objects for clocks that all vehicles of one link share. Owned by the link's thread. */
    record Clocks(
            ConversationSettings.Timesync settings,
            LinkFeeds.ClockListener listener,
            TimesyncCounters counters,
            ContainedPart errors) {
        static Clocks of(
                String link,
                ConversationSettings.Timesync settings,
                LinkFeeds.ClockListener listener,
                Metrics metrics) {
            return new Clocks(
                    settings,
                    listener,
                    TimesyncCounters.register(metrics, link),
                    metrics.part("clock." + link, Recovery.PAUSES));
        }
    }
}
