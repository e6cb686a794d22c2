package org.mavlogd.simulate;

/** Little-endian numbers in payloads. */
public final class PayloadBytes {
    private PayloadBytes() {}

    public static void putInt16(byte[] target, int offset, int value) {
        target[offset] = (byte) value;
        target[offset + 1] = (byte) (value >>> Byte.SIZE);
    }

    public static void putInt32(byte[] target, int offset, int value) {
        putInt16(target, offset, value);
        putInt16(target, offset + Short.BYTES, value >>> Short.SIZE);
    }
}
