package org.mavlogd.vehicle;

import org.mavlogd.mavlink.Timesync;
import org.mavlogd.peer.Peer;
import org.mavlogd.time.ClockState;

/** Messages to one vehicle about its clock. Time is an argument. Link's thread. */
interface ClockConversation {
    /** TIMESYNC of the vehicle. */
    void onTimesync(Timesync message, Peer from, long nowNs);

    /** SYSTEM_TIME.time_boot_ms of the vehicle. */
    void onBootTime(long bootMs, long nowNs);

    /**
     * Does what is due.
     *
     * @param recorded whether the vehicle's log is or will be recorded here: nobody else is asked
     * @param heard whether the vehicle is there
     * @param to where it is
     */
    void onTick(boolean recorded, boolean heard, Peer to, long nowNs);

    ClockState state(long nowNs);
}
