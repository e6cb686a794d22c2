package org.mavlogd.recovery;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.ResumeTicket;

/**
 * The logs of an earlier run that may continue, one for each vehicle: put there by the keeper, seen by links, taken by the
 * recorder. Never waits.
 */
public final class ResumableLogs {
    private static final int SYSTEM_IDS = 256;

    private final AtomicReferenceArray<@Nullable UnfinishedLog> logs = new AtomicReferenceArray<>(SYSTEM_IDS);
    // Set before a vehicle's log is looked at, and cleared when it is on the board or will not be.
    private final AtomicReferenceArray<@Nullable Boolean> pending = new AtomicReferenceArray<>(SYSTEM_IDS);
    private volatile boolean listed;
    // Set before listed.
    private volatile long highestCounter;

    /** For a directory that is still to be listed. */
    public ResumableLogs() {}

    /** For a directory without unfinished logs. */
    public static ResumableLogs empty() {
        ResumableLogs board = new ResumableLogs();
        board.listed();
        return board;
    }

    /** Link threads: the ticket for the vehicle's log. */
    public ResumeTicket ticket(int systemId) {
        UnfinishedLog log = logs.get(systemId);
        if (log != null) {
            return log.ticket();
        }
        return listed && pending.get(systemId) == null ? ResumeTicket.NONE : ResumeTicket.PENDING;
    }

    /** Whether it is known which files are unfinished. */
    boolean isListed() {
        return listed;
    }

    /** Keeper: every file that is there from here on is one of this run. */
    void listed() {
        listed = true;
    }

    /** The highest counter of a file of an earlier run. */
    long highestCounter() {
        return highestCounter;
    }

    /** Keeper: the same, before {@link #listed}. */
    void highestCounter(long counter) {
        highestCounter = counter;
    }

    /** Keeper: the vehicle's log is being looked at. */
    void expect(int systemId) {
        pending.set(systemId, Boolean.TRUE);
    }

    /** Keeper: the vehicle's log can continue. */
    void put(int systemId, UnfinishedLog log) {
        logs.set(systemId, log);
    }

    /** Keeper: the vehicle has no log that can continue. */
    void none(int systemId) {
        pending.set(systemId, null);
    }

    /** Recorder: the log whose ticket a link took. */
    public UnfinishedLog take(int systemId) {
        UnfinishedLog log = logs.get(systemId);
        if (log == null || !log.ticket().resume()) {
            throw new IllegalStateException("no log of vehicle " + systemId + " was taken");
        }
        return log;
    }
}
