package org.mavlogd.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads and writes little endian numbers in a byte array, aligned or not, on every architecture. An index outside the
 * array throws {@link IndexOutOfBoundsException}, and nothing is written. Hot path.
 */
public final class LittleEndian {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    public static int uint8(byte[] bytes, int at) {
        return bytes[at] & 0xFF;
    }

    public static int int16(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at);
    }

    public static int uint16(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at) & 0xFFFF;
    }

    public static int int32(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    public static long int64(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /** Writes the lower 16 bits. */
    public static void putInt16(byte[] bytes, int at, int value) {
        SHORT.set(bytes, at, (short) value);
    }

    public static void putInt32(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    public static void putInt64(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }
}
