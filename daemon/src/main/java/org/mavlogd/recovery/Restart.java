package org.mavlogd.recovery;

import org.mavlogd.memory.MemoryBudget;

/**
 * State that connects this run with the one before.
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
