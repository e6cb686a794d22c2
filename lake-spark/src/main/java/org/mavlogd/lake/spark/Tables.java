package org.mavlogd.lake.spark;

import java.io.IOException;
import java.util.Map;
import org.mavlogd.lake.LogEntry;

/** The tables into which rows of staged files are published. */
interface Tables {
    /** Completes the unfinished changes of an earlier job, by the names of the directories with the staged files. */
    void complete(Map<String, LogEntry> unfinished) throws IOException;

    /** Replaces the rows of a log. Threads may publish different logs at the same time. */
    void publish(LogEntry entry, String staged) throws IOException;

    /** Makes all published rows visible. */
    void flush() throws IOException;
}
