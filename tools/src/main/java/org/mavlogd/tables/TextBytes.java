package org.mavlogd.tables;

import java.util.Arrays;

/** A growing buffer of UTF-8 text. Numbers allocate nothing. */
class TextBytes {
    private static final int FIRST_CAPACITY = 4096;
    private static final int MAX_DIGITS = 20;

    private byte[] bytes = new byte[FIRST_CAPACITY];
    private int length;

    void clear() {
        length = 0;
    }

    public final byte[] bytes() {
        return bytes;
    }

    public final int length() {
        return length;
    }

    final void putInteger(long value) {
        if (value < 0) {
            put('-');
        }
        digits(value);
    }

    final void putUnsigned(long value) {
        if (value < 0) {
            putAscii(Long.toUnsignedString(value));
        } else {
            digits(value);
        }
    }

    /** Adds a finite number with as few digits as are needed to read the same float. */
    final void putNumber(float value) {
        require(ShortestDecimal.MAX_LENGTH);
        length = ShortestDecimal.write(value, bytes, length);
    }

    final void putNumber(double value) {
        require(ShortestDecimal.MAX_LENGTH);
        length = ShortestDecimal.write(value, bytes, length);
    }

    final void putAscii(String text) {
        require(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[length++] = (byte) text.charAt(i);
        }
    }

    final void put(byte[] more) {
        put(more, more.length);
    }

    final void put(byte[] more, int count) {
        require(count);
        System.arraycopy(more, 0, bytes, length, count);
        length += count;
    }

    final void put(int b) {
        require(1);
        bytes[length++] = (byte) b;
    }

    /** Adds the digits of a value without sign, at least {@code least} of them. */
    final void digits(long value, int least) {
        require(MAX_DIGITS);
        int count = 0;
        long rest = value;
        do {
            bytes[length + count++] = (byte) ('0' + Math.abs(rest % 10));
            rest /= 10;
        } while (rest != 0 || count < least);
        for (int i = length, j = length + count - 1; i < j; i++, j--) {
            byte swapped = bytes[i];
            bytes[i] = bytes[j];
            bytes[j] = swapped;
        }
        length += count;
    }

    private void digits(long value) {
        digits(value, 1);
    }

    private void require(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
