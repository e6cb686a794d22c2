package org.mavlogd.dataflash;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.FieldType;

/**
 * The types of a DataFlash field: one character each, little endian, packed.
 *
 * @see <a href="https://github.com/ArduPilot/ardupilot/blob/master/libraries/AP_Logger/README.md">AP_Logger, "Format
 *     Types"</a>
 */
public enum FieldFormat {
    INT16_ARRAY('a', FieldType.INT16, 32, 64, 1),
    INT8('b', FieldType.INT8, 1, 1, 1),
    UINT8('B', FieldType.UINT8, 1, 1, 1),
    INT16('h', FieldType.INT16, 1, 2, 1),
    UINT16('H', FieldType.UINT16, 1, 2, 1),
    INT32('i', FieldType.INT32, 1, 4, 1),
    UINT32('I', FieldType.UINT32, 1, 4, 1),
    INT64('q', FieldType.INT64, 1, 8, 1),
    UINT64('Q', FieldType.UINT64, 1, 8, 1),
    /** 16 bits, for which ULog has no type: a float represents all values. */
    HALF('g', FieldType.FLOAT, 1, 2, 1),
    FLOAT('f', FieldType.FLOAT, 1, 4, 1),
    DOUBLE('d', FieldType.DOUBLE, 1, 8, 1),
    CHAR_4('n', FieldType.CHAR, 4, 4, 1),
    CHAR_16('N', FieldType.CHAR, 16, 16, 1),
    CHAR_64('Z', FieldType.CHAR, 64, 64, 1),
    CENTI_INT16('c', FieldType.INT16, 1, 2, 100),
    CENTI_UINT16('C', FieldType.UINT16, 1, 2, 100),
    CENTI_INT32('e', FieldType.INT32, 1, 4, 100),
    CENTI_UINT32('E', FieldType.UINT32, 1, 4, 100),
    LATITUDE('L', FieldType.INT32, 1, 4, 10_000_000),
    MODE('M', FieldType.UINT8, 1, 1, 1);

    private static final @Nullable FieldFormat[] BY_CODE = new FieldFormat[128];

    static {
        for (FieldFormat format : values()) {
            BY_CODE[format.code] = format;
        }
    }

    private final char code;
    private final FieldType type;
    private final int count;
    private final int length;
    private final int divisor;

    FieldFormat(char code, FieldType type, int count, int length, int divisor) {
        this.code = code;
        this.type = type;
        this.count = count;
        this.length = length;
        this.divisor = divisor;
    }

    /** The format of this character; empty if it is undefined. */
    public static Optional<FieldFormat> of(char code) {
        return code < BY_CODE.length ? Optional.ofNullable(BY_CODE[code]) : Optional.empty();
    }

    /** The ULog type that represents all values exactly; for an array that of its elements. */
    public FieldType type() {
        return type;
    }

    /** Number of elements; 1 for a number. */
    public int count() {
        return count;
    }

    /** Length in a record, in bytes. */
    public int length() {
        return length;
    }

    /** Divisor that the format implies; 1 if the multiplier decides. */
    public int divisor() {
        return divisor;
    }

    public boolean isText() {
        return type == FieldType.CHAR;
    }

    boolean isArray() {
        return count > 1;
    }

    boolean isInteger() {
        return !isText() && !isArray() && type.isInteger();
    }
}
