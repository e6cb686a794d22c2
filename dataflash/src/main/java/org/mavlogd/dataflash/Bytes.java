package org.mavlogd.dataflash;

import java.nio.charset.StandardCharsets;
import org.mavlogd.bytes.LittleEndian;

/** Reads little endian values from a byte array. Hot path. */
final class Bytes {

    private Bytes() {}

    /** Value of any integer format; for uint64_t its 64 bits. */
    static long integer(FieldFormat format, byte[] bytes, int at) {
        return switch (format.type()) {
            case INT8 -> bytes[at];
            case UINT8 -> LittleEndian.uint8(bytes, at);
            case INT16 -> LittleEndian.int16(bytes, at);
            case UINT16 -> LittleEndian.uint16(bytes, at);
            case INT32 -> LittleEndian.int32(bytes, at);
            case UINT32 -> LittleEndian.int32(bytes, at) & 0xFFFF_FFFFL;
            case INT64, UINT64 -> LittleEndian.int64(bytes, at);
            default -> throw new IllegalArgumentException(format + " is not a whole number");
        };
    }

    /** Value of any format except text, without scaling; {@code index} selects an element of an array. */
    static double number(FieldFormat format, byte[] bytes, int at, int index) {
        return switch (format) {
            case HALF -> Half.toFloat(LittleEndian.int16(bytes, at));
            case FLOAT -> Float.intBitsToFloat(LittleEndian.int32(bytes, at));
            case DOUBLE -> Double.longBitsToDouble(LittleEndian.int64(bytes, at));
            case INT16_ARRAY -> LittleEndian.int16(bytes, at + index * Short.BYTES);
            case UINT64 -> unsigned(LittleEndian.int64(bytes, at));
            default -> (double) integer(format, bytes, at);
        };
    }

    /** Text up to its first zero, one character per byte, so that no byte is lost. */
    static String latin(byte[] bytes, int at, int length) {
        return new String(bytes, at, textLength(bytes, at, length), StandardCharsets.ISO_8859_1);
    }

    /** Text for people up to its first zero, as UTF-8. */
    static String utf8(byte[] bytes, int at, int length) {
        return new String(bytes, at, textLength(bytes, at, length), StandardCharsets.UTF_8);
    }

    /** Length of a text up to its first zero. */
    static int textLength(byte[] bytes, int at, int length) {
        int end = 0;
        while (end < length && bytes[at + end] != 0) {
            end++;
        }
        return end;
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? (double) bits : (double) ((bits >>> 1) | (bits & 1)) * 2;
    }

    /** Converts IEEE 754 binary16 values to floats, which represent all of them exactly. Hot path. */
    static final class Half {
        private static final int SIGN = 0x8000;
        private static final int EXPONENT = 0x7C00;
        private static final int FRACTION = 0x03FF;
        private static final int FRACTION_SHIFT = 23 - 10;
        private static final int BIAS = 127 - 15;
        /** The smallest positive half: 2 to the power of -24. */
        private static final float UNIT = 0x1p-24f;

        private Half() {}

        static float toFloat(int bits) {
            return Float.intBitsToFloat(toFloatBits(bits));
        }

        static int toFloatBits(int bits) {
            int exponent = bits & EXPONENT;
            int fraction = bits & FRACTION;
            int sign = (bits & SIGN) << 16;
            if (exponent == EXPONENT) { // infinity or NaN: keep its payload
                return sign | 0x7F80_0000 | (fraction << FRACTION_SHIFT);
            }
            if (exponent == 0) { // zero or subnormal
                return sign | Float.floatToRawIntBits(fraction * UNIT);
            }
            return sign | (((exponent >> 10) + BIAS) << 23) | (fraction << FRACTION_SHIFT);
        }
    }
}
