package org.mavlogd.recovery;

import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Counters of unfinished logs, and the parts that contain errors in completing them. Written by the keeper's thread.
 */
public final class RecoveryCounters {
    final Counter unreadLogs;

    final ContainedPart notes;
    final ContainedPart unfinishedLogs;
    final ContainedPart crashData;

    private RecoveryCounters(Metrics metrics, Counter unreadLogs) {
        this.unreadLogs = unreadLogs;
        this.notes = metrics.part("resume.notes", Recovery.PAUSES);
        this.unfinishedLogs = metrics.part("unfinished.logs", Recovery.CONTINUES);
        this.crashData = metrics.part("crash.data", Recovery.CONTINUES);
    }

    public static RecoveryCounters register(Metrics metrics) {
        return new RecoveryCounters(
                metrics,
                metrics.counter(
                        "store.unread.logs", "Unfinished logs that were set aside because reading them failed"));
    }

    /** Unfinished logs of earlier runs that this run set aside without reading. */
    public long unreadLogs() {
        return unreadLogs.get();
    }
}
