package org.mavlogd.time;

/**
 * Bounds of the offset between two clocks from the last messages. No delay is negative, so a time that travelled to the
 * vehicle bounds the offset from above, and one that travelled back from below. In nanoseconds, oldest first, limited
 * number. For a clock with steps the offset is that of the line along their upper edges.
 */
final class OffsetBounds {
    /**
     * One message's bounds of the offset (vehicle's clock minus this computer's), in nanoseconds.
     *
     * @param sentAt when the request was sent
     * @param upper bound at that time; infinite if nothing was sent
     * @param receivedAt when the vehicle's message came
     * @param lower bound at that time
     */
    record Sample(double sentAt, double upper, double receivedAt, double lower) {
        /** A time that the vehicle sent unasked: its delay is not known. */
        static Sample oneWay(double receivedAt, double lower) {
            return new Sample(receivedAt, Double.POSITIVE_INFINITY, receivedAt, lower);
        }
    }

    static final int CAPACITY = 640;

    // Times have a resolution of microseconds, and threads wake up late: a smaller spacing says nothing.
    private static final double LEAST_SPACING_NS = 10_000;
    // The share of the messages that is used, an eighth, and its limits.
    private static final int SHARE = 8;
    private static final int FEWEST = 4;
    private static final int MOST = 16;
    private static final long LEAST_GRAIN_NS = 50_000;
    private static final long LARGEST_GRAIN_NS = 250_000_000;

    private final double[] upperAt = new double[CAPACITY];
    private final double[] upper = new double[CAPACITY];
    private final double[] lowerAt = new double[CAPACITY];
    private final double[] lower = new double[CAPACITY];
    private final double[] least = new double[MOST];
    private int count;
    private double grain;

    int count() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void add(Sample sample) {
        if (count == CAPACITY) {
            removeOldest(1);
        }
        upperAt[count] = sample.sentAt();
        upper[count] = sample.upper();
        lowerAt[count] = sample.receivedAt();
        lower[count] = sample.lower();
        count++;
    }

    /** Removes entries older than {@code horizon}, except the last {@code kept}. */
    void expire(double horizon, int kept) {
        int old = 0;
        while (count - old > kept && lowerAt[old] < horizon) {
            old++;
        }
        removeOldest(old);
    }

    void keepNewest(int kept) {
        removeOldest(Math.max(0, count - kept));
    }

    void clear() {
        count = 0;
    }

    /**
     * Measures the step of the vehicle's clock. The clock of a simulator in lockstep advances in steps of some
     * milliseconds, so all readings differ by multiples of the step; readings of a real clock soon have no such
     * divisor.
     */
    void measureGrain() {
        long divisor = 0;
        for (int i = 1; i < count && (divisor == 0 || divisor >= LEAST_GRAIN_NS); i++) {
            divisor = divisor(reading(i) - reading(i - 1), divisor);
        }
        grain = divisor < LEAST_GRAIN_NS ? 0 : Math.min(divisor, LARGEST_GRAIN_NS);
    }

    /** Step of the vehicle's clock: it shows the time, or up to one step less; 0 for a clock without steps. */
    double grain() {
        return grain;
    }

    private long reading(int index) {
        return Math.round(upper[index] + upperAt[index]);
    }

    private static long divisor(long a, long b) {
        long larger = Math.abs(a);
        long smaller = b;
        while (smaller != 0) {
            long rest = larger % smaller;
            larger = smaller;
            smaller = rest;
        }
        return larger;
    }

    /** The shortest round trip. */
    double leastTrip(int from, int to) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = from; i < to; i++) {
            least = Math.min(least, lowerAt[i] - upperAt[i]);
        }
        return least;
    }

    private void removeOldest(int removed) {
        if (removed > 0) {
            count -= removed;
            System.arraycopy(upperAt, removed, upperAt, 0, count);
            System.arraycopy(upper, removed, upper, 0, count);
            System.arraycopy(lowerAt, removed, lowerAt, 0, count);
            System.arraycopy(lower, removed, lower, 0, count);
        }
    }

    /** The mean time of the entries from {@code from} on, before {@code to}. */
    double meanTime(int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += lowerAt[i];
        }
        return sum / (to - from);
    }

    /** The time of the last entry before {@code to}. */
    double latest(int to) {
        return lowerAt[to - 1];
    }

    /** The time from the first to the last entry. */
    double span(int from, int to) {
        return lowerAt[to - 1] - lowerAt[from];
    }

    /** The lowest upper bound, each extrapolated with {@code rate} to {@code time}. */
    double lowestUpper(int from, int to, double time, double rate) {
        double lowest = Double.POSITIVE_INFINITY;
        for (int i = from; i < to; i++) {
            lowest = Math.min(lowest, upperFrom(i, time, rate));
        }
        return lowest;
    }

    /** The highest lower bound, each extrapolated with {@code rate} to {@code time}. */
    double highestLower(int from, int to, double time, double rate) {
        double highest = Double.NEGATIVE_INFINITY;
        for (int i = from; i < to; i++) {
            highest = Math.max(highest, lowerFrom(i, time, rate));
        }
        return highest;
    }

    /** The index of the lowest upper bound, each extrapolated with {@code rate} to {@code time}. */
    int lowestUpperIndex(int from, int to, double time, double rate) {
        int lowest = from;
        for (int i = from + 1; i < to; i++) {
            lowest = upperFrom(i, time, rate) < upperFrom(lowest, time, rate) ? i : lowest;
        }
        return lowest;
    }

    /** The index of the highest lower bound, each extrapolated with {@code rate} to {@code time}. */
    int highestLowerIndex(int from, int to, double time, double rate) {
        int highest = from;
        for (int i = from + 1; i < to; i++) {
            highest = lowerFrom(i, time, rate) > lowerFrom(highest, time, rate) ? i : highest;
        }
        return highest;
    }

    /**
     * The spacing of the least delayed messages, as the mean of both directions: the expected error of the best bounds.
     */
    double spacing(int from, int to, boolean twoWay, double upperRate, double lowerRate) {
        double lowerSpacing = spacing(from, to, lowerRate, false);
        return twoWay ? (lowerSpacing + spacing(from, to, upperRate, true)) / 2 : lowerSpacing;
    }

    private double spacing(int from, int to, double rate, boolean ofUpper) {
        if (to - from == 1) {
            // A single delay may be all random; then only half of the round trip is known.
            double half = (upper[from] - lower[from]) / 2;
            return Double.isInfinite(half) ? LEAST_SPACING_NS : Math.max(LEAST_SPACING_NS, half);
        }
        int wanted = Math.min(to - from, Math.max(FEWEST, Math.min(MOST, (to - from) / SHARE)));
        int found = 0;
        double time = lowerAt[to - 1];
        for (int i = from; i < to; i++) {
            double delay = ofUpper ? upperFrom(i, time, rate) : -lowerFrom(i, time, rate);
            if (found < wanted || delay < least[found - 1]) {
                found = Math.min(wanted, found + 1);
                insert(delay, found);
            }
        }
        return Math.max(LEAST_SPACING_NS, (least[found - 1] - least[0]) / (found - 1));
    }

    /** Inserts a delay in order; drops the largest one if there is no room. */
    private void insert(double delay, int found) {
        int at = found - 1;
        while (at > 0 && least[at - 1] > delay) {
            least[at] = least[at - 1];
            at--;
        }
        least[at] = delay;
    }

    double upperFrom(int index, double time, double rate) {
        return upper[index] + grain - rate * (upperAt[index] - time);
    }

    double lowerFrom(int index, double time, double rate) {
        return lower[index] - rate * (lowerAt[index] - time);
    }
}
