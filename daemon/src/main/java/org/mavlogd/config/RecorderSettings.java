package org.mavlogd.config;

/**
 * Section {@code [recorder]}: memory and disk rhythm.
 *
 * @param ringMib a power of two, in MiB, for each link
 * @param writeBatchKib a write to the file is due at this many KiB
 * @param forceIntervalMs age at which what was received is on the medium
 */
public record RecorderSettings(int ringMib, int writeBatchKib, int forceIntervalMs) {
    private static final Key<Integer> RING_MIB = Key.integer(
            "ring_mib",
            16,
            ValueTypes.powerOfTwo(1, 256),
            "MiB of memory for each link that hold the data while the disk stalls");
    private static final Key<Integer> WRITE_BATCH_KIB = Key.integer(
            "write_batch_kib", 64, ValueTypes.range(4, 1024), "KiB that are gathered for one write to the file");
    private static final Key<Integer> FORCE_INTERVAL_MS = Key.integer(
            "force_interval_ms",
            500,
            ValueTypes.range(50, 10_000),
            "milliseconds of data that a power cut may cost: writes and forces keep to it");

    static final Section SECTION =
            Section.table("recorder", "memory and disk rhythm", RING_MIB, WRITE_BATCH_KIB, FORCE_INTERVAL_MS);

    static RecorderSettings read(SectionReader section) {
        return new RecorderSettings(
                section.value(RING_MIB), section.value(WRITE_BATCH_KIB), section.value(FORCE_INTERVAL_MS));
    }
}
