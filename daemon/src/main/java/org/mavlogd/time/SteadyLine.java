package org.mavlogd.time;

/**
 * The line that others see: follows what is measured without ever running backwards. It takes up a difference within about
 * a second by running faster or slower, by {@link #MAX_SLEW} at most; only a difference above {@link #STEP_NS} is a step.
 */
final class SteadyLine {
    /** More than any link's delay can make of an offset that is still uncertain. */
    static final double STEP_NS = 250_000_000;

    static final double MAX_SLEW = 0.05;

    private static final double NS_PER_S = 1e9;
    private static final long NS_PER_US = 1000;
    private static final long SHORTEST_NS = 200_000_000;
    private static final long LONGEST_NS = 1_000_000_000;
    private static final double NOTABLE_NS = 20_000;

    private ClockFit fit = new ClockFit(0, 0, 1, false);
    private boolean begun;
    private long lastNs;

    /** Nothing is known of the clock any more. */
    void clear() {
        begun = false;
    }

    ClockFit fit() {
        return fit;
    }

    /**
     * Whether there is a new {@link #fit}.
     *
     * @param vehicleNs what the vehicle's clock shows now
     * @param rate of it against ours
     */
    boolean follow(long vehicleNs, double rate, long nowNs) {
        double error = begun ? vehicleNs - vehicleNsAt(nowNs) : Double.POSITIVE_INFINITY;
        boolean isStep = Math.abs(error) > STEP_NS;
        long passedNs = nowNs - lastNs;
        boolean isDue = isStep || passedNs >= LONGEST_NS || Math.abs(error) > NOTABLE_NS;
        if (!isDue || (begun && passedNs < SHORTEST_NS)) {
            return false;
        }
        double slew = isStep ? 0 : Math.max(-MAX_SLEW, Math.min(MAX_SLEW, error / NS_PER_S));
        set(isStep ? vehicleNs : Math.round(vehicleNsAt(nowNs)), rate + slew, isStep, nowNs);
        begun = true;
        lastNs = nowNs;
        return true;
    }

    private double vehicleNsAt(long nowNs) {
        return (double) (fit.vehicleUs() * NS_PER_US) + (nowNs - fit.atNs()) * fit.rate();
    }

    /** The fit's microseconds are whole: the moment is moved to where they are. */
    private void set(long vehicleNs, double rate, boolean step, long nowNs) {
        long us = Math.floorDiv(vehicleNs, NS_PER_US);
        long restNs = Math.round(Math.floorMod(vehicleNs, NS_PER_US) / rate);
        fit = new ClockFit(nowNs - restNs, us, rate, step);
    }
}
