package org.mavlogd.series;

import java.util.Optional;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.TopicLayout;

/** Reads one number of each sample: a field, or an element of an array, such as {@code q[0]}. */
record FieldReader(FieldType type, int offset) {
    /** Finds a field by its path; empty if the topic lacks it, or it is a text. */
    static Optional<FieldReader> find(TopicLayout layout, String path) {
        Optional<FieldReader> scalar = layout.column(path)
                .filter(column -> !column.isArray())
                .map(column -> new FieldReader(column.type(), column.offset()));
        int bracket = path.lastIndexOf('[');
        if (scalar.isPresent() || bracket < 0 || !path.endsWith("]")) {
            return scalar;
        }
        int index = index(path.substring(bracket + 1, path.length() - 1));
        return layout.column(path.substring(0, bracket))
                .filter(Column::isArray)
                .filter(column -> column.type() != FieldType.CHAR)
                .filter(column -> index >= 0 && index < column.count())
                .map(column -> new FieldReader(
                        column.type(), column.offset() + index * column.type().length()));
    }

    private static int index(String digits) {
        return digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : -1;
    }

    /** The value; NaN if the sample ends before the field, or the value is not finite. Hot path. */
    double read(byte[] buffer, int fields, int length) {
        if (offset + type.length() > length) {
            return Double.NaN;
        }
        double value = number(buffer, fields + offset);
        return Math.abs(value) <= Double.MAX_VALUE ? value : Double.NaN;
    }

    private double number(byte[] buffer, int at) {
        return switch (type) {
            case INT8 -> buffer[at];
            case UINT8, BOOL, CHAR -> LittleEndian.uint8(buffer, at);
            case INT16 -> LittleEndian.int16(buffer, at);
            case UINT16 -> LittleEndian.uint16(buffer, at);
            case INT32 -> LittleEndian.int32(buffer, at);
            case UINT32 -> LittleEndian.int32(buffer, at) & 0xFFFF_FFFFL;
            case INT64 -> LittleEndian.int64(buffer, at);
            case UINT64 -> unsigned(LittleEndian.int64(buffer, at));
            case FLOAT -> Float.intBitsToFloat(LittleEndian.int32(buffer, at));
            case DOUBLE -> Double.longBitsToDouble(LittleEndian.int64(buffer, at));
        };
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
    }
}
