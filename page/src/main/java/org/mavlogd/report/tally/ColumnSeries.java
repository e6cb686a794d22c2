package org.mavlogd.report.tally;

import java.util.Arrays;
import org.mavlogd.report.fields.ValueSink;

/**
 * A series of values, reduced to the minimum and maximum of each column of time.
 *
 * <p>Columns are a power of two of microseconds wide, and start at a multiple of that; those without a value take no
 * memory. When there are {@value #MAX_COLUMNS}, they become twice as wide. Up to that number of values, each is kept
 * exactly. Hot path.
 */
public final class ColumnSeries implements ValueSink {
    public static final int MAX_COLUMNS = 1200;

    private static final int MAX_SHIFT = 62;
    private static final int GAP_COLUMNS = 5;
    private static final long GAP_US = 200_000;

    private long[] timesUs = new long[16];
    private double[] least = new double[16];
    private double[] most = new double[16];
    private int size;
    private int shift;
    private long values;
    private double minimum = Double.POSITIVE_INFINITY;
    private double maximum = Double.NEGATIVE_INFINITY;

    @Override
    public void accept(long timestampUs, double value) {
        if (!(Math.abs(value) <= Double.MAX_VALUE)) {
            return;
        }
        values++;
        minimum = Math.min(minimum, value);
        maximum = Math.max(maximum, value);
        int last = size - 1;
        // Unless columns were widened, every value has its own, even those with equal times.
        if (last >= 0 && shift > 0 && timesUs[last] >> shift == timestampUs >> shift) {
            least[last] = Math.min(least[last], value);
            most[last] = Math.max(most[last], value);
            return;
        }
        if (size == MAX_COLUMNS) {
            widen();
        } else if (size == timesUs.length) {
            grow();
        }
        add(timestampUs, value);
    }

    private void add(long timestampUs, double value) {
        timesUs[size] = timestampUs;
        least[size] = value;
        most[size++] = value;
    }

    private void grow() {
        int larger = Math.min(MAX_COLUMNS, 2 * size);
        timesUs = Arrays.copyOf(timesUs, larger);
        least = Arrays.copyOf(least, larger);
        most = Arrays.copyOf(most, larger);
    }

    /** Makes room. Times that jump back and forth, which only damaged logs have, are finally joined regardless. */
    private void widen() {
        while (size > MAX_COLUMNS * 3 / 4 && shift < MAX_SHIFT) {
            shift++;
            join(false);
        }
        if (size == MAX_COLUMNS) {
            join(true);
        }
    }

    private void join(boolean pairs) {
        int to = 0;
        for (int i = 0; i < size; i++) {
            boolean joins = i > 0 && (pairs ? i % 2 == 1 : timesUs[to - 1] >> shift == timesUs[i] >> shift);
            if (joins) {
                least[to - 1] = Math.min(least[to - 1], least[i]);
                most[to - 1] = Math.max(most[to - 1], most[i]);
            } else {
                timesUs[to] = timesUs[i];
                least[to] = least[i];
                most[to++] = most[i];
            }
        }
        size = to;
    }

    /** Number of values. */
    public long values() {
        return values;
    }

    public int columns() {
        return size;
    }

    /** Time of a column's first value. */
    public long timeUs(int column) {
        return timesUs[column];
    }

    public double least(int column) {
        return least[column];
    }

    public double most(int column) {
        return most[column];
    }

    /** Whether all values are equal. */
    public boolean isConstant() {
        return minimum == maximum;
    }

    /** The distance of neighbouring columns that counts as a gap: five times the median, but at least 0.2 s. */
    public long gapUs() {
        if (size < 2) {
            return Long.MAX_VALUE;
        }
        long[] distances = new long[size - 1];
        for (int i = 0; i < distances.length; i++) {
            distances[i] = timesUs[i + 1] - timesUs[i];
        }
        Arrays.sort(distances);
        return Math.max(GAP_US, GAP_COLUMNS * Math.max(0, distances[distances.length / 2]));
    }
}
