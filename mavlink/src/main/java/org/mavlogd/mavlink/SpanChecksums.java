package org.mavlogd.mavlink;

/**
 * Checksums of overlapping spans of the same bytes: one pass over the bytes, then each span takes constant time.
 *
 * <p>In hostile bytes a frame of 260 bytes may begin at each byte, and a checksum over each of them takes 260 times as long as
 * over frames one behind the other. A checksum is linear: that of a span follows from those of all bytes before its start
 * and before its end.
 *
 * <p>Spans have up to {@link #MAX_SPAN} bytes. Keeps checksums of {@value #WINDOW} bytes; going through a buffer in steps back and
 * forth of up to half of that costs no second pass. Owned by the link's thread. Hot path.
 */
final class SpanChecksums {
    /** What the checksum of the longest frame covers. */
    static final int MAX_SPAN = FrameLayout.HEADER_LENGTH_V2 - 1 + FrameLayout.MAX_PAYLOAD_LENGTH;

    private static final int WINDOW = 1024;
    private static final int NIBBLES = 4;
    private static final int NIBBLE_VALUES = 16;
    private static final int NIBBLE_MASK = NIBBLE_VALUES - 1;
    private static final int SHIFT_VALUES = NIBBLES * NIBBLE_VALUES;

    /** At 64 * n + 16 * k + v: what v in a checksum's nibble k becomes when n zero bytes follow. */
    private static final char[] SHIFTS = shifts();

    /** At n: checksum of the window's first n bytes, begun with 0. */
    private final char[] sums = new char[WINDOW + 1];

    private int start;
    // How many bytes of the window have their checksum; -1 for no window.
    private int summed = -1;

    /** The bytes have changed, or others follow. */
    void forget() {
        summed = -1;
    }

    /** What {@link Crc16} makes of these bytes when it begins with {@link Crc16#START}. */
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
