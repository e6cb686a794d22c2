package org.mavlogd.recovery;

import java.io.IOException;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.metrics.Counter;
import org.mavlogd.store.Disk;
import org.mavlogd.store.NameChanges;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets aside unfinished logs whose reading failed by an internal error, or ended the program: it renames them, with all
 * their bytes, and the recorder never reads them again. Retention deletes them like other logs. Owned by the keeper's
 * thread.
 */
final class UnreadLogs {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadLogs.class);

    private final Disk disk;
    private final NameChanges names;
    private final Counter count;
    private final ContainedPart part;

    UnreadLogs(Disk disk, NameChanges names, RecoveryCounters counters) {
        this.disk = disk;
        this.names = names;
        this.count = counters.unreadLogs;
        this.part = counters.unfinishedLogs;
    }

    /** Sets aside a file whose reading ended the program more than once at the same position, or too often. */
    void add(UnfinishedListing.File found, long nowNs) {
        LOG.error(
                "{}: mavlogd ended repeatedly while it read this log; it is kept unread as {}: see mavlogd recover",
                found.unfinishedName(),
                found.unreadName());
        rename(found, nowNs);
    }

    /** Sets aside a file whose reading or finishing failed. Everything else continues. */
    void add(UnfinishedListing.File found, Throwable failure, long nowNs) {
        part.contain(failure);
        LOG.error(
                "{}: internal error while this log was read; it is kept unread as {}: see mavlogd recover",
                found.unfinishedName(),
                found.unreadName());
        part.runAlways(() -> rename(found, nowNs));
    }

    private void rename(UnfinishedListing.File found, long nowNs) {
        count.increment();
        if (isThere(found.unfinishedName())) {
            names.rename(found.unfinishedName(), found.unreadName(), () -> deleteNotes(found), nowNs);
        } else {
            deleteNotes(found);
        }
    }

    /** When something fails, the file may already have its final name, or be deleted. */
    private boolean isThere(String name) {
        try {
            return disk.exists(name);
        } catch (IOException e) {
            return true;
        }
    }

    private void deleteNotes(UnfinishedListing.File found) {
        if (found.note().isPresent()) {
            StreamNotes.delete(disk, found.stem());
        }
        ScanNotes.delete(disk, found.stem());
    }
}
