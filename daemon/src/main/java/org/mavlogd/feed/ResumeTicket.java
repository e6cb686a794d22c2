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
     * What is known of a log stream that an earlier run recorded: enough to recognize whether a stream that runs now is the
     * same.
     *
     * @param headerLow first half of the log's 16-byte file header
     * @param headerHigh second half of it: when the log began
     * @param sequence of the last chunk that is known to be stored
     * @param sequenceNs when that chunk came, on this run's monotonic clock
     * @param chunksPerSecond how fast numbers continued lately; 0 when that is not known
     * @param logUs the log's time at that chunk, in the vehicle's microseconds
     * @param usPerSecond how fast the log's time continued lately: a million for a real vehicle
     * @param lastLogUs the youngest time in the file
     * @param unnotedChunks about how many chunks more the file has; negative when it has lost some
     * @param missing numbers before {@code sequence} whose places in the file are kept, and that may still come;
     *     ascending
     * @param topics which messages the log has
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

    /** What became of it. */
    public enum State {
        /** The file is still being looked at; the ticket for it comes later. */
        PENDING,
        OPEN,
        /** A link recognised the stream and informs the recorder. */
        TAKEN,
        /** The recorder has the file. */
        RESUMED,
        /** There is nothing to continue with: the file is finished. */
        DROPPED
    }

    /** Stands for no log at all. */
    public static final ResumeTicket NONE = new ResumeTicket(null, State.DROPPED);

    /** Stands for logs that were not looked at yet. */
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

    /** An open ticket. */
    public ResumeTicket(Facts facts) {
        this(facts, State.OPEN);
    }

    public State state() {
        return state;
    }

    /** What is known of the stream; not there for {@link #NONE} and {@link #PENDING}. */
    public Facts facts() {
        if (facts == null) {
            throw new IllegalStateException("a ticket that is " + state + " has no facts");
        }
        return facts;
    }

    /** The link continues with the log; false when it was dropped or taken before. */
    public boolean take() {
        return change(State.OPEN, State.TAKEN);
    }

    /** The link that took it could not tell the recorder yet. */
    public void giveBack() {
        change(State.TAKEN, State.OPEN);
    }

    /** The recorder has it. */
    public boolean resume() {
        return change(State.TAKEN, State.RESUMED);
    }

    /** Gives it up, unless it was taken. */
    public boolean drop() {
        return change(State.OPEN, State.DROPPED);
    }

    private boolean change(State from, State to) {
        return STATE.compareAndSet(this, from, to);
    }
}
