package org.mavlogd.recovery;

import org.mavlogd.memory.MemoryBudget;

/**
 * The objects with which this run continues the work of the previous one.
 *
 * @param memory budget for unfinished logs
 */
public record Restart(HostClock clock, ResumableLogs board, MemoryBudget memory, CrashReport.Source crashes) {
    /** The same with contained errors: an error in looking for crash data costs only the crash data. */
    Restart contained(RecoveryCounters counters) {
        CrashReport.Source contained = (processId, sinceEpochMs) ->
                counters.crashData.get(() -> crashes.report(processId, sinceEpochMs), CrashReport.NONE);
        return new Restart(clock, board, memory, contained);
    }
}
