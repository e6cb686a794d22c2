package org.mavlogd.tables;

import java.math.BigInteger;

/**
 * Writes floating point numbers with the fewest digits that read as the same number, in the form of Java's {@code
 * toString}: {@code 3.5}, {@code 1.0E-5}. Java 17 itself sometimes writes one digit too many, and creates a string for
 * each number. Finite numbers only. Hot path.
 *
 * @see <a href="https://fmt.dev/papers/Schubfach4.pdf">Raffaello Giulietti, The Schubfach way to render doubles</a>
 */
final class ShortestDecimal {
    /** Maximum length of a number, in bytes. */
    static final int MAX_LENGTH = 26;

    private static final int MIN_POWER = -324;
    private static final int MAX_POWER = 292;
    // 10^-k as 126 bits, rounded up: 63 high and 63 low ones of each k.
    private static final long[] HIGH = new long[MAX_POWER - MIN_POWER + 1];
    private static final long[] LOW = new long[HIGH.length];
    private static final int G_BITS = 126;
    private static final long MASK_63 = (1L << 63) - 1;
    private static final long MASK_32 = (1L << 32) - 1;

    // Decimal exponents outside these limits are written with an exponent.
    private static final int MAX_PLAIN_EXPONENT = 7;
    private static final int MIN_PLAIN_EXPONENT = -3;

    /**
     * IEEE 754 of 64 and 32 bits: bits of the fraction, minimum exponent, and the limit below which significands take
     * another digit.
     */
    private static final int DOUBLE_FRACTION = 52;

    private static final int DOUBLE_MIN_EXPONENT = -1074;
    private static final int DOUBLE_TINY = 3;
    private static final int FLOAT_FRACTION = 23;
    private static final int FLOAT_MIN_EXPONENT = -149;
    private static final int FLOAT_TINY = 8;

    static {
        for (int k = MIN_POWER; k <= MAX_POWER; k++) {
            BigInteger g = power(-k);
            HIGH[k - MIN_POWER] = g.shiftRight(63).longValueExact();
            LOW[k - MIN_POWER] = g.and(BigInteger.valueOf(MASK_63)).longValueExact();
        }
    }

    private ShortestDecimal() {}

    /** The 126 leading bits of a power of ten, plus one. */
    private static BigInteger power(int exponent) {
        BigInteger power = BigInteger.TEN.pow(Math.abs(exponent));
        if (exponent < 0) {
            int bits = power.bitLength();
            // A power of ten other than 1 is not a power of two, so the quotient has the wanted number of bits.
            return BigInteger.ONE.shiftLeft(bits + G_BITS - 1).divide(power).add(BigInteger.ONE);
        }
        int surplus = power.bitLength() - G_BITS;
        return (surplus >= 0 ? power.shiftRight(surplus) : power.shiftLeft(-surplus)).add(BigInteger.ONE);
    }

    /** Writes a finite number; returns the end index. */
    static int write(double value, byte[] to, int at) {
        long bits = Double.doubleToRawLongBits(value);
        int end = sign(bits < 0, to, at);
        long fraction = bits & ((1L << DOUBLE_FRACTION) - 1);
        int biased = (int) (bits >>> DOUBLE_FRACTION) & 0x7FF;
        if (biased != 0) {
            long significand = (1L << DOUBLE_FRACTION) | fraction;
            int exponent = DOUBLE_MIN_EXPONENT - 1 + biased;
            return isWhole(significand, exponent, DOUBLE_FRACTION)
                    ? digits(significand >> -exponent, 0, to, end)
                    : writeDouble(exponent, significand, 0, to, end);
        }
        if (fraction == 0) {
            return zero(to, end);
        }
        return fraction < DOUBLE_TINY
                ? writeDouble(DOUBLE_MIN_EXPONENT, 10 * fraction, -1, to, end)
                : writeDouble(DOUBLE_MIN_EXPONENT, fraction, 0, to, end);
    }

    /** Writes a finite number; returns the end index. */
    static int write(float value, byte[] to, int at) {
        int bits = Float.floatToRawIntBits(value);
        int end = sign(bits < 0, to, at);
        int fraction = bits & ((1 << FLOAT_FRACTION) - 1);
        int biased = (bits >>> FLOAT_FRACTION) & 0xFF;
        if (biased != 0) {
            int significand = (1 << FLOAT_FRACTION) | fraction;
            int exponent = FLOAT_MIN_EXPONENT - 1 + biased;
            return isWhole(significand, exponent, FLOAT_FRACTION)
                    ? digits(significand >> -exponent, 0, to, end)
                    : writeFloat(exponent, significand, 0, to, end);
        }
        if (fraction == 0) {
            return zero(to, end);
        }
        return fraction < FLOAT_TINY
                ? writeFloat(FLOAT_MIN_EXPONENT, 10 * fraction, -1, to, end)
                : writeFloat(FLOAT_MIN_EXPONENT, fraction, 0, to, end);
    }

    /** Whether it is an integer that needs no rounding. */
    private static boolean isWhole(long significand, int exponent, int fractionBits) {
        return exponent < 0 && exponent >= -fractionBits && (significand & ((1L << -exponent) - 1)) == 0;
    }

    // Names as in the paper: c 2^q is the number, R its interval of rounding, s and t = s + 1 the candidates.
    private static int writeDouble(int q, long c, int dk, byte[] to, int at) {
        boolean isRegular = c != 1L << DOUBLE_FRACTION || q == DOUBLE_MIN_EXPONENT;
        int k = isRegular ? log10Pow2(q) : log10ThreeQuartersPow2(q);
        int h = q + log2Pow10(-k) + 2;
        long g1 = HIGH[k - MIN_POWER];
        long g0 = LOW[k - MIN_POWER];
        long cb = c << 2;
        long vb = rounded(g1, g0, cb << h);
        int out = (int) c & 1;
        long low = rounded(g1, g0, (isRegular ? cb - 2 : cb - 1) << h) + out;
        long high = rounded(g1, g0, (cb + 2) << h) - out;
        return nearest(vb, low, high, k, dk, to, at);
    }

    private static int writeFloat(int q, int c, int dk, byte[] to, int at) {
        boolean isRegular = c != 1 << FLOAT_FRACTION || q == FLOAT_MIN_EXPONENT;
        int k = isRegular ? log10Pow2(q) : log10ThreeQuartersPow2(q);
        int h = q + log2Pow10(-k) + 33;
        long g = HIGH[k - MIN_POWER] + 1;
        long cb = (long) c << 2;
        int out = c & 1;
        long low = rounded(g, (isRegular ? cb - 2 : cb - 1) << h) + out;
        long high = rounded(g, (cb + 2) << h) - out;
        return nearest(rounded(g, cb << h), low, high, k, dk, to, at);
    }

    /**
     * Chooses the shortest decimal between {@code low} and {@code high}, among several the one nearest to {@code vb}
     * (all times 4).
     */
    private static int nearest(long vb, long low, long high, int k, int dk, byte[] to, int at) {
        long s = vb >> 2;
        if (s >= 100) {
            long tens = s / 10 * 10;
            boolean isUnder = low <= tens << 2;
            boolean isOver = (tens + 10) << 2 <= high;
            if (isUnder != isOver) {
                return digits(isUnder ? tens : tens + 10, k, to, at);
            }
        }
        boolean isUnder = low <= s << 2;
        boolean isOver = (s + 1) << 2 <= high;
        if (isUnder != isOver) {
            return digits(isUnder ? s : s + 1, k + dk, to, at);
        }
        long cmp = vb - ((2 * s + 1) << 1);
        return digits(cmp < 0 || (cmp == 0 && (s & 1) == 0) ? s : s + 1, k + dk, to, at);
    }

    private static long rounded(long g1, long g0, long cp) {
        long x1 = Math.multiplyHigh(g0, cp);
        long y0 = g1 * cp;
        long y1 = Math.multiplyHigh(g1, cp);
        long z = (y0 >>> 1) + x1;
        long w = y1 + (z >>> 63);
        return w | (((z & MASK_63) + MASK_63) >>> 63);
    }

    private static long rounded(long g, long cp) {
        long x1 = Math.multiplyHigh(g, cp);
        return (x1 >>> 31) | (((x1 & MASK_32) + MASK_32) >>> 32);
    }

    // Exact for all exponents of doubles: section 9.1 of the paper's implementation in OpenJDK,
    // jdk.internal.math.MathUtils.
    private static int log10Pow2(int exponent) {
        return (int) ((exponent * 661_971_961_083L) >> 41);
    }

    private static int log10ThreeQuartersPow2(int exponent) {
        return (int) ((exponent * 661_971_961_083L - 274_743_187_321L) >> 41);
    }

    private static int log2Pow10(int exponent) {
        return (int) ((exponent * 913_124_641_741L) >> 38);
    }

    private static int sign(boolean isNegative, byte[] to, int at) {
        if (isNegative) {
            to[at] = '-';
            return at + 1;
        }
        return at;
    }

    private static int zero(byte[] to, int at) {
        to[at] = '0';
        to[at + 1] = '.';
        to[at + 2] = '0';
        return at + 3;
    }

    /** Writes {@code number * 10^exponent}. */
    private static int digits(long number, int exponent, byte[] to, int at) {
        long significant = number;
        int trailing = exponent;
        while (significant % 10 == 0) {
            significant /= 10;
            trailing++;
        }
        int count = count(significant);
        int point = count + trailing;
        if (point > MAX_PLAIN_EXPONENT || point <= MIN_PLAIN_EXPONENT) {
            return withExponent(significant, count, point - 1, to, at);
        }
        if (point <= 0) {
            return small(significant, count, point, to, at);
        }
        return trailing >= 0 ? whole(significant, count, trailing, to, at) : split(significant, count, point, to, at);
    }

    /** Writes a number such as {@code 0.00123}. */
    private static int small(long number, int count, int point, byte[] to, int at) {
        int next = at;
        to[next++] = '0';
        to[next++] = '.';
        for (int i = point; i < 0; i++) {
            to[next++] = '0';
        }
        put(number, count, to, next);
        return next + count;
    }

    /** Writes a number such as {@code 1200.0}. */
    private static int whole(long number, int count, int zeros, byte[] to, int at) {
        put(number, count, to, at);
        int next = at + count;
        for (int i = 0; i < zeros; i++) {
            to[next++] = '0';
        }
        to[next++] = '.';
        to[next++] = '0';
        return next;
    }

    /** Writes a number such as {@code 12.3}. */
    private static int split(long number, int count, int point, byte[] to, int at) {
        put(number, count, to, at + 1);
        System.arraycopy(to, at + 1, to, at, point);
        to[at + point] = '.';
        return at + count + 1;
    }

    /** Writes a number such as {@code 1.23E-7}. */
    private static int withExponent(long number, int count, int exponent, byte[] to, int at) {
        int next = count == 1 ? whole(number, 1, 0, to, at) : split(number, count, 1, to, at);
        to[next++] = 'E';
        next = sign(exponent < 0, to, next);
        int absolute = Math.abs(exponent);
        int length = count(absolute);
        put(absolute, length, to, next);
        return next + length;
    }

    private static int count(long number) {
        int count = 1;
        long rest = number;
        while (rest >= 10_000) {
            rest /= 10_000;
            count += 4;
        }
        return count + (rest >= 1000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0);
    }

    /** Writes digits, two at a time. */
    private static void put(long number, int count, byte[] to, int at) {
        long rest = number;
        int i = at + count;
        while (rest >= 100) {
            int pair = (int) (rest % 100);
            rest /= 100;
            to[--i] = (byte) ('0' + pair % 10);
            to[--i] = (byte) ('0' + pair / 10);
        }
        if (rest >= 10) {
            to[--i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        to[--i] = (byte) ('0' + rest);
    }
}
