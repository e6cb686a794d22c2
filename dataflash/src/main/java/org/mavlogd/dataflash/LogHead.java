package org.mavlogd.dataflash;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a log that a ULog needs before its data.
 *
 * @param definitions for reading the log again from its start
 * @param types types with records, in the order of their first records, with their instances
 * @param parameters first value of each parameter, by its name in ULog
 * @param texts infos by name
 * @param release packed version of the software
 * @param vehicle kind of vehicle; empty if unknown
 * @param startUs first time in the log, in microseconds since the vehicle's boot
 * @param bootUtcUs time of the boot, in microseconds since 1970
 * @param records number of records, including definitions
 */
public record LogHead(
        Definitions definitions,
        List<TypeHead> types,
        Map<String, FirstValue> parameters,
        Map<String, String> texts,
        Optional<Integer> release,
        String vehicle,
        long startUs,
        Optional<Long> bootUtcUs,
        long records) {
    /** A type with records; {@code multiIds} in the order of their first records. */
    record TypeHead(RecordType type, @Nullable InstanceField instance, List<Integer> multiIds) {}

    /** A parameter's first value, and its first logged default, NaN if there is none. */
    record FirstValue(float value, float defaultValue) {}
}
