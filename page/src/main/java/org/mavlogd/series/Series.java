package org.mavlogd.series;

/** A plot of a field: columns in chronological order, with columns without a value as gaps. */
public final class Series {
    private final Label label;
    private final long[] timesUs;
    private final double[] min;
    private final double[] max;
    private final Totals totals;

    /**
     * The label of a plot.
     *
     * @param unit empty if unknown
     * @param isFloat whether the values have only the precision of a float
     */
    public record Label(String field, String unit, boolean isFloat) {}

    /**
     * Totals of all samples in the range.
     *
     * @param mean NaN without values
     * @param deviation standard deviation of these values, not an estimate for others; NaN without values
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

    /** Time of the first sample of each column; ascending. */
    public long[] timesUs() {
        return timesUs;
    }

    /** Minimum of each column; NaN for none. */
    public double[] min() {
        return min;
    }

    /** Maximum of each column; NaN for none. */
    public double[] max() {
        return max;
    }

    public Totals totals() {
        return totals;
    }
}
