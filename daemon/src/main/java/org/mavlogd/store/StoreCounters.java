package org.mavlogd.store;

import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Durations;
import org.mavlogd.metrics.Metrics;

/** Counters of the keeper. Written by the keeper's thread. */
public final class StoreCounters {
    final Counter deletedFiles;
    final Counter deletedBytes;
    final Counter pauses;
    final Counter failures;
    final Durations forces;

    final ContainedPart renaming;
    final ContainedPart retention;
    final ContainedPart finishedLogs;

    private StoreCounters(
            Metrics metrics, Counter deletedFiles, Counter deletedBytes, Counter pauses, Counter failures) {
        this.renaming = metrics.part("renaming", Recovery.CONTINUES);
        this.retention = metrics.part("retention", Recovery.PAUSES);
        this.forces = metrics.durations("store.force", "Time to force a file to disk (fsync)");
        this.finishedLogs = metrics.part("finished.logs", Recovery.CONTINUES);
        this.deletedFiles = deletedFiles;
        this.deletedBytes = deletedBytes;
        this.pauses = pauses;
        this.failures = failures;
    }

    public static StoreCounters register(Metrics metrics) {
        return new StoreCounters(
                metrics,
                metrics.counter("store.deleted.files", "Old logs deleted to make room"),
                metrics.counter("store.deleted.bytes", "Bytes of old logs deleted to make room"),
                metrics.counter("store.pauses", "Times that recording paused for lack of space"),
                metrics.counter("store.failures", "Lists, deletes, renames and probes that the disk refused"));
    }

    static StoreCounters unregistered() {
        return register(new Metrics());
    }

    public long deletedFiles() {
        return deletedFiles.get();
    }

    public long deletedBytes() {
        return deletedBytes.get();
    }
}
