package org.mavlogd.signing;

/** The checksum of a SYSTEM_TIME frame, computed independently of the code under test. */
final class Checksums {
    private static final int CRC_EXTRA = 137; // of SYSTEM_TIME
    private static final int HEADER_LENGTH = 10;
    private static final int SIGNATURE_LENGTH = 13;

    private Checksums() {}

    /** Whether the byte at {@code index} belongs to the checksum. */
    static boolean isIn(byte[] frame, int index) {
        int end = frame.length - SIGNATURE_LENGTH;
        return index >= end - 2 && index < end;
    }

    /** Corrects the checksum if the length in the header still matches the frame. */
    static void repair(byte[] frame) {
        int end = HEADER_LENGTH + (frame[1] & 0xFF);
        if (end + 2 + SIGNATURE_LENGTH != frame.length) {
            return;
        }
        int crc = 0xFFFF;
        for (int i = 1; i < end; i++) {
            crc = step(crc, frame[i]);
        }
        crc = step(crc, CRC_EXTRA);
        frame[end] = (byte) crc;
        frame[end + 1] = (byte) (crc >> 8);
    }

    private static int step(int crc, int value) {
        int t = (value ^ crc) & 0xFF;
        t = (t ^ (t << 4)) & 0xFF;
        return ((crc >> 8) ^ (t << 8) ^ (t << 3) ^ (t >> 4)) & 0xFFFF;
    }
}
