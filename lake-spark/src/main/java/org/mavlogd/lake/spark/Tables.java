package org.mavlogd.lake.spark;

import java.io.IOException;
import java.util.Map;
import org.mavlogd.lake.LogEntry;

/** The tables into which rows of staged files are published. */
interface Tables {
    /** Completes what a former job began, by the names of the directories with the staged files. */
    void complete(Map<String, LogEntry> unfinished) throws IOException;

    /** Takes the rows of a log, in place of its former ones. Several threads may do so for different logs. */
    void publish(LogEntry entry, String staged) throws IOException;

    /** Makes the rows visible that are not yet. */
    void flush() throws IOException;
}
