package org.mavlogd.ulog;

/** Reads values of the basic types from a byte array. Hot path. */
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
            case FLOAT, DOUBLE -> throw new IllegalArgumentException(type.text() + " is not a whole number");
        };
    }

    /** One switch for all types instead of a nested call: runs for every field of a log. */
    static double number(FieldType type, byte[] bytes, int at) {
        return switch (type) {
            case FLOAT -> Float.intBitsToFloat(Bytes.int32(bytes, at));
            case DOUBLE -> Double.longBitsToDouble(Bytes.int64(bytes, at));
            case INT8 -> bytes[at];
            case UINT8, BOOL, CHAR -> Bytes.uint8(bytes, at);
            case INT16 -> Bytes.int16(bytes, at);
            case UINT16 -> Bytes.uint16(bytes, at);
            case INT32 -> Bytes.int32(bytes, at);
            case UINT32 -> (double) (Bytes.int32(bytes, at) & 0xFFFF_FFFFL);
            case INT64 -> (double) Bytes.int64(bytes, at);
            case UINT64 -> unsigned(Bytes.int64(bytes, at));
        };
    }

    /** Reads all elements of a column, in one loop for each type. */
    static void numbers(Column column, byte[] bytes, int from, double[] target, int offset) {
        int count = column.count();
        switch (column.type()) {
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    target[offset + i] = Float.intBitsToFloat(Bytes.int32(bytes, from + i * Float.BYTES));
                }
            }
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    target[offset + i] = Double.longBitsToDouble(Bytes.int64(bytes, from + i * Double.BYTES));
                }
            }
            case UINT8, BOOL, CHAR -> {
                for (int i = 0; i < count; i++) {
                    target[offset + i] = Bytes.uint8(bytes, from + i);
                }
            }
            case UINT32 -> {
                for (int i = 0; i < count; i++) {
                    target[offset + i] = (double) (Bytes.int32(bytes, from + i * Integer.BYTES) & 0xFFFF_FFFFL);
                }
            }
            case UINT64 -> {
                for (int i = 0; i < count; i++) {
                    target[offset + i] = unsigned(Bytes.int64(bytes, from + i * Long.BYTES));
                }
            }
            default -> {
                int length = column.type().length();
                for (int i = 0; i < count; i++) {
                    target[offset + i] = number(column.type(), bytes, from + i * length);
                }
            }
        }
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? (double) bits : (double) ((bits >>> 1) | (bits & 1)) * 2;
    }
}
