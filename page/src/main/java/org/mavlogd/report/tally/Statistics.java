package org.mavlogd.report.tally;

import java.util.function.BooleanSupplier;
import org.mavlogd.report.fields.ValueSink;

/** Minimum, maximum, mean, last value and spread of a series. Ignores values that are not finite. Hot path. */
public final class Statistics implements ValueSink {
    private final BooleanSupplier isArmed;
    private boolean isArmedOnly;
    private long count;
    private double sum;
    private double compensation;
    private double least = Double.POSITIVE_INFINITY;
    private double most = Double.NEGATIVE_INFINITY;
    private double first;
    private double last;
    private double previous;
    private double increase;

    /** Statistics of all values. */
    public Statistics() {
        this(() -> false);
    }

    /** Statistics of the values while the vehicle is armed, or of all if it never is. */
    public Statistics(BooleanSupplier isArmed) {
        this.isArmed = isArmed;
    }

    @Override
    public void accept(long timestampUs, double value) {
        boolean isArmedNow = isArmed.getAsBoolean();
        if (isArmedNow && !isArmedOnly) {
            clear();
        }
        if (isArmedNow == isArmedOnly && Math.abs(value) <= Double.MAX_VALUE) {
            count(value);
        }
    }

    private void clear() {
        isArmedOnly = true;
        count = 0;
        sum = 0;
        compensation = 0;
        increase = 0;
        least = Double.POSITIVE_INFINITY;
        most = Double.NEGATIVE_INFINITY;
    }

    private void count(double value) {
        if (count++ == 0) {
            first = value;
            previous = value;
        }
        increase += Math.max(0, value - previous);
        previous = value;
        last = value;
        least = Math.min(least, value);
        most = Math.max(most, value);
        add(value);
    }

    // Neumaier summation: means of millions of values are exact to the digits shown.
    private void add(double value) {
        double next = sum + value;
        compensation += Math.abs(sum) >= Math.abs(value) ? (sum - next) + value : (value - next) + sum;
        sum = next;
    }

    public long count() {
        return count;
    }

    /**
     * A statistic by its name in definitions: {@code max}, {@code min}, {@code mean}, {@code last}, {@code change} or
     * {@code increase}.
     */
    public double of(String statistic) {
        return switch (statistic) {
            case "max" -> most;
            case "min" -> least;
            case "mean" -> (sum + compensation) / count;
            case "last" -> last;
            case "change" -> last - first;
            case "increase" -> increase;
            default -> throw new IllegalArgumentException("no statistic: " + statistic);
        };
    }
}
