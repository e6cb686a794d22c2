package org.mavlogd.config;

import java.util.List;

/**
 * Keys of section {@code [log]} that say how much of the disk logs may take.
 *
 * @param keepFreeMib old logs are deleted so that so much stays free; 0 never deletes for want of space
 * @param maxTotalMib what logs may take together; 0 for no limit
 * @param maxFiles how many logs there may be; 0 for no limit
 * @param reserveMib recording pauses before less is left
 */
public record RetentionSettings(int keepFreeMib, int maxTotalMib, int maxFiles, int reserveMib) {
    // 1 PiB.
    private static final int MAX_MIB = 1 << 30;
    private static final int MAX_FILES_LIMIT = 1_000_000;

    private static final Key<Integer> KEEP_FREE_MIB = Key.integer(
            "keep_free_mib",
            1024,
            ValueTypes.range(0, MAX_MIB),
            "MiB that stay free: the oldest finished logs are deleted for it; at most an eighth of the file system, "
                    + "0 never deletes for want of space");
    private static final Key<Integer> MAX_TOTAL_MIB = Key.integer(
            "max_total_mib",
            0,
            ValueTypes.range(0, MAX_MIB),
            "MiB that logs take together before the oldest are deleted; 0 for no limit");
    private static final Key<Integer> MAX_FILES = Key.integer(
            "max_files",
            0,
            ValueTypes.range(0, MAX_FILES_LIMIT),
            "how many logs there are before the oldest are deleted; 0 for no limit");
    private static final Key<Integer> RESERVE_MIB = Key.integer(
            "reserve_mib",
            32,
            ValueTypes.range(1, MAX_MIB),
            "MiB that recording leaves to others: it pauses before less is free; at most a sixteenth of the file system");

    static final List<Key<?>> KEYS = List.of(KEEP_FREE_MIB, MAX_TOTAL_MIB, MAX_FILES, RESERVE_MIB);

    static RetentionSettings read(SectionReader section) {
        return new RetentionSettings(
                section.value(KEEP_FREE_MIB),
                section.value(MAX_TOTAL_MIB),
                section.value(MAX_FILES),
                section.value(RESERVE_MIB));
    }
}
