package org.mavlogd.ulog;

/** Basic values at a place of a byte array. Hot path. */
final class Values {
    private Values() {}

    static long integer(FieldType type, byte[] bytes, int at) {
        return switch (type) {
            case INT8 -> bytes[at];
            case UINT8, BOOL, CHAR -> Bytes.uint8(bytes, at);
            case INT16 -> Bytes.int16(bytes, at);
            case UINT16 -> Bytes.uint16(bytes, at);
            case INT32 -> Bytes.int32(bytes, at);
            case UINT32 -> Bytes.int32(bytes, at) & 0xFFFF_FFFFL;
            case INT64, UINT64 -> Bytes.int64(bytes, at);
            case FLOAT, DOUBLE -> throw new IllegalArgumentException(type.text() + " is no whole number");
        };
    }

    static double number(FieldType type, byte[] bytes, int at) {
        return switch (type) {
            case FLOAT -> Float.intBitsToFloat(Bytes.int32(bytes, at));
            case DOUBLE -> Double.longBitsToDouble(Bytes.int64(bytes, at));
            case UINT64 -> unsigned(Bytes.int64(bytes, at));
            default -> integer(type, bytes, at);
        };
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? bits : (double) ((bits >>> 1) | (bits & 1)) * 2;
    }
}
