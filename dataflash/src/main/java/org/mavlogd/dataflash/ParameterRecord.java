package org.mavlogd.dataflash;

import java.util.Optional;

/**
 * Reads records with the value of a parameter.
 *
 * @param defaultValue empty for firmware that does not log defaults
 */
record ParameterRecord(RecordType.Field name, RecordType.Field value, Optional<RecordType.Field> defaultValue) {
    static final String TYPE = "PARM";

    /** Empty if a type lacks the name or the fields. */
    static Optional<ParameterRecord> of(RecordType type) {
        Optional<RecordType.Field> name = type.text("Name");
        Optional<RecordType.Field> value = number(type, "Value");
        return type.name().equals(TYPE) && name.isPresent() && value.isPresent()
                ? Optional.of(new ParameterRecord(name.get(), value.get(), number(type, "Default")))
                : Optional.empty();
    }

    /** The name as ULog allows it; empty if there is none. */
    String name(byte[] buffer, int offset) {
        return TopicNames.escaped(
                Bytes.latin(buffer, offset + name.offset(), name.format().length()));
    }

    float value(byte[] buffer, int offset) {
        return (float) Bytes.number(value.format(), buffer, offset + value.offset(), 0);
    }

    /** The default; NaN if the record has none. */
    float defaultValue(byte[] buffer, int offset) {
        return defaultValue
                .map(field -> (float) Bytes.number(field.format(), buffer, offset + field.offset(), 0))
                .orElse(Float.NaN);
    }

    private static Optional<RecordType.Field> number(RecordType type, String label) {
        return type.field(label)
                .filter(field -> !field.format().isText() && !field.format().isArray());
    }
}
