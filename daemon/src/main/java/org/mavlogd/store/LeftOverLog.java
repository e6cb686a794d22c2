package org.mavlogd.store;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.feed.StreamFacts;

/**
 * An unfinished log of an earlier run that may go on. Immutable but for its ticket's state.
 */
public final class LeftOverLog {
    private final String stem;
    private final long bytes;
    private final DirectBuffer head;
    private final ResumeTicket ticket;

    LeftOverLog(String stem, long bytes, byte[] head, ResumeTicket ticket) {
        this.stem = stem;
        this.bytes = bytes;
        this.head = new UnsafeBuffer(head);
        this.ticket = ticket;
    }

    String stem() {
        return stem;
    }

    String unfinishedName() {
        return stem + LogName.UNFINISHED_SUFFIX;
    }

    /** The name that it will have. */
    public String fileName() {
        return stem + LogName.FINISHED_SUFFIX;
    }

    /** Its length up to the last whole message. */
    long bytes() {
        return bytes;
    }

    /** The file header and all whole messages of the definitions, then formats, subscriptions and parameters. */
    public DirectBuffer head() {
        return head;
    }

    public StreamFacts facts() {
        return ticket.facts();
    }

    ResumeTicket ticket() {
        return ticket;
    }
}
