package org.mavlogd.recovery;

import org.mavlogd.store.Disk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.NameChanges;
import org.mavlogd.store.OtherRuns;

/**
 * Completes the unfinished logs of earlier runs, and keeps the notes by which a later run continues those of this one.
 * These are two parts, whose errors are contained. Owned by the keeper's thread.
 */
public final class LogRecovery implements OtherRuns {
    private final ResumableLogs board;
    private final UnfinishedLogs unfinished;
    private final StreamNotes notes;
    private final RecoveryCounters counters;

    private LogRecovery(
            Disk disk,
            Restart restart,
            RecoveryCounters counters,
            NameChanges names,
            Keeper.FinishedListener listener) {
        this.board = restart.board();
        this.unfinished = new UnfinishedLogs(disk, restart.contained(counters), names, counters, listener);
        this.notes = new StreamNotes(disk, restart.clock());
        this.counters = counters;
    }

    /** For a keeper of the same disk. */
    public static Factory of(Disk disk, Restart restart, RecoveryCounters counters) {
        return (names, listener) -> new LogRecovery(disk, restart, counters, names, listener);
    }

    @Override
    public boolean isListed() {
        return board.isListed();
    }

    @Override
    public long highestCounter() {
        return board.highestCounter();
    }

    @Override
    public void watch(LogFile file) {
        counters.notes.runAlways(() -> notes.watch(file));
    }

    @Override
    public boolean work(long nowNs) {
        boolean isMore = writeNotes(nowNs);
        return workUnfinished(nowNs) || isMore;
    }

    // Called in each round of the keeper: calls of parts are not lambdas, so that nothing is allocated.

    private boolean writeNotes(long nowNs) {
        if (!counters.notes.mayRun()) {
            return false;
        }
        try {
            return notes.work(nowNs);
        } catch (Throwable e) {
            counters.notes.contain(e);
            return false;
        }
    }

    private boolean workUnfinished(long nowNs) {
        if (!counters.unfinishedLogs.mayRun()) {
            return false;
        }
        try {
            return unfinished.work(nowNs);
        } catch (Throwable e) {
            board.listed(); // no vehicle waits for a log that will not be found
            counters.unfinishedLogs.contain(e);
            return false;
        }
    }

    @Override
    public void ends(LogFile file) {
        counters.notes.runAlways(() -> notes.finish(file));
    }

    @Override
    public void leaves(LogFile file, String stem, long nowNs) {
        counters.notes.runAlways(() -> notes.leave(file, stem, nowNs));
    }

    @Override
    public void closed(LogFile file) {
        counters.unfinishedLogs.runAlways(() -> unfinished.letGo(file.unfinishedName()));
    }

    @Override
    public void finishing(LogFile file) {
        counters.unfinishedLogs.runAlways(() -> unfinished.finishing(file.stem()));
    }

    @Override
    public void close() {
        counters.unfinishedLogs.runAlways(unfinished::close);
    }
}
