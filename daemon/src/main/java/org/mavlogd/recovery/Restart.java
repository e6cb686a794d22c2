package org.mavlogd.recovery;

import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.memory.MemoryBudget;

/**
 * What connects this run with the one before.
 *
 * @param memory what is kept of unfinished logs is taken from it
 */
public record Restart(HostClock clock, LeftOverBoard board, MemoryBudget memory, CrashReport.Source crashes) {
    /**
     * The computer's clocks, and when its monotonic one began: with every boot, which the kernel gives an id.
     *
     * @param bootId of the running kernel; empty when it does not tell
     * @param processId of this run
     */
    public record HostClock(NanoClock monotonic, EpochClock wall, String bootId, long processId) {}

    /** The same, where an error in looking for crash data costs the crash data only. */
    Restart contained(LogRecovery.Counters counters) {
        CrashReport.Source contained = (processId, sinceEpochMs) ->
                counters.crashData.get(() -> crashes.report(processId, sinceEpochMs), CrashReport.NONE);
        return new Restart(clock, board, memory, contained);
    }
}
