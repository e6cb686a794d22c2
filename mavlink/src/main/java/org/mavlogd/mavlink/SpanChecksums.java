package org.mavlogd.mavlink;

/**
 * Checksums of overlapping spans of the same bytes: after one pass over the bytes, each span takes constant time.
 *
 * <p>In hostile bytes a frame of 260 bytes may start at each byte, and computing their checksums separately takes 260
 * times as long as those of consecutive frames. The checksum is linear: that of a span follows from those of all bytes
 * before its start and before its end.
 *
 * <p>Spans have up to {@link #MAX_SPAN} bytes. Keeps checksums of {@value #WINDOW} bytes; moving back and forth by up
 * to half of that needs no second pass. Owned by the link's thread. Hot path.
 */
final class SpanChecksums {
    /** Bytes under the checksum of the longest frame. */
    static final int MAX_SPAN = FrameLayout.HEADER_LENGTH_V2 - 1 + FrameLayout.MAX_PAYLOAD_LENGTH;

    private static final int WINDOW = 1024;
    private static final int NIBBLES = 4;
    private static final int NIBBLE_VALUES = 16;
    private static final int NIBBLE_MASK = NIBBLE_VALUES - 1;
    private static final int SHIFT_VALUES = NIBBLES * NIBBLE_VALUES;

    /** At 64 * n + 16 * k + v: the value v in nibble k of a checksum after n zero bytes. */
    private static final char[] SHIFTS = shifts();

    /** At n: checksum of the window's first n bytes, started with 0. */
    private final char[] sums = new char[WINDOW + 1];

    private int start;
    // Number of bytes of the window with a checksum; -1 for no window.
    private int summed = -1;

    /** Must be called when the bytes change or other bytes follow. */
    void forget() {
        summed = -1;
    }

    /** The result of {@link Crc16} for these bytes, started with {@link Crc16#START}. */
    int of(byte[] buffer, int from, int end) {
        if (summed < 0 || from < start || end > start + WINDOW) {
            start = from;
            summed = 0;
        }
        sumUpTo(buffer, end);
        return shift(sums[from - start] ^ Crc16.START, end - from) ^ sums[end - start];
    }

    private void sumUpTo(byte[] buffer, int end) {
        int count = summed;
        int sum = sums[count];
        while (start + count < end) {
            sum = Crc16.update(sum, buffer[start + count]);
            count++;
            sums[count] = (char) sum;
        }
        summed = count;
    }

    private static int shift(int sum, int bytes) {
        int at = SHIFT_VALUES * bytes;
        return SHIFTS[at + (sum & NIBBLE_MASK)]
                ^ SHIFTS[at + NIBBLE_VALUES + ((sum >>> 4) & NIBBLE_MASK)]
                ^ SHIFTS[at + 2 * NIBBLE_VALUES + ((sum >>> 8) & NIBBLE_MASK)]
                ^ SHIFTS[at + 3 * NIBBLE_VALUES + (sum >>> 12)];
    }

    private static char[] shifts() {
        char[] shifts = new char[SHIFT_VALUES * (MAX_SPAN + 1)];
        for (int at = 0; at < shifts.length; at++) {
            shifts[at] = at < SHIFT_VALUES
                    ? (char) ((at % NIBBLE_VALUES) << (4 * (at / NIBBLE_VALUES)))
                    : (char) Crc16.update(shifts[at - SHIFT_VALUES], (byte) 0);
        }
        return shifts;
    }
}
