package org.mavlogd.vehicle;

import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.conversation.LogConversation;

/**
 * Objects that a link needs for the logs of its vehicles.
 *
 * @param claims which link records which vehicle
 * @param resumable logs of an earlier run that may continue
 * @param flights follows the flights of vehicles, to fetch their own logs
 */
public record VehicleLogs(
        VehicleClaims claims, LogConversation.ResumableLogs resumable, FlightListener.Factory flights) {
    /** Continues no log of an earlier run and fetches none. */
    public static VehicleLogs of(VehicleClaims claims) {
        return new VehicleLogs(claims, LogConversation.ResumableLogs.NONE, FlightListener.Factory.NONE);
    }

    /** Whether an earlier run left a log of that vehicle open. */
    boolean isUnfinished(int systemId, int componentId) {
        ResumeTicket ticket = resumable.ticket(systemId);
        return ticket.state() == ResumeTicket.State.OPEN && ticket.facts().componentId() == componentId;
    }
}
