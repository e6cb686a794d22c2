package org.mavlogd.vehicle;

import org.mavlogd.time.ClockState;

/**
 * A snapshot of one vehicle on one link.
 *
 * @param peer the address it is heard from
 * @param autopilot its make, in words
 * @param heardMs how long ago it was heard
 * @param phase state of the log conversation, for programs
 * @param state state of the log conversation, in words
 * @param detail what the user should know about it; empty when all is well
 * @param signed whether it signed frames with our key
 * @param foreignFrames frames in its name that were dropped because they came from elsewhere
 * @param clock the comparison of its clock with ours
 */
public record VehicleStatus(
        String link,
        String peer,
        int systemId,
        int componentId,
        String autopilot,
        boolean armed,
        long heardMs,
        VehicleState phase,
        String state,
        String detail,
        boolean signed,
        long foreignFrames,
        ClockState clock) {}
