package org.mavlogd.mavlink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Writes numbers into a payload, little endian. */
public final class PayloadBytes {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private PayloadBytes() {}

    public static void putInt16(byte[] payload, int offset, int value) {
        SHORT.set(payload, offset, (short) value);
    }

    public static void putInt32(byte[] payload, int offset, int value) {
        INT.set(payload, offset, value);
    }

    public static void putInt64(byte[] payload, int offset, long value) {
        LONG.set(payload, offset, value);
    }
}
