package org.mavlogd.lake.spark;

import java.io.Serializable;
import org.mavlogd.lake.LogEntry;

/**
 * The result of the conversion of one log in a task.
 *
 * @param entry lists the files that wait to be published; none if there is nothing to publish
 * @param staged name of the directory of the lake in which they wait
 * @param problem why the log was refused
 */
record Outcome(Kind kind, LogEntry entry, String staged, String problem) implements Serializable {
    /** What happened. */
    enum Kind {
        CONVERTED,
        UNCHANGED,
        COPY,
        REFUSED
    }
}
