package org.mavlogd.dataflash;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a log that a ULog needs before its data.
 *
 * @param definitions for reading the log again from its start
 * @param types with records, in the order in which they came, each with its instances
 * @param parameters the first value of each, by its name in ULog
 * @param texts infos by name
 * @param release the packed version of the software
 * @param vehicle the kind of vehicle; empty if not known
 * @param startUs the first time in the log, in microseconds since the vehicle's boot
 * @param bootUtcUs when that was, in microseconds since 1970
 * @param records all of them, definitions included
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
    /** A type with records; {@code multiIds} are those that came, in their order. */
    record TypeHead(RecordType type, @Nullable InstanceField instance, List<Integer> multiIds) {}

    /** A parameter's first value, and its default as it is told first, NaN if not told. */
    record FirstValue(float value, float defaultValue) {}
}
