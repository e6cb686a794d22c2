package org.mavlogd.local;

import java.nio.ByteBuffer;

/** Decimal numbers from bytes, without allocation. */
public final class Decimals {
    // Digits beyond these cannot change a double by more than its last place or two, which no instrument is worth.
    private static final int MAX_DIGITS = 18;
    private static final int MAX_EXPONENT = 400;
    private static final double[] POWERS = new double[23]; // those that a double holds exactly

    static {
        for (int i = 0; i < POWERS.length; i++) {
            POWERS[i] = Math.pow(10, i);
        }
    }

    private Decimals() {}

    /**
     * Reads all bytes from {@code from} to {@code to}: {@code [+-]digits[.digits][e[+-]digits]}, at least one digit.
     *
     * @return NaN when they are anything else
     */
    public static double parse(ByteBuffer bytes, int from, int to) {
        int i = from;
        boolean negative = i < to && bytes.get(i) == '-';
        if (i < to && (negative || bytes.get(i) == '+')) {
            i++;
        }
        long digits = 0;
        int taken = 0;
        int scale = 0;
        int seen = 0;
        boolean fraction = false;
        for (; i < to; i++) {
            byte c = bytes.get(i);
            if (c == '.' && !fraction) {
                fraction = true;
            } else if (c >= '0' && c <= '9') {
                seen++;
                if (taken < MAX_DIGITS) {
                    digits = digits * 10 + (c - '0');
                    taken += digits == 0 ? 0 : 1;
                    scale -= fraction ? 1 : 0;
                } else {
                    scale += fraction ? 0 : 1;
                }
            } else {
                break;
            }
        }
        if (seen == 0) {
            return Double.NaN;
        }
        if (i < to) {
            int exponent = exponent(bytes, i, to);
            if (exponent > MAX_EXPONENT) {
                return Double.NaN;
            }
            scale += exponent;
        }
        double value = scaled(digits, scale);
        return negative ? -value : value;
    }

    /** A number above {@link #MAX_EXPONENT} when there is no good one. */
    private static int exponent(ByteBuffer bytes, int from, int to) {
        int i = from + 1;
        boolean negative = i < to && bytes.get(i) == '-';
        if (i < to && (negative || bytes.get(i) == '+')) {
            i++;
        }
        boolean good = (bytes.get(from) == 'e' || bytes.get(from) == 'E') && i < to && to - i <= 3;
        int value = 0;
        for (; good && i < to; i++) {
            good = bytes.get(i) >= '0' && bytes.get(i) <= '9';
            value = value * 10 + (bytes.get(i) - '0');
        }
        if (!good || value > MAX_EXPONENT) {
            return MAX_EXPONENT + 1;
        }
        return negative ? -value : value;
    }

    private static double scaled(long digits, int scale) {
        if (scale >= 0) {
            return scale < POWERS.length ? digits * POWERS[scale] : digits * Math.pow(10, scale);
        }
        return -scale < POWERS.length ? digits / POWERS[-scale] : digits * Math.pow(10, scale);
    }
}
