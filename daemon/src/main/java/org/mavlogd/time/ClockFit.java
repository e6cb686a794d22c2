package org.mavlogd.time;

/**
 * The relation of a vehicle's clock to this computer's: a line through one point. It is valid from {@link #atNs} until
 * the next fit, and close enough for some seconds before.
 *
 * @param atNs this computer's monotonic time
 * @param vehicleUs the vehicle's microseconds since its boot, at that time
 * @param rate seconds of the vehicle's clock per second of this computer's: more than 0, and near 1
 * @param step whether it does not continue the previous line: it is the first, the vehicle rebooted, or its clock
 *     jumped
 */
public record ClockFit(long atNs, long vehicleUs, double rate, boolean step) {
    private static final double NS_PER_US = 1000;

    public ClockFit {
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException("rate " + rate + " of a vehicle's clock is not above 0");
        }
    }

    /** The vehicle's microseconds at a time of this computer's clock; negative before the vehicle's boot. */
    public long vehicleUsAt(long ns) {
        return vehicleUs + (long) Math.floor((ns - atNs) * rate / NS_PER_US);
    }
}
