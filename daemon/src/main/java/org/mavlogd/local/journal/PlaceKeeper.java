package org.mavlogd.local.journal;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the place in the journal, in the process and beyond. What is stored lags a second behind what was published, for
 * that may not be on the medium yet: after a crash the texts of the last seconds come twice rather than not at all. An
 * orderly end stores the exact place. Owned by one thread, which may wait for the disk.
 */
final class PlaceKeeper {
    static final long STORE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(PlaceKeeper.class);

    private final PlaceFile file;
    private final ProblemLog problems = new ProblemLog(LOG);
    private JournalPlace place = JournalPlace.since(0);
    private JournalPlace settled = place;
    private JournalPlace stored = place;
    private long lookedNs;

    PlaceKeeper(PlaceFile file) {
        this.file = file;
    }

    /** Finds where to begin: when nothing is stored, now. */
    void load(long nowEpochUs, long nowNs) {
        lookedNs = nowNs;
        Optional<JournalPlace> found = Optional.empty();
        try {
            found = file.load();
        } catch (IOException e) {
            LOG.warn("journal: where it was read up to is not known, so it is read from now on: {}", e.toString());
        }
        place = found.orElseGet(() -> JournalPlace.since(nowEpochUs));
        settled = place;
        stored = place;
        if (found.isEmpty()) {
            // At once: whoever dies before the first entry begins here again.
            store(place);
        }
    }

    JournalPlace place() {
        return place;
    }

    /** Everything up to here is published. */
    void moveTo(JournalPlace next) {
        place = next;
    }

    /** Stores, once a second at most. */
    void tick(long nowNs) {
        if (nowNs - lookedNs < STORE_INTERVAL_NS) {
            return;
        }
        lookedNs = nowNs;
        if (!settled.equals(stored)) {
            store(settled);
        }
        settled = place;
    }

    /** The end: everything that was published will be on the medium. */
    void close() {
        if (!place.equals(stored)) {
            store(place);
        }
    }

    private void store(JournalPlace what) {
        try {
            file.store(what);
            stored = what;
            problems.resolved("journal: the place can be stored in " + file.path() + " again");
        } catch (IOException e) {
            problems.report("journal: the place cannot be stored in " + file.path()
                    + ", so texts may come twice after a restart: " + e);
        }
    }
}
