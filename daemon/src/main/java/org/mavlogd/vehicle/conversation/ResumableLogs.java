package org.mavlogd.vehicle.conversation;

import org.mavlogd.feed.ResumeTicket;

/** The logs of an earlier run that may go on. Called by link threads; never waits. */
@FunctionalInterface
public interface ResumableLogs {
    /** No log may go on. */
    ResumableLogs NONE = systemId -> ResumeTicket.NONE;

    /** The ticket for that vehicle, {@link ResumeTicket#NONE} or {@link ResumeTicket#PENDING}. */
    ResumeTicket ticket(int systemId);
}
