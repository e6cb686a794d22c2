package org.mavlogd.record;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where one log goes: a file as long as it is sound, and a new one that begins with the same head when it is not. While
 * there is none, what comes is counted as lost to the disk.
 */
final class LogOutput {
    private static final Logger LOG = LoggerFactory.getLogger(LogOutput.class);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    /** Hears that the log goes on in a new file after a failure. */
    interface ReopenListener {
        void onReopened();
    }

    private final LogStore store;
    private final int systemId;
    private final LogHead head;
    private final Tally tally;
    private final ReopenListener listener;
    private final ProblemLog problems = new ProblemLog(LOG);

    // Null while the disk takes nothing.
    private @Nullable LogFile file;
    private String problem = "";
    private boolean failedBefore;
    private long nextAttemptNs;

    LogOutput(LogStore store, int systemId, LogHead head, Tally tally, ReopenListener listener) {
        this.store = store;
        this.systemId = systemId;
        this.head = head;
        this.tally = tally;
        this.listener = listener;
    }

    /** The name of the file that grows now, or empty. */
    String fileName() {
        return file == null ? "" : file.name();
    }

    /** What is wrong with the disk; empty when nothing is. */
    String problem() {
        return problem;
    }

    /** Begins the first file with the head as it is. */
    void begin(long nowNs) {
        open(nowNs);
    }

    /** Whether bytes appended now reach a file. */
    boolean isOpen() {
        return file != null;
    }

    void append(DirectBuffer buffer, int offset, int length, long nowNs) {
        LogFile current = file;
        if (current == null) {
            tally.diskLost(length);
            return;
        }
        current.append(buffer, offset, length, nowNs);
        tally.stored(length);
    }

    /** Writes what waited long enough; leaves a failed file, and tries for a new one. Returns whether it did anything. */
    boolean tick(long nowNs) {
        LogFile current = file;
        if (current == null) {
            return nowNs - nextAttemptNs >= 0 && open(nowNs);
        }
        boolean wrote = current.writeIfDue(nowNs);
        if (current.isFailed()) {
            leave(current, nowNs);
        }
        return wrote;
    }

    void finish() {
        LogFile current = file;
        if (current == null) {
            return;
        }
        store.finish(current);
        if (current.isFailed()) {
            tally.diskLost(current.unwrittenBytes());
            problems.report(current.name() + ": " + current.failure() + "; its end is missing");
        }
        file = null;
    }

    private void leave(LogFile failed, long nowNs) {
        tally.diskFailure();
        tally.diskLost(failed.unwrittenBytes());
        problem = failed.failure();
        problems.report(failed.name() + ": " + problem + "; going on in a new file");
        store.finish(failed);
        file = null;
        failedBefore = true;
        nextAttemptNs = nowNs;
    }

    private boolean open(long nowNs) {
        try {
            LogFile next = store.create(systemId);
            next.append(head.buffer(), 0, head.length(), nowNs);
            file = next;
            tally.file(head.length());
        } catch (IOException e) {
            tally.diskFailure();
            failedBefore = true;
            problem = "no new file in " + store.location() + ": " + e;
            problems.report(problem + "; trying again every second");
            nextAttemptNs = nowNs + RETRY_NS;
            return false;
        }
        if (failedBefore) {
            listener.onReopened();
        }
        failedBefore = false;
        problem = "";
        problems.resolved("recording goes on in " + fileName());
        return true;
    }
}
