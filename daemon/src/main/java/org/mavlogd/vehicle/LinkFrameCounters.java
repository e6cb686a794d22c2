package org.mavlogd.vehicle;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Good frames of one link that had no effect. Written by the link's thread.
 *
 * @param foreign in a vehicle's name, but not from where it is
 * @param excessVehicles heartbeats of vehicles for which there was no room, or which came too fast
 * @param unknownVehicleChunks log chunks of senders that no heartbeat made known
 */
record LinkFrameCounters(Counter foreign, Counter excessVehicles, Counter unknownVehicleChunks) {
    static LinkFrameCounters register(Metrics metrics, String link) {
        return new LinkFrameCounters(
                metrics.counter(
                        "vehicle.dropped.frames",
                        "Frames in a vehicle's name that had no effect",
                        "link",
                        link,
                        "cause",
                        "foreign source"),
                metrics.counter(
                        "vehicle.dropped.frames",
                        "Frames in a vehicle's name that had no effect",
                        "link",
                        link,
                        "cause",
                        "too many vehicles"),
                metrics.counter(
                        "px4.unknown.vehicle.chunks",
                        "Log chunks of senders that no heartbeat made known",
                        "link",
                        link));
    }
}
