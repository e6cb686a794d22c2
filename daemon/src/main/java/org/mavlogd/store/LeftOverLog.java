package org.mavlogd.store;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.feed.StreamFacts;

/**
 * An unfinished log of an earlier run that may go on. Immutable but for its ticket's state.
 */
public final class LeftOverLog {
    private final LogKind kind;
    private final String stem;
    private final long bytes;
    private final DirectBuffer head;
    private final DirectBuffer localHead;
    private final long lastLocalUs;
    private final ResumeTicket ticket;

    /** A log whose whole messages the scan has seen. */
    LeftOverLog(String stem, long bytes, LeftOverScan scan, ResumeTicket ticket) {
        this.kind = LogKind.ULG;
        this.stem = stem;
        this.bytes = bytes;
        this.head = new UnsafeBuffer(scan.head());
        this.localHead = new UnsafeBuffer(scan.localHead());
        this.lastLocalUs = scan.lastLocalUs();
        this.ticket = ticket;
    }

    /**
     * A log of blocks, of which there are only whole ones.
     *
     * @param head the first of them
     */
    LeftOverLog(String stem, long bytes, ByteBuffer head, ResumeTicket ticket) {
        this.kind = LogKind.BIN;
        this.stem = stem;
        this.bytes = bytes;
        this.head = new UnsafeBuffer(head);
        this.localHead = new UnsafeBuffer(new byte[0]);
        this.lastLocalUs = -1;
        this.ticket = ticket;
    }

    LogKind kind() {
        return kind;
    }

    String stem() {
        return stem;
    }

    String unfinishedName() {
        return kind.unfinished(stem);
    }

    /** The name that it will have. */
    public String fileName() {
        return kind.finished(stem);
    }

    /** Its length up to the last whole message or block. */
    long bytes() {
        return bytes;
    }

    /**
     * Of the vehicle's: the file header and all whole messages of the definitions, then formats, subscriptions and parameters;
     * of a log of blocks the first 256 KiB.
     */
    public DirectBuffer head() {
        return head;
    }

    /** What this computer put into the definitions, and its subscriptions: whole messages; empty when there are none. */
    public DirectBuffer localHead() {
        return localHead;
    }

    /** The youngest time of this computer's own messages in the log, or -1. */
    public long lastLocalUs() {
        return lastLocalUs;
    }

    public StreamFacts facts() {
        return ticket.facts();
    }

    ResumeTicket ticket() {
        return ticket;
    }
}
