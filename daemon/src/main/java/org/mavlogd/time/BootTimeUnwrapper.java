package org.mavlogd.time;

/**
 * Makes of SYSTEM_TIME's time since boot one that does not begin anew after 2^32 ms, 49.7 days. A vehicle that was up for
 * longer before it was first heard cannot be told from one that was not.
 */
final class BootTimeUnwrapper {
    private static final long WRAP_MS = 1L << Integer.SIZE;
    // A number that is further from what it should be than this is of another boot.
    private static final long LARGEST_ERROR_MS = 60_000;

    /** @param expectedMs what the clock should show; 0 when that is not known */
    long unwrap(long bootMs, long expectedMs) {
        long plainMs = bootMs & (WRAP_MS - 1);
        long wraps = Math.max(0, Math.round((double) (expectedMs - plainMs) / WRAP_MS));
        long unwrappedMs = plainMs + wraps * WRAP_MS;
        return Math.abs(unwrappedMs - expectedMs) <= LARGEST_ERROR_MS ? unwrappedMs : plainMs;
    }
}
