package org.mavlogd.ulog;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The basic types of fields, and their lengths in bytes.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Data types"</a>
 */
public enum FieldType {
    INT8("int8_t", 1),
    UINT8("uint8_t", 1),
    INT16("int16_t", 2),
    UINT16("uint16_t", 2),
    INT32("int32_t", 4),
    UINT32("uint32_t", 4),
    INT64("int64_t", 8),
    UINT64("uint64_t", 8),
    FLOAT("float", 4),
    DOUBLE("double", 8),
    BOOL("bool", 1),
    CHAR("char", 1);

    private static final Map<String, FieldType> BY_TEXT =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(FieldType::text, type -> type));

    private final String text;
    private final int length;

    FieldType(String text, int length) {
        this.text = text;
        this.length = length;
    }

    /** Name in formats, such as {@code uint8_t}. */
    public String text() {
        return text;
    }

    /** Length of one element, in bytes. */
    public int length() {
        return length;
    }

    /** Whether the type is an integer; bool and char count as integers. */
    public boolean isInteger() {
        return this != FLOAT && this != DOUBLE;
    }

    /** The basic type of this name; empty for the name of a nested format. */
    public static Optional<FieldType> of(String text) {
        return Optional.ofNullable(BY_TEXT.get(text));
    }
}
