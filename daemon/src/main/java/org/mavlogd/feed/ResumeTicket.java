package org.mavlogd.feed;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A log of an earlier run that may continue in its file, if its stream still runs.
 *
 * <p>Made by the keeper, taken by the link that recognises the stream, used by the recorder; dropped by the first of them
 * that finds that the log cannot continue. Its facts never change; its state changes once in each step. Any thread, never waits.
 */
public final class ResumeTicket {
    /**
     * The state in which an earlier run left a log stream: enough to recognise whether a running stream is the same.
     *
     * @param headerLow first half of the log's 16-byte file header
     * @param headerHigh second half of it: the time at which the log began
     * @param sequence of the last chunk that is known to be stored
     * @param sequenceNs when that chunk came, on this run's monotonic clock
     * @param chunksPerSecond rate of the sequence numbers lately; 0 if not known
     * @param logUs the log's time at that chunk, in the vehicle's microseconds
     * @param usPerSecond rate of the log's time lately: a million for a real vehicle
     * @param lastLogUs the youngest time in the file
     * @param unnotedChunks about how many more chunks the file has; negative if it has lost some
     * @param missing numbers before {@code sequence} whose places in the file are kept, and which may still come;
     *     ascending
     * @param topics the log's messages
     */
    public record Facts(
            int systemId,
            int componentId,
            long headerLow,
            long headerHigh,
            int sequence,
            long sequenceNs,
            double chunksPerSecond,
            long logUs,
            double usPerSecond,
            long lastLogUs,
            long unnotedChunks,
            List<Long> missing,
            KnownTopics topics) {}

    /** The state of a ticket. */
    public enum State {
        /** The file is still being examined; its ticket comes later. */
        PENDING,
        OPEN,
        /** A link recognised the stream and informs the recorder. */
        TAKEN,
        /** The recorder continues the file. */
        RESUMED,
        /** No log can continue: the file is finished. */
        DROPPED
    }

    /** No log may continue. */
    public static final ResumeTicket NONE = new ResumeTicket(null, State.DROPPED);

    /** The logs were not examined yet. */
    public static final ResumeTicket PENDING = new ResumeTicket(null, State.PENDING);

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ResumeTicket.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Facts facts;
    private volatile State state;

    private ResumeTicket(@Nullable Facts facts, State state) {
        this.facts = facts;
        this.state = state;
    }

    /** A ticket in state {@link State#OPEN}. */
    public ResumeTicket(Facts facts) {
        this(facts, State.OPEN);
    }

    public State state() {
        return state;
    }

    /** The state of the stream; {@link #NONE} and {@link #PENDING} have none. */
    public Facts facts() {
        if (facts == null) {
            throw new IllegalStateException("a ticket that is " + state + " has no facts");
        }
        return facts;
    }

    /** The link continues the log; false if it was dropped or taken before. */
    public boolean take() {
        return change(State.OPEN, State.TAKEN);
    }

    /** The link that took it could not inform the recorder yet. */
    public void giveBack() {
        change(State.TAKEN, State.OPEN);
    }

    /** The recorder continues the log; false if no link took the ticket. */
    public boolean resume() {
        return change(State.TAKEN, State.RESUMED);
    }

    /** Drops it, unless it was taken. */
    public boolean drop() {
        return change(State.OPEN, State.DROPPED);
    }

    private boolean change(State from, State to) {
        return STATE.compareAndSet(this, from, to);
    }
}
