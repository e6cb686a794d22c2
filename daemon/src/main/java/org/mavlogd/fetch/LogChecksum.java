package org.mavlogd.fetch;

/**
 * The checksum that CalcFileCRC32 tells: the polynomial of CRC-32, but begun with zero and not inverted at the end, as both
 * autopilots compute it.
 */
public final class LogChecksum {
    private static final int POLYNOMIAL = 0xEDB8_8320;
    private static final int[] TABLE = table();

    private int value;

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int crc = i;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
            }
            table[i] = crc;
        }
        return table;
    }

    public void update(byte[] bytes, int offset, int length) {
        int crc = value;
        for (int i = offset; i < offset + length; i++) {
            crc = TABLE[(crc ^ bytes[i]) & 0xFF] ^ (crc >>> Byte.SIZE);
        }
        value = crc;
    }

    public int value() {
        return value;
    }
}
