package org.mavlogd.config;

/**
 * Section {@code [fetch]}: the logs that vehicles keep themselves.
 *
 * @param delayS seconds from disarm until fetching begins
 * @param maxTotalMib of all fetched logs together; 0 for no limit
 */
public record FetchSection(boolean afterDisarm, int delayS, int maxTotalMib) {
    private static final Key<Boolean> AFTER_DISARM = Key.bool(
            "after_disarm",
            false,
            "fetch the vehicle's own newest log after each flight, into \"fetched\" beside the logs");
    private static final Key<Integer> DELAY_S = Key.integer(
            "delay_s",
            20,
            ValueTypes.range(1, 600),
            "seconds from disarm until that begins; ArduPilot goes on with its log for 15");
    private static final Key<Integer> MAX_TOTAL_MIB = Key.integer(
            "max_total_mib",
            4096,
            ValueTypes.range(0, 16_777_216),
            "MiB of fetched logs that are kept, the oldest are deleted; 0 for no limit");

    static final Section SECTION =
            Section.table("fetch", "the logs that vehicles keep themselves", AFTER_DISARM, DELAY_S, MAX_TOTAL_MIB);

    static FetchSection read(SectionReader section) {
        return new FetchSection(section.value(AFTER_DISARM), section.value(DELAY_S), section.value(MAX_TOTAL_MIB));
    }
}
