package org.mavlogd.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mavlogd.contain.RetryDelay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renames and deletes closed files. A change that fails is tried again, first after a second and then less often, as
 * long as the program runs. Owned by the keeper's thread.
 */
public final class NameChanges {
    private static final Logger LOG = LoggerFactory.getLogger(NameChanges.class);
    private static final long FIRST_RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(30);

    // In one round, because files that are being written wait meanwhile.
    private static final int MAX_ATTEMPTS = 8;

    private final Disk disk;
    private final StoreCounters counters;
    private final List<Change> pending = new ArrayList<>();

    NameChanges(Disk disk, StoreCounters counters) {
        this.disk = disk;
        this.counters = counters;
    }

    /** Renames a file now or later; {@code whenDone} is called once it has the new name. */
    public void rename(String from, String to, Runnable whenDone, long nowNs) {
        start(new Rename(from, to, whenDone), nowNs);
    }

    /** Deletes a file now or later. */
    public void delete(String name, long nowNs) {
        start(new Delete(name), nowNs);
    }

    private void start(Change change, long nowNs) {
        if (!change.attempt(nowNs)) {
            pending.add(change);
        }
    }

    /** Tries changes again that are due; returns how many were done. */
    int work(long nowNs) {
        if (pending.isEmpty()) {
            return 0; // the usual case: allocates not even an iterator
        }
        int before = pending.size();
        int attempts = 0;
        for (Iterator<Change> changes = pending.iterator(); changes.hasNext() && attempts < MAX_ATTEMPTS; ) {
            Change change = changes.next();
            if (change.delay.isOver(nowNs)) {
                attempts++;
                if (change.attempt(nowNs)) {
                    changes.remove();
                }
            }
        }
        return before - pending.size();
    }

    /** Tries all changes a last time before the program ends. */
    void onClose(long nowNs) {
        pending.removeIf(change -> change.attempt(nowNs));
    }

    private abstract class Change {
        private final RetryDelay delay = new RetryDelay(FIRST_RETRY_NS, MAX_RETRY_NS);
        private boolean refused;

        /** Throws if the change must be tried again. */
        abstract void apply() throws IOException;

        abstract String what();

        final boolean attempt(long nowNs) {
            try {
                apply();
                if (refused) {
                    LOG.info("{}: done after retries", what());
                }
                return true;
            } catch (IOException e) {
                counters.failures.increment();
                if (!refused) {
                    LOG.error("{}: {}; trying again", what(), Reason.of(e));
                }
                refused = true;
                delay.failed(nowNs);
                return false;
            } catch (Throwable e) {
                // The file keeps its present name for now.
                if (!refused) {
                    LOG.error("{}: failed by an internal error; trying again", what());
                }
                refused = true;
                delay.failed(nowNs);
                counters.renaming.contain(e);
                return false;
            }
        }
    }

    private final class Rename extends Change {
        private final String from;
        private final String to;
        private final Runnable whenDone;
        // Whether the disk may have renamed it and failed afterwards.
        private boolean tried;
        private boolean renamed;

        private Rename(String from, String to, Runnable whenDone) {
            this.from = from;
            this.to = to;
            this.whenDone = whenDone;
        }

        @Override
        String what() {
            return "rename " + from + " to " + to;
        }

        @Override
        void apply() throws IOException {
            if (renamed) {
                disk.forceNames();
            } else if (!move()) {
                LOG.error("{} is gone: another program removed it", from);
                return;
            }
            renamed = true;
            counters.finishedLogs.runAlways(whenDone);
        }

        /** Returns false if there is nothing left to rename. */
        private boolean move() throws IOException {
            try {
                disk.rename(from, to);
                return true;
            } catch (NoSuchFileException | FileAlreadyExistsException e) {
                if (disk.exists(from)) {
                    throw e;
                }
                // The last attempt may have renamed it and failed afterwards.
                renamed = tried && disk.exists(to);
                if (renamed) {
                    disk.forceNames();
                }
                return renamed;
            } finally {
                tried = true;
            }
        }
    }

    private final class Delete extends Change {
        private final String name;

        private Delete(String name) {
            this.name = name;
        }

        @Override
        String what() {
            return "delete " + name;
        }

        @Override
        void apply() throws IOException {
            try {
                disk.delete(name);
            } catch (NoSuchFileException e) {
                LOG.debug("{} is gone already", name);
            }
        }
    }
}
