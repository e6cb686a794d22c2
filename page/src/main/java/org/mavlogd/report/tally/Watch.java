package org.mavlogd.report.tally;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.mavlogd.report.fields.ValueSink;

/**
 * Finds the intervals in which a series violates a test. Intervals less than {@value #JOIN_US} microseconds apart are
 * joined. Memory: at most {@value #MAX_EVENTS} intervals; later ones are only counted. Hot path.
 */
public final class Watch implements ValueSink {
    public static final int MAX_EVENTS = 100;

    private static final long JOIN_US = 2_000_000;
    private static final double MEAN_US = 10e6;
    private static final double GAP_MEANS = 5;
    private static final double GAP_MS = 200;
    private static final int SETTLED = 10;

    /** The tests. */
    public enum Test {
        ABOVE,
        BELOW,
        /** Below the limit after it was above. */
        LOST,
        /** A counter increases; the value is the total increase. */
        INCREASES,
        /** Milliseconds since the previous sample: more than five times their mean, and more than 0.2 s. */
        GAP,
        /** Below the mean of the last 10 s by this share. */
        SAGS
    }

    /**
     * The settings of a test.
     *
     * @param limit as the test requires
     * @param leastUs minimum length of an interval
     * @param least values below are not measurements
     */
    public record Settings(Test test, double limit, long leastUs, double least) {}

    /** An interval; {@code value} is the one furthest from the limit. */
    public record Event(long fromUs, long toUs, double value) {}

    private final Settings settings;
    private final BooleanSupplier isRelevant;
    private final List<Event> events = new ArrayList<>();
    private long leftOut;
    private boolean isOpen;
    private long fromUs;
    private long toUs;
    private double extreme;
    private boolean wasGood;
    private double previous = Double.NaN;
    private double mean = Double.NaN;
    private long meanUs;
    private long count;

    /** @param isRelevant whether the current value counts: for example only while the vehicle is armed */
    public Watch(Settings settings, BooleanSupplier isRelevant) {
        this.settings = settings;
        this.isRelevant = isRelevant;
    }

    @Override
    public void accept(long timestampUs, double value) {
        if (!(Math.abs(value) <= Double.MAX_VALUE) || value < settings.least) {
            return;
        }
        boolean isBad = isBad(timestampUs, value);
        wasGood |= value >= settings.limit;
        if (isBad && isRelevant.getAsBoolean()) {
            long startUs = settings.test == Test.GAP ? timestampUs - (long) (value * 1000) : timestampUs;
            onBad(Math.max(0, startUs), timestampUs, settings.test == Test.INCREASES ? value - previous : value);
        } else if (isOpen && timestampUs - toUs > JOIN_US) {
            close();
        }
        previous = value;
    }

    private boolean isBad(long timestampUs, double value) {
        return switch (settings.test) {
            case ABOVE -> value > settings.limit;
            case BELOW -> value < settings.limit;
            case LOST -> value < settings.limit && wasGood;
            case INCREASES -> value > previous;
            case GAP -> isGap(value);
            case SAGS -> sags(timestampUs, value);
        };
    }

    private boolean isGap(double intervalMs) {
        boolean isGap = count >= SETTLED && intervalMs > Math.max(GAP_MS, GAP_MEANS * mean);
        if (!isGap) {
            count++;
            mean = Double.isNaN(mean) ? intervalMs : mean + (intervalMs - mean) / SETTLED;
        }
        return isGap;
    }

    private boolean sags(long timestampUs, double value) {
        boolean isBad = count++ >= SETTLED && value < (1 - settings.limit) * mean;
        double share = Math.max(0, Math.min(1, (timestampUs - meanUs) / MEAN_US));
        mean = Double.isNaN(mean) ? value : mean + share * (value - mean);
        meanUs = timestampUs;
        return isBad;
    }

    private void onBad(long startUs, long timestampUs, double value) {
        if (isOpen && startUs - toUs > JOIN_US) {
            close();
        }
        if (!isOpen) {
            isOpen = true;
            fromUs = startUs;
            extreme = value;
        } else {
            extreme = furthest(value);
        }
        toUs = timestampUs;
    }

    private double furthest(double value) {
        return switch (settings.test) {
            case BELOW, LOST, SAGS -> Math.min(extreme, value);
            case INCREASES -> extreme + value;
            case ABOVE, GAP -> Math.max(extreme, value);
        };
    }

    private void close() {
        isOpen = false;
        if (toUs - fromUs < settings.leastUs) {
            return;
        }
        if (events.size() < MAX_EVENTS) {
            events.add(new Event(fromUs, toUs, extreme));
        } else {
            leftOut++;
        }
    }

    /** The intervals in the order of the log; called after the log has been read. */
    public List<Event> events() {
        if (isOpen) {
            close();
        }
        return List.copyOf(events);
    }

    /** Number of intervals beyond the limit of memory. */
    public long leftOut() {
        return leftOut;
    }
}
