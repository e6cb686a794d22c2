package org.mavlogd.lake.spark;

import java.io.Serializable;
import org.mavlogd.lake.LogEntry;

/**
 * The result of the conversion of one log in a task.
 *
 * @param entry lists the files to be published; none if there is nothing to publish
 * @param staged name of the directory of the lake with these files
 * @param problem why the log was refused
 */
record Outcome(Kind kind, LogEntry entry, String staged, String problem) implements Serializable {
    /** The kinds of results. */
    enum Kind {
        CONVERTED,
        UNCHANGED,
        COPY,
        REFUSED
    }
}
