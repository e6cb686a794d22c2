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
 * @param detail a problem that the user should know; empty if there is none
 * @param signed whether it signed frames with the configured key
 * @param foreignFrames frames with its id that were dropped because they came from another peer
 * @param clock the comparison of its clock with this computer's
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
