package org.mavlogd.vehicle;

import org.mavlogd.mavlink.Timesync;
import org.mavlogd.peer.Peer;
import org.mavlogd.time.ClockState;

/** Messages to one vehicle about its clock. Time is an argument. Owned by the link's thread. */
interface ClockConversation {
    /** Takes a TIMESYNC message of the vehicle. */
    void onTimesync(Timesync message, Peer from, long nowNs);

    /** Takes SYSTEM_TIME.time_boot_ms of the vehicle. */
    void onBootTime(long bootMs, long nowNs);

    /**
     * Sends requests that are due.
     *
     * @param recorded whether the vehicle's log is or will be recorded here; other vehicles are not asked
     * @param heard whether the vehicle was heard lately
     * @param to the peer at which the vehicle is reached
     */
    void onTick(boolean recorded, boolean heard, Peer to, long nowNs);

    ClockState state(long nowNs);
}
