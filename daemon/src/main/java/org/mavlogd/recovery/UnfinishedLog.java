package org.mavlogd.recovery;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.HeadCollector;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogKind;

/**
 * An unfinished log of an earlier run that may continue. Immutable but for its ticket's state, and for what the keeper reads of
 * it when the recorder asks.
 */
public final class UnfinishedLog {
    private final LogKind kind;
    private final String stem;
    private final long bytes;
    private final DirectBuffer head;
    private final DirectBuffer localHead;
    private final long lastLocalUs;
    private final long headEnd;
    private final ResumeTicket ticket;
    private final AtomicReference<Past> past = new AtomicReference<>(Past.UNWANTED);

    /** All definitions of the log: requested by the recorder, read and then handed over by the keeper. */
    private record Past(State state, @Nullable HeadCollector collector) {
        private static final Past UNWANTED = new Past(State.UNWANTED, null);
        private static final Past WANTED = new Past(State.WANTED, null);
        private static final Past GIVEN_UP = new Past(State.GIVEN_UP, null);

        private enum State {
            UNWANTED,
            WANTED,
            READ,
            GIVEN_UP
        }
    }

    /** A log whose complete messages the scan has seen. */
    UnfinishedLog(String stem, long bytes, UnfinishedScan scan, ResumeTicket ticket) {
        this.kind = LogKind.ULG;
        this.stem = stem;
        this.bytes = bytes;
        this.head = new UnsafeBuffer(scan.head());
        this.localHead = new UnsafeBuffer(scan.localHead());
        this.lastLocalUs = scan.lastLocalUs();
        this.headEnd = scan.headEnd();
        this.ticket = ticket;
    }

    /**
     * A log of blocks, of which there are only whole ones.
     *
     * @param head the first of them
     */
    UnfinishedLog(String stem, long bytes, ByteBuffer head, ResumeTicket ticket) {
        this.kind = LogKind.BIN;
        this.stem = stem;
        this.bytes = bytes;
        this.head = new UnsafeBuffer(head);
        this.localHead = new UnsafeBuffer(new byte[0]);
        this.lastLocalUs = -1;
        this.headEnd = 0;
        this.ticket = ticket;
    }

    /** From where its file continues. */
    public LogFile.Start start() {
        return new LogFile.Start(stem, kind, bytes, headEnd);
    }

    String unfinishedName() {
        return kind.unfinished(stem);
    }

    /** The name that it will have. */
    public String fileName() {
        return kind.finished(stem);
    }

    /** Its length up to the last complete message or block. */
    long bytes() {
        return bytes;
    }

    /**
     * Of the vehicle's: the file header and all complete messages of the definitions, then formats, subscriptions and parameters;
     * of a log of blocks the first 256 KiB.
     */
    public DirectBuffer head() {
        return head;
    }

    /** What this computer put into the definitions, and its subscriptions: complete messages; empty when there are none. */
    public DirectBuffer localHead() {
        return localHead;
    }

    /** The youngest time of this computer's own messages in the log, or -1. */
    public long lastLocalUs() {
        return lastLocalUs;
    }

    /** Recorder: requests the definitions in a log of blocks up to its end. */
    public void wantPast() {
        past.compareAndSet(Past.UNWANTED, Past.WANTED);
    }

    /** Recorder: nobody waits for it any more. */
    public void noPast() {
        past.set(Past.GIVEN_UP);
    }

    /** Recorder: whether it is still being read. */
    public boolean isPastAwaited() {
        Past.State state = now().state();
        return state == Past.State.UNWANTED || state == Past.State.WANTED;
    }

    /** Recorder: the definitions of the log, which then belong to the caller; null when they are not read yet, or cannot be. */
    public @Nullable HeadCollector takePast() {
        HeadCollector read = now().collector();
        if (read != null) {
            past.set(Past.GIVEN_UP);
        }
        return read;
    }

    private Past now() {
        return Objects.requireNonNull(past.get());
    }

    /** Keeper: whether the recorder waits for it. */
    boolean isPastNeeded() {
        return now().state() == Past.State.WANTED;
    }

    /** Keeper: what was read; not the keeper's any more. */
    void past(HeadCollector read) {
        past.compareAndSet(Past.WANTED, new Past(Past.State.READ, read));
    }

    public ResumeTicket.Facts facts() {
        return ticket.facts();
    }

    ResumeTicket ticket() {
        return ticket;
    }
}
