package org.mavlogd.dataflash;

/** IEEE 754 binary16, each value of which a float holds exactly. Hot path. */
final class Half {
    private static final int SIGN = 0x8000;
    private static final int EXPONENT = 0x7C00;
    private static final int FRACTION = 0x03FF;
    private static final int FRACTION_SHIFT = 23 - 10;
    private static final int BIAS = 127 - 15;
    /** The least that a half can tell apart: 2 to the power of -24. */
    private static final float UNIT = 0x1p-24f;

    private Half() {}

    static float toFloat(int bits) {
        return Float.intBitsToFloat(toFloatBits(bits));
    }

    static int toFloatBits(int bits) {
        int exponent = bits & EXPONENT;
        int fraction = bits & FRACTION;
        int sign = (bits & SIGN) << 16;
        if (exponent == EXPONENT) { // infinite, or no number: its payload stays
            return sign | 0x7F80_0000 | (fraction << FRACTION_SHIFT);
        }
        if (exponent == 0) { // zero, or below the least with a full fraction
            return sign | Float.floatToRawIntBits(fraction * UNIT);
        }
        return sign | (((exponent >> 10) + BIAS) << 23) | (fraction << FRACTION_SHIFT);
    }
}
