package org.mavlogd.time;

/**
 * One message's bounds of the offset (vehicle's clock minus ours), in nanoseconds.
 *
 * @param sentAt when ours left
 * @param upper bound at that time; infinite when nothing was sent
 * @param receivedAt when the vehicle's came
 * @param lower bound at that time
 */
record OffsetSample(double sentAt, double upper, double receivedAt, double lower) {
    /** A stamp that came unasked: how long it was under way is not known. */
    static OffsetSample oneWay(double receivedAt, double lower) {
        return new OffsetSample(receivedAt, Double.POSITIVE_INFINITY, receivedAt, lower);
    }
}
