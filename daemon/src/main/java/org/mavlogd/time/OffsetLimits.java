package org.mavlogd.time;

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
record OffsetLimits(double time, double upper, double upperRate, double lower, double lowerRate) {
    /**
     * Of the bounds from {@code from} on, before {@code to}, with the drifts that are possible.
     *
     * @param least the drift may change by so much
     */
    static OffsetLimits of(OffsetBounds bounds, int from, int to, RateSearch search, double least) {
        double time = bounds.latest(to);
        double upperRate = Math.max(search.highest(), search.rate() + least);
        double lowerRate = Math.min(search.lowest(), search.rate() - least);
        // The clock shows what the line along its steps does, or less, by one step at most.
        return new OffsetLimits(
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
