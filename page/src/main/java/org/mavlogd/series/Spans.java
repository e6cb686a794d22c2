package org.mavlogd.series;

import java.util.Arrays;

/**
 * Runs of neighbouring samples: start, end and number, minimum and maximum, and the sums for mean and deviation. At
 * first each sample is its own run; when there is no more room, neighbours are joined. So there are at most {@code
 * capacity} runs for any log. NaN counts as a sample, not as a value; a run of only NaN has NaN.
 */
final class Spans {
    /** A run of several samples does not include a longer pause, which may be a gap. */
    private static final long MAX_PAUSE_US = 1_000_000;

    private final int capacity;
    private long[] firstUs;
    private long[] lastUs;
    private double[] min;
    private double[] max;
    private int[] counts;
    // Sums of a run's values, relative to its first one: large numbers that differ little keep their digits.
    private double[] base;
    private double[] sums;
    private double[] squares;
    private int[] values;
    private int size;
    private int samplesEach = 1;
    private long samples;
    private boolean isSorted = true;

    Spans(int capacity) {
        this.capacity = capacity;
        int first = Math.min(capacity, 1024);
        firstUs = new long[first];
        lastUs = new long[first];
        min = new double[first];
        max = new double[first];
        counts = new int[first];
        base = new double[first];
        sums = new double[first];
        squares = new double[first];
        values = new int[first];
    }

    /** Adds the first {@code count} samples. Hot path. */
    void add(long[] timesUs, double[] itsValues, int count) {
        samples += count;
        for (int next = 0; next < count; next++) {
            next = size == 0 ? 0 : lengthen(timesUs, itsValues, next, count);
            if (next < count) {
                isSorted &= size == 0 || timesUs[next] >= lastUs[size - 1];
                append(timesUs[next], itsValues[next]);
            }
        }
    }

    /** Adds samples to the last run while they belong to it; returns the index of the first that does not. Hot path. */
    private int lengthen(long[] timesUs, double[] itsValues, int from, int to) {
        int run = size - 1;
        // Local variables: directly in the arrays this takes half as long again.
        long last = lastUs[run];
        double smallest = min[run];
        double largest = max[run];
        double first = base[run];
        double sum = sums[run];
        double square = squares[run];
        int numbers = values[run];
        int end = Math.min(to, from + samplesEach - counts[run]);
        int next = from;
        for (; next < end && timesUs[next] >= last && timesUs[next] - last <= MAX_PAUSE_US; next++) {
            last = timesUs[next];
            double value = itsValues[next];
            if (!Double.isNaN(value)) {
                first = numbers == 0 ? value : first;
                smallest = numbers == 0 || value < smallest ? value : smallest;
                largest = numbers == 0 || value > largest ? value : largest;
                numbers++;
                sum += value - first;
                square += (value - first) * (value - first);
            }
        }
        counts[run] += next - from;
        lastUs[run] = last;
        min[run] = smallest;
        max[run] = largest;
        base[run] = first;
        sums[run] = sum;
        squares[run] = square;
        values[run] = numbers;
        return next;
    }

    /** Hot path. */
    private void addValue(int run, double value) {
        if (Double.isNaN(value)) {
            return;
        }
        if (values[run]++ == 0) {
            base[run] = value;
            return;
        }
        double difference = value - base[run];
        sums[run] += difference;
        squares[run] += difference * difference;
    }

    /** Adds runs of samples that come later in the log. */
    void add(Spans later) {
        while (samplesEach < later.samplesEach) {
            samplesEach *= 2;
            merge();
        }
        samples += later.samples;
        isSorted &= later.isSorted && (size == 0 || later.size == 0 || later.firstUs[0] >= lastUs[size - 1]);
        for (int i = 0; i < later.size; i++) {
            if (size == 0 || !joins(later, i)) {
                append(later.firstUs[i], Double.NaN);
                lastUs[size - 1] = later.lastUs[i];
                min[size - 1] = later.min[i];
                max[size - 1] = later.max[i];
                counts[size - 1] = later.counts[i];
                addValues(size - 1, later, i);
            }
        }
    }

    /** Adds a run to the last one, if they may be joined. */
    private boolean joins(Spans later, int run) {
        int last = size - 1;
        if (counts[last] + later.counts[run] > samplesEach || !follows(last, later.firstUs[run])) {
            return false;
        }
        lastUs[last] = Math.max(lastUs[last], later.lastUs[run]);
        min[last] = smaller(min[last], later.min[run]);
        max[last] = larger(max[last], later.max[run]);
        counts[last] += later.counts[run];
        addValues(last, later, run);
        return true;
    }

    /** Adds the sums of another run, converted to this one's first value. */
    private void addValues(int run, Spans other, int its) {
        int count = other.values[its];
        if (count == 0) {
            return;
        }
        if (values[run] == 0) {
            base[run] = other.base[its];
        }
        double difference = other.base[its] - base[run];
        squares[run] += other.squares[its] + 2 * difference * other.sums[its] + count * difference * difference;
        sums[run] += other.sums[its] + count * difference;
        values[run] += count;
    }

    private boolean follows(int last, long timeUs) {
        return timeUs >= lastUs[last] && timeUs - lastUs[last] <= MAX_PAUSE_US;
    }

    private void append(long timeUs, double value) {
        if (size == capacity) {
            samplesEach *= 2;
            merge();
        }
        if (size == firstUs.length) {
            resize(Math.min(capacity, 2 * size));
        }
        firstUs[size] = timeUs;
        lastUs[size] = timeUs;
        min[size] = value;
        max[size] = value;
        counts[size] = 1;
        clearValues(size);
        addValue(size, value);
        size++;
    }

    private void clearValues(int run) {
        base[run] = 0;
        sums[run] = 0;
        squares[run] = 0;
        values[run] = 0;
    }

    /** Joins neighbours; if there are pauses between all of them, joins across pauses. */
    private void merge() {
        int before = size;
        merge(false);
        if (size > before - before / 4) {
            merge(true);
        }
    }

    private void merge(boolean overPauses) {
        int to = 0;
        for (int from = 0; from < size; from++) {
            boolean joins = to > 0
                    && counts[to - 1] + counts[from] <= samplesEach
                    && (overPauses || follows(to - 1, firstUs[from]));
            if (joins) {
                join(to - 1, from);
            } else {
                move(from, to);
                to++;
            }
        }
        size = to;
    }

    private void join(int target, int other) {
        firstUs[target] = Math.min(firstUs[target], firstUs[other]);
        lastUs[target] = Math.max(lastUs[target], lastUs[other]);
        min[target] = smaller(min[target], min[other]);
        max[target] = larger(max[target], max[other]);
        counts[target] += counts[other];
        addValues(target, this, other);
    }

    private void move(int from, int to) {
        firstUs[to] = firstUs[from];
        lastUs[to] = lastUs[from];
        min[to] = min[from];
        max[to] = max[from];
        counts[to] = counts[from];
        base[to] = base[from];
        sums[to] = sums[from];
        squares[to] = squares[from];
        values[to] = values[from];
    }

    private void resize(int length) {
        firstUs = Arrays.copyOf(firstUs, length);
        lastUs = Arrays.copyOf(lastUs, length);
        min = Arrays.copyOf(min, length);
        max = Arrays.copyOf(max, length);
        counts = Arrays.copyOf(counts, length);
        base = Arrays.copyOf(base, length);
        sums = Arrays.copyOf(sums, length);
        squares = Arrays.copyOf(squares, length);
        values = Arrays.copyOf(values, length);
    }

    static double smaller(double one, double other) {
        return Double.isNaN(one) ? other : other < one ? other : one;
    }

    static double larger(double one, double other) {
        return Double.isNaN(one) ? other : other > one ? other : one;
    }

    /** Whether every run is one sample: nothing was reduced. */
    boolean isExact() {
        return samplesEach == 1;
    }

    /** Whether the runs are in chronological order; false if a clock was set back. */
    boolean isSorted() {
        return isSorted;
    }

    int size() {
        return size;
    }

    long samples() {
        return samples;
    }

    long firstUs(int span) {
        return firstUs[span];
    }

    long lastUs(int span) {
        return lastUs[span];
    }

    double min(int span) {
        return min[span];
    }

    double max(int span) {
        return max[span];
    }

    int count(int span) {
        return counts[span];
    }

    /** Number of samples with a value. */
    int values(int span) {
        return values[span];
    }

    /** Mean of the values; meaningless without any. */
    double mean(int span) {
        return base[span] + sums[span] / values[span];
    }

    /** Sum of the squared distances of the values from their mean; meaningless without any. */
    double squaredDistances(int span) {
        return Math.max(0, squares[span] - sums[span] * sums[span] / values[span]);
    }

    /** Approximate heap, in bytes. */
    long bytes() {
        return 64L * firstUs.length;
    }
}
