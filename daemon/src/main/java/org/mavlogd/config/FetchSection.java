package org.mavlogd.config;

import java.util.concurrent.TimeUnit;
import org.mavlogd.fetch.FetchSettings;

/** Section {@code [fetch]}: the logs that vehicles keep themselves. */
final class FetchSection {
    private static final long MEBI = 1 << 20;

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

    private FetchSection() {}

    static FetchSettings read(SectionReader section) {
        return new FetchSettings(
                section.value(AFTER_DISARM),
                TimeUnit.SECONDS.toNanos(section.value(DELAY_S)),
                section.value(MAX_TOTAL_MIB) * MEBI);
    }
}
