package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.mavlogd.dataflash.LogHead.FirstValue;
import org.mavlogd.memory.MemoryShare;

/**
 * Writes parameters: the first value of each with its default before the data, and each change at its time. A record
 * that repeats a known value is not a change; the topic has all records.
 *
 * <p>Names beyond {@value HeadCollector#MAX_PARAMETERS} are ignored.
 */
final class ParameterWriter {
    private final MemoryShare share;
    private final MappedLog log;
    private final Map<String, FirstValue> first;
    private final Map<String, FirstValue> told = new HashMap<>();
    private final Set<String> heard = new HashSet<>();
    private long count;

    /** @param share memory for parameters that appear later */
    ParameterWriter(MappedLog log, Map<String, FirstValue> first, MemoryShare share) {
        this.share = share;
        this.log = log;
        this.first = first;
    }

    /** Number of values written, including changes. */
    long count() {
        return count;
    }

    void writeFirst() throws IOException {
        for (Map.Entry<String, FirstValue> entry : first.entrySet()) {
            FirstValue value = entry.getValue();
            if (!Float.isNaN(value.defaultValue())) {
                log.defaultParameter(entry.getKey(), value.defaultValue());
            }
            writeValue(entry.getKey(), value.value());
        }
        told.putAll(first);
    }

    /** Writes values from before the data that were unknown when it started, of parameters without records since. */
    void catchUp(Map<String, FirstValue> before) throws IOException {
        for (Map.Entry<String, FirstValue> entry : before.entrySet()) {
            if (!heard.contains(entry.getKey())) {
                tell(entry.getKey(), entry.getValue());
            }
        }
    }

    RecordMeaning meaning(ParameterRecord record) {
        return (buffer, offset, timeUs) -> onRecord(record, buffer, offset);
    }

    private void onRecord(ParameterRecord record, byte[] buffer, int offset) throws IOException {
        String name = record.name(buffer, offset);
        if (!name.isEmpty()
                && tell(name, new FirstValue(record.value(buffer, offset), record.defaultValue(buffer, offset)))) {
            heard.add(name);
        }
    }

    /** Writes new values; false if there are too many names. */
    private boolean tell(String name, FirstValue now) throws IOException {
        FirstValue before = told.get(name);
        boolean isFull = told.size() >= HeadCollector.MAX_PARAMETERS;
        if (before == null && (isFull || !share.reserve(Footprint.PARAMETER))) {
            return false;
        }
        float value = now.value();
        float defaultValue = now.defaultValue();
        boolean tellsDefault = !Float.isNaN(defaultValue);
        if (tellsDefault && (before == null || !isSame(defaultValue, before.defaultValue()))) {
            log.defaultParameter(name, defaultValue);
        }
        if (before == null || !isSame(value, before.value())) {
            writeValue(name, value);
        }
        float known = tellsDefault || before == null ? defaultValue : before.defaultValue();
        told.put(name, new FirstValue(value, known));
        return true;
    }

    private void writeValue(String name, float value) throws IOException {
        log.parameter(name, value);
        count++;
    }

    private static boolean isSame(float one, float other) {
        return Float.floatToRawIntBits(one) == Float.floatToRawIntBits(other);
    }
}
