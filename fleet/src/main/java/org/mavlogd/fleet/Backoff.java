package org.mavlogd.fleet;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The delay after a number of failures: doubles up to a maximum, and is shortened by a random part, so that a fleet
 * that lost its server does not reconnect all at once.
 */
record Backoff(long firstNs, long maxNs, DoubleSupplier random) {
    static final Backoff DEFAULT = new Backoff(TimeUnit.SECONDS.toNanos(5), TimeUnit.MINUTES.toNanos(30), Math::random);

    private static final int MAX_DOUBLINGS = 30;
    private static final double LEAST = 0.5;

    /** @param failures 1 after the first */
    long delayNs(int failures) {
        int doublings = Math.min(failures - 1, MAX_DOUBLINGS);
        long whole = firstNs > maxNs >> doublings ? maxNs : firstNs << doublings;
        return (long) (whole * (LEAST + (1 - LEAST) * random.getAsDouble()));
    }
}
