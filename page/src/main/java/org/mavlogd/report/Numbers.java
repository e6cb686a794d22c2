package org.mavlogd.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats numbers for people and for plots. */
final class Numbers {
    private static final MathContext PLOT_DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

    private Numbers() {}

    /** About three significant digits, and the unit. */
    static String text(double value, String unit) {
        double size = Math.abs(value);
        if (!(size <= Double.MAX_VALUE)) {
            return "a value out of range";
        }
        int digits =
                value == Math.rint(value) && size < 1e6 ? 0 : size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
        String number = size < 1e9 ? String.format(Locale.ROOT, "%,." + digits + "f", value) : Double.toString(value);
        return unit.isEmpty() ? number : number + " " + unit;
    }

    /** Six significant digits, more than a plot shows, in JSON's shortest form. */
    static String plotted(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return "0";
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e6) {
            return Long.toString((long) value);
        }
        BigDecimal rounded = new BigDecimal(value, PLOT_DIGITS).stripTrailingZeros();
        boolean isPlain = Math.abs(rounded.scale()) < 12;
        return isPlain && rounded.scale() > -9 ? rounded.toPlainString() : rounded.toString();
    }
}
