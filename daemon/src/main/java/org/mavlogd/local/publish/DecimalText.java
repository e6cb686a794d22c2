package org.mavlogd.local.publish;

import java.math.BigInteger;

/**
 * Decimal numbers of JSON as doubles: the nearest one always, as {@link Double#parseDouble} finds it, and without allocation
 * but for rare numbers that lie all too close to the middle between two doubles, or are very large or small.
 *
 * @see <a href="https://arxiv.org/abs/2101.11408">D. Lemire, Number Parsing at a Gigabyte per Second</a>
 */
final class DecimalText {
    private static final int MAX_DIGITS = 19; // always fit into 64 bits without sign
    private static final int MAX_EXPONENT = 9999;

    // Powers of ten for which there is a table; others are rare.
    private static final int MIN_POWER = -80;
    private static final int MAX_POWER = 80;
    private static final long[] HIGH = new long[MAX_POWER - MIN_POWER + 1];
    private static final long[] LOW = new long[MAX_POWER - MIN_POWER + 1];

    // Powers, and whole numbers, that a double holds exactly: one rounding at most is between them and the result.
    private static final double[] EXACT = new double[23];
    private static final long MAX_EXACT = 1L << 53;

    private static final int BIAS = 1023;
    private static final int FRACTION_BITS = 52;
    private static final long DROPPED_BITS = 0x1FF;

    static {
        for (int power = 0; power < EXACT.length; power++) {
            EXACT[power] = Double.parseDouble("1e" + power);
        }
        for (int power = MIN_POWER; power <= MAX_POWER; power++) {
            BigInteger bits = leadingBits(power);
            HIGH[power - MIN_POWER] = bits.shiftRight(64).longValue();
            LOW[power - MIN_POWER] = bits.longValue();
        }
    }

    private DecimalText() {}

    /** The first 128 bits of a power of ten, the rest cut off. */
    private static BigInteger leadingBits(int power) {
        BigInteger ten = BigInteger.TEN.pow(Math.abs(power));
        if (power < 0) {
            // 2^n / 10^-power with n such that 128 bits come out.
            BigInteger quotient =
                    BigInteger.ONE.shiftLeft(ten.bitLength() + 128).divide(ten);
            return quotient.shiftRight(quotient.bitLength() - 128);
        }
        return ten.bitLength() <= 128 ? ten.shiftLeft(128 - ten.bitLength()) : ten.shiftRight(ten.bitLength() - 128);
    }

    /** @param text a number as JSON has it: {@code [-]digits[.digits][e[+-]digits]} */
    static double parse(char[] text, int offset, int length) {
        int end = offset + length;
        int i = offset;
        boolean negative = text[i] == '-';
        if (negative) {
            i++;
        }
        long digits = 0;
        int taken = 0;
        int power = 0;
        boolean fraction = false;
        boolean cut = false;
        for (; i < end; i++) {
            char c = text[i];
            if (c == '.') {
                fraction = true;
            } else if (c < '0' || c > '9') {
                break;
            } else if (taken < MAX_DIGITS) {
                digits = digits * 10 + (c - '0');
                taken += digits == 0 ? 0 : 1;
                power -= fraction ? 1 : 0;
            } else {
                cut |= c != '0';
                power += fraction ? 0 : 1;
            }
        }
        power += i < end ? exponent(text, i + 1, end) : 0;
        if (digits == 0) {
            return negative ? -0.0 : 0.0;
        }
        double magnitude = cut ? Double.NaN : magnitude(digits, power);
        if (Double.isNaN(magnitude)) {
            return Double.parseDouble(new String(text, offset, length));
        }
        return negative ? -magnitude : magnitude;
    }

    private static int exponent(char[] text, int from, int end) {
        int i = from;
        boolean negative = text[i] == '-';
        if (negative || text[i] == '+') {
            i++;
        }
        int value = 0;
        for (; i < end; i++) {
            value = Math.min(MAX_EXPONENT, value * 10 + (text[i] - '0'));
        }
        return negative ? -value : value;
    }

    private static double magnitude(long digits, int power) {
        if (digits > 0 && digits <= MAX_EXACT && Math.abs(power) < EXACT.length) {
            return power < 0 ? digits / EXACT[-power] : digits * EXACT[power];
        }
        return power < MIN_POWER || power > MAX_POWER ? Double.NaN : nearest(digits, power);
    }

    /** digits * 10^power by the algorithm of Eisel and Lemire; NaN where that cannot tell. Digits have no sign. */
    private static double nearest(long digits, int power) {
        int zeros = Long.numberOfLeadingZeros(digits);
        long mantissa = digits << zeros;
        long exponent = ((217_706L * power) >> 16) + 64 + BIAS - zeros;
        long high = multiplyHigh(mantissa, HIGH[power - MIN_POWER]);
        long low = mantissa * HIGH[power - MIN_POWER];
        if ((high & DROPPED_BITS) == DROPPED_BITS && Long.compareUnsigned(low + mantissa, mantissa) < 0) {
            long nextHigh = multiplyHigh(mantissa, LOW[power - MIN_POWER]);
            long nextLow = mantissa * LOW[power - MIN_POWER];
            long merged = low + nextHigh;
            if (Long.compareUnsigned(merged, low) < 0) {
                high++;
            }
            if ((high & DROPPED_BITS) == DROPPED_BITS
                    && merged + 1 == 0
                    && Long.compareUnsigned(nextLow + mantissa, mantissa) < 0) {
                return Double.NaN;
            }
            low = merged;
        }
        long top = high >>> 63;
        long rounded = high >>> (top + 9);
        exponent -= 1 ^ top;
        if (low == 0 && (high & DROPPED_BITS) == 0 && (rounded & 3) == 1) {
            return Double.NaN; // right in the middle
        }
        rounded += rounded & 1;
        rounded >>>= 1;
        if (rounded >>> (FRACTION_BITS + 1) > 0) {
            rounded >>>= 1;
            exponent++;
        }
        return Double.longBitsToDouble((exponent << FRACTION_BITS) | (rounded & ((1L << FRACTION_BITS) - 1)));
    }

    /** The high 64 bits of the product of two numbers without sign. */
    private static long multiplyHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    }
}
