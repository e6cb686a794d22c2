package org.mavlogd.local.publish;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Converts the times of samples to the monotonic clock, and refuses implausible ones: a wrong clock or unit would
 * scatter samples over the log. Owned by one thread; allocates nothing.
 */
final class SampleClock {
    static final long MAX_AGE_NS = TimeUnit.SECONDS.toNanos(60);
    static final long MAX_AHEAD_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double NS_PER_S = 1e9;

    private final LongSupplier utcNs;
    private final LongSupplier monotonicNs;
    private long utcMinusMonotonicNs;
    private long lookedNs;
    private boolean looked;

    /**
     * @param utcNs returns nanoseconds since 1970
     * @param monotonicNs returns nanoseconds of the monotonic clock
     */
    SampleClock(LongSupplier utcNs, LongSupplier monotonicNs) {
        this.utcNs = utcNs;
        this.monotonicNs = monotonicNs;
    }

    /** Converts seconds of the monotonic clock. */
    long ofSeconds(double seconds, long nowNs) throws BadLineException {
        return checked("time", "seconds of CLOCK_MONOTONIC", Math.round(seconds * NS_PER_S), seconds, nowNs);
    }

    /** Converts nanoseconds of the monotonic clock. */
    long ofNs(long ns, long nowNs) throws BadLineException {
        return checked("time_ns", "nanoseconds of CLOCK_MONOTONIC", ns, ns / NS_PER_S, nowNs);
    }

    /** Converts seconds since 1970. */
    long ofUtcSeconds(double seconds, long nowNs) throws BadLineException {
        look(nowNs);
        return checked(
                "utc", "seconds since 1970", Math.round(seconds * NS_PER_S) - utcMinusMonotonicNs, seconds, nowNs);
    }

    /** Converts nanoseconds since 1970. */
    long ofUtcNs(long ns, long nowNs) throws BadLineException {
        look(nowNs);
        return checked("utc", "nanoseconds since 1970", ns - utcMinusMonotonicNs, ns / NS_PER_S, nowNs);
    }

    /**
     * Compares the wall clock, which may be set at any time, at most once a second. Reads both clocks: since the
     * datagram arrived, much time may have passed, especially with the first one, for which classes are loaded.
     */
    private void look(long nowNs) {
        if (!looked || nowNs - lookedNs >= LOOK_NS) {
            looked = true;
            lookedNs = nowNs;
            long beforeNs = monotonicNs.getAsLong();
            long utc = utcNs.getAsLong();
            utcMinusMonotonicNs = utc - beforeNs - (monotonicNs.getAsLong() - beforeNs) / 2;
        }
    }

    private static long checked(String key, String unit, long takenNs, double seconds, long nowNs)
            throws BadLineException {
        long ageNs = nowNs - takenNs;
        boolean far = Double.isNaN(seconds) || Math.abs(seconds) >= Long.MAX_VALUE / NS_PER_S;
        if (far || ageNs > MAX_AGE_NS || ageNs < -MAX_AHEAD_NS) {
            String words = far
                    ? " cannot be a time"
                    : String.format(
                            java.util.Locale.ROOT,
                            " is %.3f s %s now",
                            Math.abs(ageNs) / NS_PER_S,
                            ageNs < 0 ? "after" : "before");
            throw new BadLineException(
                    BadLineException.Fault.TIME,
                    '"' + key + '"' + words + "; allowed: up to 60 s before and 1 s after, as " + unit);
        }
        return takenNs;
    }
}
