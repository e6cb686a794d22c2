package org.mavlogd.simulate.px4;

/**
 * A simulated vehicle's clock: microseconds since boot. It is unrelated to the log's times until the first log's data
 * starts; then it is {@linkplain #isLogTime set} by them and continues, over later logs too.
 */
final class BootClock {
    private static final double NS_PER_US = 1000;

    private final double pace;
    private long startNs;
    private long startUs;
    private boolean isLogTime;

    /** @param driftPpm drift in parts per million; positive if it is fast */
    BootClock(double driftPpm, long nowNs) {
        pace = 1 + driftPpm * 1e-6;
        startNs = nowNs;
    }

    long us(long nowNs) {
        return startUs + (long) ((nowNs - startNs) * pace / NS_PER_US);
    }

    /** Duration on other clocks of this number of its microseconds. */
    long ns(long us) {
        return (long) (us * NS_PER_US / pace);
    }

    /** Whether it shows the times of the logs, so that requests may be answered. */
    boolean isLogTime() {
        return isLogTime;
    }

    void set(long us, long nowNs) {
        startUs = us;
        startNs = nowNs;
    }

    /** Sets the clock to the times of the logs. */
    void setLogTime(long us, long nowNs) {
        set(us, nowNs);
        isLogTime = true;
    }
}
