package org.mavlogd.recovery;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.ResumeTicket;

/**
 * The logs of an earlier run that may continue, one for each vehicle. The keeper adds them, links see their tickets,
 * the recorder takes them. Never blocks.
 */
public final class ResumableLogs {
    private static final int SYSTEM_IDS = 256;

    private final AtomicReferenceArray<@Nullable UnfinishedLog> logs = new AtomicReferenceArray<>(SYSTEM_IDS);
    // Set before a vehicle's log is examined, and cleared when it is known that it cannot continue.
    private final AtomicReferenceArray<@Nullable Boolean> pending = new AtomicReferenceArray<>(SYSTEM_IDS);
    private volatile boolean listed;
    // Set before listed.
    private volatile long highestCounter;

    /** For a directory that is not listed yet. */
    public ResumableLogs() {}

    /** For a directory without unfinished logs. */
    public static ResumableLogs empty() {
        ResumableLogs board = new ResumableLogs();
        board.listed();
        return board;
    }

    /** The ticket for the vehicle's log. Link threads. */
    public ResumeTicket ticket(int systemId) {
        UnfinishedLog log = logs.get(systemId);
        if (log != null) {
            return log.ticket();
        }
        return listed && pending.get(systemId) == null ? ResumeTicket.NONE : ResumeTicket.PENDING;
    }

    /** Whether all unfinished files are known. */
    boolean isListed() {
        return listed;
    }

    /** All unfinished files are known: files created from now on are this run's. Keeper. */
    void listed() {
        listed = true;
    }

    /** The highest counter of a file of an earlier run. */
    long highestCounter() {
        return highestCounter;
    }

    /** Sets the highest counter of a file of an earlier run, before {@link #listed}. Keeper. */
    void highestCounter(long counter) {
        highestCounter = counter;
    }

    /** The vehicle's log is being examined. Keeper. */
    void expect(int systemId) {
        pending.set(systemId, Boolean.TRUE);
    }

    /** The vehicle's log can continue. Keeper. */
    void put(int systemId, UnfinishedLog log) {
        logs.set(systemId, log);
    }

    /** The vehicle has no log that can continue. Keeper. */
    void none(int systemId) {
        pending.set(systemId, null);
    }

    /** Takes the log whose ticket a link took. Recorder. */
    public UnfinishedLog take(int systemId) {
        UnfinishedLog log = logs.get(systemId);
        if (log == null || !log.ticket().resume()) {
            throw new IllegalStateException("no log of vehicle " + systemId + " was taken");
        }
        return log;
    }
}
