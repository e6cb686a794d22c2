package org.mavlogd.series;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Reduces runs of samples to columns of a plot: the smallest and the largest value of each. A column has the time of
 * its first sample. Columns without samples are omitted; if neighbouring samples are further apart than {@value
 * #GAP_FACTOR} times the median distance, and than {@value #GAP_US} µs, a point without a value is inserted.
 */
final class Columns {
    static final int GAP_FACTOR = 5;
    static final long GAP_US = 200_000;

    private final Spans spans;
    private final int[] order;
    private final long[] timesUs;
    private final double[] min;
    private final double[] max;
    private int size;
    private long samples;
    // Over all values.
    private long values;
    private double mean;
    private double squaredDistances;

    private Columns(Spans spans, int[] order) {
        this.spans = spans;
        this.order = order;
        int points = 2 * order.length + 1;
        timesUs = new long[points];
        min = new double[points];
        max = new double[points];
    }

    /** The plot of a time range; a run belongs to it, and to a column, if its first sample does. */
    static Series of(Spans spans, long fromUs, long toUs, int points, Series.Label label) {
        int[] order = IntStream.range(0, spans.size())
                .filter(i -> spans.firstUs(i) <= toUs && spans.lastUs(i) >= fromUs)
                .toArray();
        if (!spans.isSorted()) {
            order = IntStream.of(order)
                    .boxed()
                    .sorted(Comparator.comparingLong(spans::firstUs))
                    .mapToInt(Integer::intValue)
                    .toArray();
        }
        Columns columns = new Columns(spans, order);
        columns.reduce(points);
        return columns.series(label);
    }

    private void reduce(int points) {
        if (order.length == 0) {
            return;
        }
        long begin = spans.firstUs(order[0]);
        double width = (spans.firstUs(order[order.length - 1]) - begin + 1) / (double) points;
        boolean isWhole = order.length <= points;
        long gapUs = gapUs();
        long lastUs = begin;
        long column = -1;
        for (int span : order) {
            long its = isWhole ? column + 1 : (long) ((spans.firstUs(span) - begin) / width);
            if (its != column) {
                addGap(lastUs, spans.firstUs(span), gapUs);
                add(spans.firstUs(span), Double.NaN, Double.NaN);
                column = its;
            }
            min[size - 1] = Spans.smaller(min[size - 1], spans.min(span));
            max[size - 1] = Spans.larger(max[size - 1], spans.max(span));
            // If a clock was set back, a run may extend into later columns.
            lastUs = Math.max(lastUs, spans.lastUs(span));
            samples += spans.count(span);
            addValues(span);
        }
    }

    /**
     * Combines mean and squared distances of two sets (Chan, Golub, LeVeque: no digits are lost if large values differ
     * little).
     */
    private void addValues(int span) {
        int more = spans.values(span);
        if (more == 0) {
            return;
        }
        double difference = spans.mean(span) - mean;
        double share = more / (double) (values + more);
        squaredDistances += spans.squaredDistances(span) + difference * difference * values * share;
        mean += difference * share;
        values += more;
    }

    private void addGap(long lastUs, long nextUs, long gapUs) {
        if (nextUs - lastUs > gapUs) {
            add(lastUs + (nextUs - lastUs) / 2, Double.NaN, Double.NaN);
        }
    }

    private void add(long timeUs, double smallest, double largest) {
        timesUs[size] = timeUs;
        min[size] = smallest;
        max[size] = largest;
        size++;
    }

    /** For runs of several samples, the distance within them is used. */
    private long gapUs() {
        long[] distances = new long[order.length];
        int count = 0;
        for (int i = 0; i + 1 < order.length; i++) {
            int span = order[i];
            int steps = spans.count(span) - 1;
            distances[count++] = steps > 0
                    ? (spans.lastUs(span) - spans.firstUs(span)) / steps
                    : spans.firstUs(order[i + 1]) - spans.firstUs(span);
        }
        Arrays.sort(distances, 0, count);
        return Math.max(GAP_US, count == 0 ? 0 : GAP_FACTOR * distances[count / 2]);
    }

    private Series series(Series.Label label) {
        Series.Totals totals = values == 0
                ? new Series.Totals(samples, Double.NaN, Double.NaN)
                : new Series.Totals(samples, mean, Math.sqrt(squaredDistances / values));
        return new Series(
                label, Arrays.copyOf(timesUs, size), Arrays.copyOf(min, size), Arrays.copyOf(max, size), totals);
    }
}
