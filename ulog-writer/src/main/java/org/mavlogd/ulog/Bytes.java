package org.mavlogd.ulog;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes little endian numbers in a byte array. Hot path. */
final class Bytes {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Bytes() {}

    static int uint8(byte[] bytes, int offset) {
        return bytes[offset] & 0xFF;
    }

    static short int16(byte[] bytes, int offset) {
        return (short) SHORT.get(bytes, offset);
    }

    static int uint16(byte[] bytes, int offset) {
        return (short) SHORT.get(bytes, offset) & 0xFFFF;
    }

    static int int32(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset);
    }

    static long int64(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset);
    }

    static void putInt16(byte[] bytes, int offset, int value) {
        SHORT.set(bytes, offset, (short) value);
    }

    static void putInt32(byte[] bytes, int offset, int value) {
        INT.set(bytes, offset, value);
    }

    static void putInt64(byte[] bytes, int offset, long value) {
        LONG.set(bytes, offset, value);
    }
}
