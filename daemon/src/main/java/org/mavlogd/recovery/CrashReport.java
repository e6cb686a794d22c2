package org.mavlogd.recovery;

import java.util.List;
import org.mavlogd.ulog.LogLevel;

/**
 * Known facts about the end of an earlier run.
 *
 * @param text contents of crash files, limited in length; empty if there are none
 * @param lines the last lines of its own log, oldest first
 */
public record CrashReport(String text, List<Line> lines) {
    /** Nothing is known. */
    public static final CrashReport NONE = new CrashReport("", List.of());

    public CrashReport {
        lines = List.copyOf(lines);
    }

    /** A line of the log, with its wall clock time. */
    public record Line(LogLevel level, long epochMs, String text) {}

    /** Finds reports. Called by the keeper's thread; may block. */
    @FunctionalInterface
    public interface Source {
        /** Never finds a report. */
        Source NONE = (processId, sinceEpochMs) -> CrashReport.NONE;

        /**
         * The report on a run.
         *
         * @param processId of that run; -1 if not known
         * @param sinceEpochMs when it was last known to run; -1 if not known
         */
        CrashReport report(long processId, long sinceEpochMs);
    }
}
