package org.mavlogd.time;

/**
 * An estimate of the offset between two clocks at a time, and of its drift.
 *
 * <p>A delay is a minimum, the same for all messages, plus a random part of any size, which may differ between the
 * directions. The random part only moves a bound away from the offset, so only the lowest upper and the highest lower
 * bound matter. Each bound is extrapolated to the present with the drift, and moved away from the offset by the
 * possible error of the drift over that time: an old bound is chosen if it is better than all newer ones by more than
 * that.
 *
 * @param twoWay whether there are upper bounds
 * @param time to which the bounds refer
 * @param rate of change: how fast the vehicle's clock gains on this computer's, in seconds per second
 * @param rateError its expected error
 * @param offset the most probable one
 * @param upper bound that it cannot exceed; infinite without upper bounds
 * @param lower bound that it cannot fall below
 * @param spacing expected error of the offset, if both minimum delays are equal
 * @param delays sum of both minimum delays; less than 0 if the bounds exclude each other
 * @param limits that the offset cannot leave while the drift is steady
 */
record OffsetFit(
        boolean twoWay,
        double time,
        double rate,
        double rateError,
        double offset,
        double upper,
        double lower,
        double spacing,
        double delays,
        Limits limits) {
    /** The drift of a crystal changes by this much within minutes, with the temperature. */
    static final double LEAST_RATE_ERROR = 1e-6;

    /**
     * The fit of the bounds from {@code from} on, before {@code to}; at least one.
     *
     * @param formerRate the best estimate so far
     * @param usualRate the estimate without evidence
     * @param leastRateError by how much the rate may change
     */
    static OffsetFit of(
            OffsetBounds bounds,
            int from,
            int to,
            boolean twoWay,
            double formerRate,
            double usualRate,
            double leastRateError) {
        RateSearch search = new RateSearch(bounds, from, to, twoWay, formerRate, usualRate).run();
        double rate = search.rate();
        double delays = twoWay ? search.widest() : Double.POSITIVE_INFINITY;
        double rateError = Math.max(leastRateError, search.error());
        double end = bounds.latest(to);
        // The older a bound, the further it is moved away from the offset.
        double upperRate = rate + rateError;
        double lowerRate = rate - rateError;
        int upperIndex = bounds.lowestUpperIndex(from, to, end, upperRate);
        int lowerIndex = bounds.highestLowerIndex(from, to, end, lowerRate);
        return new OffsetFit(
                twoWay,
                end,
                rate,
                rateError,
                offset(bounds, twoWay, upperIndex, lowerIndex, end, rate, rateError / 2) - bounds.grain() / 2,
                twoWay ? bounds.upperFrom(upperIndex, end, upperRate) : Double.POSITIVE_INFINITY,
                bounds.lowerFrom(lowerIndex, end, lowerRate),
                bounds.spacing(from, to, twoWay, upperRate, lowerRate),
                delays,
                Limits.of(bounds, from, to, search, leastRateError));
    }

    /**
     * The middle between the two chosen bounds, or the only one. If they differ in age, the older one is trusted less:
     * it is moved away from the offset, but not by the full error of the drift.
     */
    private static double offset(
            OffsetBounds bounds,
            boolean twoWay,
            int upperIndex,
            int lowerIndex,
            double time,
            double rate,
            double caution) {
        double lower = bounds.lowerFrom(lowerIndex, time, rate - caution);
        return twoWay ? (bounds.upperFrom(upperIndex, time, rate + caution) + lower) / 2 : lower;
    }

    double offsetAt(double at) {
        return offset + rate * (at - time);
    }

    /** The expected error, if both minimum delays are equal and the clock is a usual one. */
    double errorAt(double at) {
        return spacing + rateError * Math.abs(at - time);
    }

    double upperAt(double at) {
        return upper + rate * (at - time);
    }

    double lowerAt(double at) {
        return lower + rate * (at - time);
    }

    /**
     * The range of the offset for any steady drift: the highest and the lowest line that no message contradicts.
     *
     * @param time from which on the limits hold
     * @param upper limit at that time
     * @param upperRate its slope
     * @param lower limit at that time
     * @param lowerRate its slope
     */
    record Limits(double time, double upper, double upperRate, double lower, double lowerRate) {
        /**
         * The limits of the bounds from {@code from} on, before {@code to}, over the possible drifts.
         *
         * @param least by how much the drift may change
         */
        static Limits of(OffsetBounds bounds, int from, int to, RateSearch search, double least) {
            double time = bounds.latest(to);
            double upperRate = Math.max(search.highest(), search.rate() + least);
            double lowerRate = Math.min(search.lowest(), search.rate() - least);
            // The clock shows the value of the line along its steps, or up to one step less.
            return new Limits(
                    time,
                    bounds.lowestUpper(from, to, time, upperRate),
                    upperRate,
                    bounds.highestLower(from, to, time, lowerRate) - bounds.grain(),
                    lowerRate);
        }

        double upperAt(double at) {
            return upper + (at >= time ? upperRate : lowerRate) * (at - time);
        }

        double lowerAt(double at) {
            return lower + (at >= time ? lowerRate : upperRate) * (at - time);
        }

        /** How far an offset at that time may be from the true one. */
        double errorOf(double offset, double at) {
            return Math.max(upperAt(at) - offset, offset - lowerAt(at));
        }
    }
}
