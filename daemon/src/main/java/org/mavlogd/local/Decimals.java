package org.mavlogd.local;

import com.fasterxml.jackson.core.io.NumberInput;
import java.nio.ByteBuffer;

/**
 * Reads decimal numbers from bytes, without allocation: always the nearest double, like {@link Double#parseDouble}.
 * Jackson does the arithmetic; the text is checked first, because Jackson also accepts the forms of Java's source code.
 * Owned by one thread at a time.
 */
public final class Decimals {
    /** Longer numbers are refused: no instrument and no file of the kernel writes them. */
    static final int MAX_LENGTH = 64;

    private static final int MAX_EXPONENT_DIGITS = 3;

    private final char[] text = new char[MAX_LENGTH];

    /**
     * Reads all bytes from {@code from} to {@code to}: {@code [+-]digits[.digits][e[+-]digits]}, at least one digit.
     *
     * @return NaN if they are anything else, or too large for a double
     */
    public double parse(ByteBuffer bytes, int from, int to) {
        int length = to - from;
        if (length <= 0 || length > MAX_LENGTH) {
            return Double.NaN;
        }
        for (int i = 0; i < length; i++) {
            text[i] = (char) (bytes.get(from + i) & 0xFF);
        }
        if (!isDecimal(length)) {
            return Double.NaN;
        }
        double value = NumberInput.parseDouble(text, 0, length, true);
        return Double.isFinite(value) ? value : Double.NaN;
    }

    private boolean isDecimal(int length) {
        int whole = digits(afterSign(0, length), length);
        int count = whole - afterSign(0, length);
        int at = whole;
        if (at < length && text[at] == '.') {
            at = digits(whole + 1, length);
            count += at - whole - 1;
        }
        return count > 0 && (at == length || isExponent(at, length));
    }

    private boolean isExponent(int at, int length) {
        int begin = afterSign(at + 1, length);
        int count = digits(begin, length) - begin;
        return (text[at] == 'e' || text[at] == 'E')
                && count > 0
                && count <= MAX_EXPONENT_DIGITS
                && begin + count == length;
    }

    private int afterSign(int at, int length) {
        return at < length && (text[at] == '-' || text[at] == '+') ? at + 1 : at;
    }

    private int digits(int from, int length) {
        int at = from;
        while (at < length && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at;
    }
}
