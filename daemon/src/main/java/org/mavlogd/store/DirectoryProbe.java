package org.mavlogd.store;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether logs can be written before a vehicle needs one: at the start, and every {@link #INTERVAL_NS} while no
 * file is being written. Owned by the keeper's thread, which may wait for the disk.
 */
final class DirectoryProbe {
    static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryProbe.class);

    private final Disk disk;
    private final Counter failures;
    private final ProblemLog problems = new ProblemLog(LOG);
    private boolean probed;
    private long probedNs;
    private String problem = "";

    /** @param failures counts the probes that failed */
    DirectoryProbe(Disk disk, Counter failures) {
        this.disk = disk;
        this.failures = failures;
    }

    /** Why no log can be written, and what to do; empty if logs can be written, as far as known. */
    String problem() {
        return problem;
    }

    /** Probes if it is due; returns whether {@link #problem} changed. */
    boolean work(long nowNs, boolean isRecording) {
        if (isRecording) {
            return !problem.isEmpty() && set("");
        }
        if (probed && nowNs - probedNs < INTERVAL_NS) {
            return false;
        }
        probed = true;
        probedNs = nowNs;
        try {
            disk.probe();
            return set("");
        } catch (IOException e) {
            failures.increment();
            return set("no log can be written in " + disk.location() + ": " + Reason.of(e)
                    + "; make it writable for the user of this service, or set [log] directory");
        }
    }

    private boolean set(String now) {
        boolean isNew = !now.equals(problem);
        problem = now;
        if (now.isEmpty()) {
            problems.resolved("logs can be written in " + disk.location());
        } else {
            problems.report(now);
        }
        return isNew;
    }
}
