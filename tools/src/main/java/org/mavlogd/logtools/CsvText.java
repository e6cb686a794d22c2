package org.mavlogd.logtools;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds rows of a table: commas, quotes as in RFC 4180, lines that end as Unix has them, UTF-8. One buffer for all; grows to the longest row. */
final class CsvText {
    private static final int FIRST_CAPACITY = 4096;
    private static final int MAX_DIGITS = 20;

    private byte[] bytes = new byte[FIRST_CAPACITY];
    private int length;
    private boolean inRow;

    void clear() {
        length = 0;
        inRow = false;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    void endRow() {
        put('\n');
        inRow = false;
    }

    void integer(long value) {
        beginCell();
        if (value < 0) {
            put('-');
        }
        digits(value);
    }

    void unsigned(long value) {
        beginCell();
        if (value < 0) {
            ascii(Long.toUnsignedString(value));
        } else {
            digits(value);
        }
    }

    /** As few digits as give the same float when read again. */
    void number(float value) {
        beginCell();
        ascii(Float.isInfinite(value) ? infinity(value) : Float.toString(value));
    }

    void number(double value) {
        beginCell();
        ascii(Double.isInfinite(value) ? infinity(value) : Double.toString(value));
    }

    void text(String text) {
        beginCell();
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (!needsQuotes(utf8)) {
            append(utf8);
            return;
        }
        put('"');
        for (byte b : utf8) {
            if (b == '"') {
                put('"');
            }
            put(b);
        }
        put('"');
    }

    private static boolean needsQuotes(byte[] text) {
        for (byte b : text) {
            if (b == ',' || b == '"' || b == '\r' || b == '\n') {
                return true;
            }
        }
        return text.length > 0 && (text[0] == ' ' || text[text.length - 1] == ' ');
    }

    /** The word that spreadsheets, C, Python and R read. */
    private static String infinity(double value) {
        return value > 0 ? "inf" : "-inf";
    }

    /** The value's digits without sign. */
    private void digits(long value) {
        require(MAX_DIGITS);
        int count = 0;
        long rest = value;
        do {
            bytes[length + count++] = (byte) ('0' + Math.abs(rest % 10));
            rest /= 10;
        } while (rest != 0);
        for (int i = length, j = length + count - 1; i < j; i++, j--) {
            byte swapped = bytes[i];
            bytes[i] = bytes[j];
            bytes[j] = swapped;
        }
        length += count;
    }

    private void beginCell() {
        if (inRow) {
            put(',');
        }
        inRow = true;
    }

    private void ascii(String text) {
        require(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[length++] = (byte) text.charAt(i);
        }
    }

    private void append(byte[] more) {
        require(more.length);
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
    }

    private void put(int b) {
        require(1);
        bytes[length++] = (byte) b;
    }

    private void require(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
