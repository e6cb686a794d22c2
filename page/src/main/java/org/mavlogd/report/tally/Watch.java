package org.mavlogd.report.tally;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.mavlogd.report.fields.ValueSink;

/**
 * Finds the intervals in which a series is not as it should be. Intervals less than {@value #JOIN_US} microseconds apart are one.
 * Memory: at most {@value #MAX_EVENTS} intervals; later ones are counted. Hot path.
 */
public final class Watch implements ValueSink {
    public static final int MAX_EVENTS = 100;

    private static final long JOIN_US = 2_000_000;
    private static final double MEAN_US = 10e6;
    private static final double GAP_MEANS = 5;
    private static final double GAP_MS = 200;
    private static final int SETTLED = 10;

    /** What is not as it should be. */
    public enum Test {
        ABOVE,
        BELOW,
        /** Below, once it was not. */
        LOST,
        /** A counter goes up; how far in all is the value. */
        INCREASES,
        /** Milliseconds since the sample before: more than five times their mean, and more than 0.2 s. */
        GAP,
        /** By this share below the mean of the last 10 s. */
        SAGS
    }

    /**
     * What is watched.
     *
     * @param limit as the test demands
     * @param leastUs shorter intervals do not count
     * @param least values below say that nothing is measured
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

    /** @param isRelevant whether what is read now counts: such as while the vehicle is armed */
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

    /** The intervals, in the order of the log; the log has been read. */
    public List<Event> events() {
        if (isOpen) {
            close();
        }
        return List.copyOf(events);
    }

    /** Intervals beyond those. */
    public long leftOut() {
        return leftOut;
    }
}
