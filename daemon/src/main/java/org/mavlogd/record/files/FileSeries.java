package org.mavlogd.record.files;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.mavlogd.record.local.LocalHead;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.Reason;

/**
 * Creates the files of a log. Each starts with the current head, which has its number and the name of the previous
 * file. Owned by the recorder's thread.
 */
final class FileSeries {
    private final LogStore store;
    private final int systemId;
    private final FileHead head;
    private final OutputTrouble trouble;
    private int part;
    private String previous = "";
    private String last = "";
    private final LogName.LogNumber log;

    /** A file with its head, and this computer's part of it, null if not there yet. */
    record NewFile(LogFile file, @Nullable LocalHead local) {}

    FileSeries(LogStore store, int systemId, LogName.LogNumber log, FileHead head, OutputTrouble trouble) {
        this.log = log;
        this.store = store;
        this.systemId = systemId;
        this.head = head;
        this.trouble = trouble;
    }

    /** The number of the last file in the log, from 1; 0 before the first. */
    int part() {
        return part;
    }

    /** Continues the log in a file of an earlier run. */
    void resume(int itsPart, String fileName) {
        part = itsPart;
        previous = fileName;
        last = fileName;
        log.resume(fileName);
    }

    /**
     * Makes the next file with the head in it; null if the disk fails, which is reported and tried again later.
     *
     * @param consequence of a failure, for messages
     */
    @Nullable
    NewFile make(long nowNs, String consequence) {
        LogFile next;
        try {
            next = store.create(systemId, LogKind.ULG, log);
        } catch (IOException e) {
            trouble.onNoFile("no new file in " + store.location() + ": " + Reason.of(e) + consequence
                    + "; trying again every second");
            trouble.postpone(nowNs);
            return null;
        }
        LocalHead its = head.appendTo(next, part + 1, previous, nowNs);
        next.write();
        if (next.isFailed()) {
            trouble.onHeadFailed(next.name() + ": " + next.failure() + consequence + "; trying again later", nowNs);
            store.discard(next); // a part of a head is useless
            return null;
        }
        return new NewFile(next, its);
    }

    /** Continues the log in a file that was made. */
    void took(LogFile made) {
        part++;
        previous = made.name();
    }

    /** Finishes the log's current file; returns whether it has failed so far. */
    boolean finish(LogFile current) {
        last = current.name();
        return store.finish(current);
    }

    /** The name of the file that was finished last; empty before the first. */
    String last() {
        return last;
    }
}
