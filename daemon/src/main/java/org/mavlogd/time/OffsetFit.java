package org.mavlogd.time;

/**
 * An estimate of the offset between two clocks at a time, and of its drift.
 *
 * <p>Delays are a least one, the same for all, and something random on top that may be of any size and differ between the
 * directions. The random part only ever moves a bound away from the offset, so the lowest upper and the highest lower bound
 * are what matters. Each bound is carried to the present along the drift, and moved away from the offset by what the drift
 * may be wrong by in that time: an old bound is chosen when it is better than all newer ones by more than that.
 *
 * @param twoWay whether there are upper bounds
 * @param time that the bounds refer to
 * @param rate of change: what the vehicle's clock gains on ours, in seconds per second
 * @param rateError of it, to expect
 * @param offset the most probable one
 * @param upper bound that it cannot exceed; infinite without upper bounds
 * @param lower bound that it cannot fall below
 * @param spacing error to expect of the offset, if both least delays are the same
 * @param delays both least delays together; less than 0 when the bounds exclude each other
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
    /** Temperature changes crystals by so much within minutes. */
    static final double LEAST_RATE_ERROR = 1e-6;

    /**
     * Of the bounds from {@code from} on, before {@code to}; at least one.
     *
     * @param formerRate the best guess so far
     * @param usualRate what it is without evidence
     * @param leastRateError what the rate may change by
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
        // The upper bounds rise and the lower ones sink with age.
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
     * In the middle between the bounds that were chosen, or at the only one. Of two of different age the older one is
     * believed less: it is moved away from the offset, but not by all that the drift may be wrong.
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

    /** The error to expect of it, if both least delays are the same and the clock is a usual one. */
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
     * Between which values the offset of a clock is, whatever its drift, as long as that is steady: the highest and the lowest
     * line that no message contradicts.
     *
     * @param time from which on the limits hold
     * @param upper limit at that time
     * @param upperRate its slope
     * @param lower limit at that time
     * @param lowerRate its slope
     */
    record Limits(double time, double upper, double upperRate, double lower, double lowerRate) {
        /**
         * Of the bounds from {@code from} on, before {@code to}, with the drifts that are possible.
         *
         * @param least the drift may change by so much
         */
        static Limits of(OffsetBounds bounds, int from, int to, RateSearch search, double least) {
            double time = bounds.latest(to);
            double upperRate = Math.max(search.highest(), search.rate() + least);
            double lowerRate = Math.min(search.lowest(), search.rate() - least);
            // The clock shows what the line along its steps does, or less, by one step at most.
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

        /** How far an offset at that time may be from the truth. */
        double errorOf(double offset, double at) {
            return Math.max(upperAt(at) - offset, offset - lowerAt(at));
        }
    }
}
