package org.mavlogd.dataflash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Little endian values at a place of a byte array. Hot path. */
final class Bytes {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Bytes() {}

    static int uint8(byte[] bytes, int at) {
        return bytes[at] & 0xFF;
    }

    static int int16(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at);
    }

    static int int32(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static long int64(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    static void putInt32(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    static void putInt64(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    /** A whole number of any integer format; uint64_t by its bits. */
    static long integer(FieldFormat format, byte[] bytes, int at) {
        return switch (format.type()) {
            case INT8 -> bytes[at];
            case UINT8 -> uint8(bytes, at);
            case INT16 -> int16(bytes, at);
            case UINT16 -> int16(bytes, at) & 0xFFFF;
            case INT32 -> int32(bytes, at);
            case UINT32 -> int32(bytes, at) & 0xFFFF_FFFFL;
            case INT64, UINT64 -> int64(bytes, at);
            default -> throw new IllegalArgumentException(format + " is no whole number");
        };
    }

    /** A number of any format but text, without any factor; {@code index} of an array. */
    static double number(FieldFormat format, byte[] bytes, int at, int index) {
        return switch (format) {
            case HALF -> Half.toFloat(int16(bytes, at));
            case FLOAT -> Float.intBitsToFloat(int32(bytes, at));
            case DOUBLE -> Double.longBitsToDouble(int64(bytes, at));
            case INT16_ARRAY -> int16(bytes, at + index * Short.BYTES);
            case UINT64 -> unsigned(int64(bytes, at));
            default -> (double) integer(format, bytes, at);
        };
    }

    /** A text up to its first zero; each byte one character, so that none is lost. */
    static String latin(byte[] bytes, int at, int length) {
        return new String(bytes, at, textLength(bytes, at, length), StandardCharsets.ISO_8859_1);
    }

    /** A text for people up to its first zero, as UTF-8. */
    static String utf8(byte[] bytes, int at, int length) {
        return new String(bytes, at, textLength(bytes, at, length), StandardCharsets.UTF_8);
    }

    private static int textLength(byte[] bytes, int at, int length) {
        int end = 0;
        while (end < length && bytes[at + end] != 0) {
            end++;
        }
        return end;
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? (double) bits : (double) ((bits >>> 1) | (bits & 1)) * 2;
    }
}
