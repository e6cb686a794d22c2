package org.mavlogd.simulate.ardupilot;

import org.mavlogd.simulate.LossCounters;

/**
 * What came of a simulation of an ArduPilot.
 *
 * @param vehicle what the vehicle did
 * @param channel what happened to its frames on their way
 * @param unsent frames that the socket or the device did not take
 */
public record ArduPilotReport(ArduPilotCounters vehicle, LossCounters channel, long unsent) {
    /** One line for people. */
    public String summary() {
        return String.format(
                "logs %d, blocks %d, repeated %d, acknowledged %d, asked for again %d, messages dropped by the vehicle %d, "
                        + "given up %d, arming refused %d; channel: %s; unsent %d",
                vehicle.logs(),
                vehicle.blocks(),
                vehicle.repeats(),
                vehicle.acks(),
                vehicle.nacks(),
                vehicle.droppedMessages(),
                vehicle.timeouts(),
                vehicle.refusedArmings(),
                channel.summary(),
                unsent);
    }
}
