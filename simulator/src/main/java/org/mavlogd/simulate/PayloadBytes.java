package org.mavlogd.simulate;

/** Little-endian numbers in payloads. */
final class PayloadBytes {
    private PayloadBytes() {}

    static void putInt16(byte[] target, int offset, int value) {
        target[offset] = (byte) value;
        target[offset + 1] = (byte) (value >>> Byte.SIZE);
    }

    static void putInt32(byte[] target, int offset, int value) {
        putInt16(target, offset, value);
        putInt16(target, offset + Short.BYTES, value >>> Short.SIZE);
    }
}
