package org.mavlogd.series;

/** A plot of a field: columns in the order of their times. Where a gap is, there is one without a value. */
public final class Series {
    private final Label label;
    private final long[] timesUs;
    private final double[] min;
    private final double[] max;
    private final Totals totals;

    /**
     * What is plotted.
     *
     * @param unit empty if not known
     * @param isFloat whether the values are no more exact than a float
     */
    public record Label(String field, String unit, boolean isFloat) {}

    /**
     * Of all samples in the range.
     *
     * @param mean NaN without values
     * @param deviation standard deviation of the values themselves, no estimate for others; NaN without values
     */
    public record Totals(long samples, double mean, double deviation) {}

    Series(Label label, long[] timesUs, double[] min, double[] max, Totals totals) {
        this.label = label;
        this.timesUs = timesUs;
        this.min = min;
        this.max = max;
        this.totals = totals;
    }

    public Label label() {
        return label;
    }

    /** Of the first sample of each column; ascending. */
    public long[] timesUs() {
        return timesUs;
    }

    /** NaN for none. */
    public double[] min() {
        return min;
    }

    /** NaN for none. */
    public double[] max() {
        return max;
    }

    public Totals totals() {
        return totals;
    }
}
