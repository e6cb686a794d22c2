package org.mavlogd.config;

import org.mavlogd.store.StoreSettings;

/** Section {@code [recorder]}: memory and disk rhythm. */
final class RecorderSection {
    private static final int MEBI = 1 << 20;
    private static final int KIBI = 1 << 10;

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

    private RecorderSection() {}

    /** Memory of each link, a power of two. */
    static int ringBytes(SectionReader section) {
        return section.value(RING_MIB) * MEBI;
    }

    static StoreSettings store(SectionReader section, StoreSettings.RotationPolicy rotation) {
        return new StoreSettings(
                section.value(WRITE_BATCH_KIB) * KIBI,
                StoreSettings.Durability.ofMs(section.value(FORCE_INTERVAL_MS)),
                rotation);
    }
}
