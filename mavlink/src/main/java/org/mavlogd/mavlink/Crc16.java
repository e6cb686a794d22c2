package org.mavlogd.mavlink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * MAVLink's checksum, CRC-16/MCRF4XX: polynomial 0x1021 reflected, start value 0xFFFF, no final inversion.
 *
 * <p>Processes eight bytes at a time with eight tables: a log chunk has 265 bytes under the checksum, and byte by byte
 * the checksum would be the most expensive step of the data path. Hot path.
 */
final class Crc16 {
    static final int START = 0xFFFF;

    private static final int POLYNOMIAL_REFLECTED = 0x8408;
    private static final int SLICES = 8;

    /** Slice k, at 256 * k: the effect of a byte on the checksum after k more bytes. */
    private static final char[] TABLE = table();

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Crc16() {}

    static int update(int crc, byte value) {
        return (crc >>> 8) ^ TABLE[(crc ^ value) & 0xFF];
    }

    static int update(int crc, byte[] buffer, int offset, int length) {
        int end = offset + length;
        int position = offset;
        int result = crc;
        for (; position <= end - SLICES; position += SLICES) {
            result = update8(result, (long) LONG.get(buffer, position));
        }
        for (; position < end; position++) {
            result = update(result, buffer[position]);
        }
        return result;
    }

    private static int update8(int crc, long bytes) {
        int low = (int) bytes ^ crc;
        int high = (int) (bytes >>> 32);
        return TABLE[0x700 + (low & 0xFF)]
                ^ TABLE[0x600 + (low >>> 8 & 0xFF)]
                ^ TABLE[0x500 + (low >>> 16 & 0xFF)]
                ^ TABLE[0x400 + (low >>> 24)]
                ^ TABLE[0x300 + (high & 0xFF)]
                ^ TABLE[0x200 + (high >>> 8 & 0xFF)]
                ^ TABLE[0x100 + (high >>> 16 & 0xFF)]
                ^ TABLE[high >>> 24];
    }

    private static char[] table() {
        char[] table = new char[SLICES * 256];
        for (int value = 0; value < 256; value++) {
            int crc = value;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? (crc >>> 1) ^ POLYNOMIAL_REFLECTED : crc >>> 1;
            }
            table[value] = (char) crc;
        }
        for (int at = 256; at < table.length; at++) {
            char before = table[at - 256];
            table[at] = (char) ((before >>> 8) ^ table[before & 0xFF]);
        }
        return table;
    }
}
