package org.mavlogd.recovery;

import java.util.List;
import org.mavlogd.ulog.LogLevel;

/**
 * Known facts about the end of an earlier run.
 *
 * @param text of crash files, bounded; empty when there are none
 * @param lines the last ones of its own log, oldest first
 */
public record CrashReport(String text, List<Line> lines) {
    /** Nothing is known. */
    public static final CrashReport NONE = new CrashReport("", List.of());

    public CrashReport {
        lines = List.copyOf(lines);
    }

    /** A line of the log at the wall clock's time. */
    public record Line(LogLevel level, long epochMs, String text) {}

    /** Finds reports. Called by the keeper's thread; may wait. */
    @FunctionalInterface
    public interface Source {
        /** Nothing is ever known. */
        Source NONE = (processId, sinceEpochMs) -> CrashReport.NONE;

        /**
         * The report on a run.
         *
         * @param processId of that run, or -1 when it is not known
         * @param sinceEpochMs when it was last known to live, or -1
         */
        CrashReport report(long processId, long sinceEpochMs);
    }
}
