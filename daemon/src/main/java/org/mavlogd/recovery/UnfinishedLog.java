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
 * An unfinished log of an earlier run that may continue. Immutable, except for the state of its ticket, and for the
 * definitions that the keeper reads if the recorder requests them.
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

    /** All definitions of the log: requested by the recorder, read and passed on by the keeper. */
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

    /** A ULog after its scan. */
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
     * A log of complete blocks.
     *
     * @param head its first bytes
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

    /** Where writing the file continues. */
    public LogFile.Start start() {
        return new LogFile.Start(stem, kind, bytes, headEnd);
    }

    String unfinishedName() {
        return kind.unfinished(stem);
    }

    /** Its final name. */
    public String fileName() {
        return kind.finished(stem);
    }

    /** Its length up to the last complete message or block. */
    long bytes() {
        return bytes;
    }

    /**
     * The vehicle's head: the file header and all complete definitions, then formats, subscriptions and parameters. In
     * a log of blocks the first 256 KiB.
     */
    public DirectBuffer head() {
        return head;
    }

    /** This computer's definitions and subscriptions, as complete messages; empty if there are none. */
    public DirectBuffer localHead() {
        return localHead;
    }

    /** The youngest time of this computer's messages in the log; -1 if none. */
    public long lastLocalUs() {
        return lastLocalUs;
    }

    /** Requests all definitions of a log of blocks, up to its end. Recorder. */
    public void wantPast() {
        past.compareAndSet(Past.UNWANTED, Past.WANTED);
    }

    /** Withdraws the request. Recorder. */
    public void noPast() {
        past.set(Past.GIVEN_UP);
    }

    /** Whether the definitions are still being read. Recorder. */
    public boolean isPastAwaited() {
        Past.State state = now().state();
        return state == Past.State.UNWANTED || state == Past.State.WANTED;
    }

    /**
     * The definitions of the log, which then belong to the caller; null if they are not read yet, or cannot be.
     * Recorder.
     */
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

    /** Whether the recorder requested the definitions. Keeper. */
    boolean isPastNeeded() {
        return now().state() == Past.State.WANTED;
    }

    /** Passes the definitions to the recorder; they do not belong to the keeper any more. Keeper. */
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
