package org.mavlogd.simulate.px4;

import org.mavlogd.simulate.LossCounters;

/**
 * What came of a simulation.
 *
 * @param vehicle what the vehicle did
 * @param channel what happened to its frames on their way
 * @param unsent frames that the socket or the device did not take
 */
public record Px4Report(VehicleCounters vehicle, LossCounters channel, long unsent) {
    /** One line for people. */
    public String summary() {
        return String.format(
                "sessions %d, chunks %d (%d bytes), repeated %d, acknowledged %d, given up %d, dropped by the vehicle's queue %d, "
                        + "messages skipped %d; channel: %s; unsent %d",
                vehicle.sessions(),
                vehicle.chunks(),
                vehicle.chunkBytes(),
                vehicle.repeats(),
                vehicle.acks(),
                vehicle.givenUp(),
                vehicle.dropped(),
                vehicle.skippedMessages(),
                channel.summary(),
                unsent);
    }
}
