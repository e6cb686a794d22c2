package org.mavlogd.time;

/**
 * Finds the drift between two clocks: the slope at which the lowest upper and the highest lower bound of the offset are
 * furthest apart. A wrong slope brings them closer together, because they are then bounds from the ends of the period.
 * So it is the slope with the smallest sum of delays, which is the most probable one for exponentially distributed
 * delays. Without much evidence it stays near the usual drift.
 */
final class RateSearch {
    /** No real clock drifts more; a simulation that is slower than real time may. */
    static final double MAX_RATE = 0.1;

    /** Crystals are accurate to some ten parts per million. */
    static final double USUAL_RATE = 50e-6;

    private static final double LARGEST_ERROR = 1e-2;
    // The golden section: of two values inside the range, one stays inside the next, smaller range.
    private static final double GOLDEN = 0.6180339887498949;
    // Enough steps from the widest range to less than one part in 10^8.
    private static final int NARROWING_STEPS = 36;
    private static final int HALVING_STEPS = 24;
    // Slopes whose log-likelihood is lower than the best one's by this are ruled out.
    private static final double DOUBT = 5;

    private final OffsetBounds bounds;
    private final int from;
    private final int to;
    private final boolean twoWay;
    private final double centre;
    private final double usualRate;
    private final double spacing;
    private double trust;
    private double rate;
    private double error;
    private double widest;
    private double lowest;
    private double highest;

    RateSearch(OffsetBounds bounds, int from, int to, boolean twoWay, double formerRate, double usualRate) {
        this.bounds = bounds;
        this.from = from;
        this.to = to;
        this.twoWay = twoWay;
        this.centre = bounds.meanTime(from, to);
        this.usualRate = usualRate;
        this.spacing = bounds.spacing(from, to, twoWay, formerRate, formerRate);
    }

    /** Finds {@link #rate} and {@link #error}. */
    RateSearch run() {
        double best = best(1);
        if (twoWay && width(best) < 0) {
            // Not a usual clock: the bounds exclude each other.
            trust = 0;
            best = best(0);
        }
        widest = width(best);
        double least = worth(best) - DOUBT;
        double low = edge(best, Math.max(-MAX_RATE, best - LARGEST_ERROR), least);
        double high = edge(best, Math.min(MAX_RATE, best + LARGEST_ERROR), least);
        rate = (low + high) / 2;
        error = (high - low) / 2;
        lowest = Math.min(low, possibleEdge(best, -MAX_RATE));
        highest = Math.max(high, possibleEdge(best, MAX_RATE));
        return this;
    }

    /** The drift; near the usual one if there is no evidence against it. */
    double rate() {
        return rate;
    }

    /** The possible error of the drift. */
    double error() {
        return error;
    }

    /** The lowest drift that no bound rules out. */
    double lowest() {
        return lowest;
    }

    /** The highest drift that no bound rules out. */
    double highest() {
        return highest;
    }

    /** The largest distance between the bounds over all drifts; negative if they always exclude each other. */
    double widest() {
        return widest;
    }

    private double best(double newTrust) {
        trust = newTrust;
        double low = -MAX_RATE;
        double high = MAX_RATE;
        double a = high - GOLDEN * (high - low);
        double b = low + GOLDEN * (high - low);
        double worthA = worth(a);
        double worthB = worth(b);
        for (int step = 0; step < NARROWING_STEPS; step++) {
            if (worthA < worthB) {
                low = a;
                a = b;
                worthA = worthB;
                b = low + GOLDEN * (high - low);
                worthB = worth(b);
            } else {
                high = b;
                b = a;
                worthB = worthA;
                a = high - GOLDEN * (high - low);
                worthA = worth(a);
            }
        }
        return (low + high) / 2;
    }

    /** The slope towards {@code far} from which on slopes are ruled out. */
    private double edge(double best, double far, double least) {
        double in = best;
        double out = far;
        for (int step = 0; step < HALVING_STEPS; step++) {
            double middle = (in + out) / 2;
            if (worth(middle) >= least) {
                in = middle;
            } else {
                out = middle;
            }
        }
        return in;
    }

    /** The slope towards {@code far} from which on the bounds exclude each other. */
    private double possibleEdge(double best, double far) {
        if (!twoWay || width(far) >= 0) {
            return far;
        }
        double in = best;
        double out = far;
        for (int step = 0; step < HALVING_STEPS; step++) {
            double middle = (in + out) / 2;
            if (width(middle) >= 0) {
                in = middle;
            } else {
                out = middle;
            }
        }
        return in;
    }

    private double worth(double slope) {
        return width(slope) / spacing - trust * Math.abs(slope - usualRate) / USUAL_RATE;
    }

    /** The distance between the bounds; negative if they exclude each other. */
    private double width(double slope) {
        double upper = twoWay ? bounds.lowestUpper(from, to, centre, slope) : 0;
        return upper - bounds.highestLower(from, to, centre, slope);
    }
}
