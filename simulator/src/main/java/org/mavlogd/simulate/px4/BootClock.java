package org.mavlogd.simulate.px4;

/**
 * A simulated vehicle's clock: microseconds since boot. Until the first log's data begins it has nothing to do with the
 * times in the log; then it is {@linkplain #isLogTime set} by them, and continues from there, also over later logs.
 */
final class BootClock {
    private static final double NS_PER_US = 1000;

    private final double pace;
    private long startNs;
    private long startUs;
    private boolean isLogTime;

    /** @param driftPpm what it gains, in parts in a million */
    BootClock(double driftPpm, long nowNs) {
        pace = 1 + driftPpm * 1e-6;
        startNs = nowNs;
    }

    long us(long nowNs) {
        return startUs + (long) ((nowNs - startNs) * pace / NS_PER_US);
    }

    /** How much of other clocks' time passes in so many of its microseconds. */
    long ns(long us) {
        return (long) (us * NS_PER_US / pace);
    }

    /** Whether it shows what logs have as their times, so that it may be asked. */
    boolean isLogTime() {
        return isLogTime;
    }

    void set(long us, long nowNs) {
        startUs = us;
        startNs = nowNs;
    }

    /** From now on it is what logs have. */
    void setLogTime(long us, long nowNs) {
        set(us, nowNs);
        isLogTime = true;
    }
}
