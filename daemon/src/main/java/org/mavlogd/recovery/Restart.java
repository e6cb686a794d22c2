package org.mavlogd.recovery;

import org.mavlogd.memory.MemoryBudget;

/**
 * The data that this run takes over from the run before.
 *
 * @param memory what is kept of unfinished logs is taken from it
 */
public record Restart(HostClock clock, ResumableLogs board, MemoryBudget memory, CrashReport.Source crashes) {
    /** The same, where an error in looking for crash data costs the crash data only. */
    Restart contained(RecoveryCounters counters) {
        CrashReport.Source contained = (processId, sinceEpochMs) ->
                counters.crashData.get(() -> crashes.report(processId, sinceEpochMs), CrashReport.NONE);
        return new Restart(clock, board, memory, contained);
    }
}
