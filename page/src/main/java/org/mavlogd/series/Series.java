package org.mavlogd.series;

/** A plot of a field: columns in the order of their times. Where a gap is, there is one without a value. */
public final class Series {
    private final Label label;
    private final long[] timesUs;
    private final double[] min;
    private final double[] max;
    private final long samples;

    /**
     * What is plotted.
     *
     * @param unit empty if not known
     * @param isFloat whether the values are no more exact than a float
     */
    public record Label(String field, String unit, boolean isFloat) {}

    /** @param samples in the range */
    Series(Label label, long[] timesUs, double[] min, double[] max, long samples) {
        this.label = label;
        this.timesUs = timesUs;
        this.min = min;
        this.max = max;
        this.samples = samples;
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

    /** In the range. */
    public long samples() {
        return samples;
    }
}
