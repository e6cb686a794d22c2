package org.mavlogd.series;

/**
 * A plot of a field. Where a gap is, there is a point without a value.
 *
 * @param unit empty if not known
 * @param isFloat whether the values are no more exact than a float
 * @param timesUs ascending
 * @param min NaN for none
 * @param max NaN for none
 * @param samples in the range
 */
public record Series(
        String field, String unit, boolean isFloat, long[] timesUs, double[] min, double[] max, long samples) {}
