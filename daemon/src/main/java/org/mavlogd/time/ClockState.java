package org.mavlogd.time;

import java.util.Locale;

/**
 * The state of the comparison with a vehicle's clock, for status and logs. Immutable.
 *
 * @param offsetUs vehicle's microseconds since boot minus this computer's monotonic time in microseconds
 * @param errorBoundS largest possible error of the offset, in seconds; NaN if the delay is not known
 * @param roundTripS the shortest round trip, in seconds; NaN if not known
 * @param driftPpm how fast the vehicle's clock gains on this computer's, in parts per million
 * @param samples number of messages used
 * @param jumps how often the vehicle's clock jumped, not counting reboots
 * @param reboots how often the vehicle rebooted
 */
public record ClockState(
        Source source,
        long offsetUs,
        double errorBoundS,
        double roundTripS,
        double driftPpm,
        int samples,
        int jumps,
        int reboots) {
    /** Nothing is known. */
    public static final ClockState UNKNOWN = new ClockState(Source.NONE, 0, Double.NaN, Double.NaN, 0, 0, 0, 0);

    /** The messages from which a vehicle's clock is known. */
    public enum Source {
        /** None yet. */
        NONE(0),
        /** SYSTEM_TIME, which the vehicle sends unasked; its delay is not known. */
        SYSTEM_TIME(1),
        /** TIMESYNC, requests with answers. */
        TIMESYNC(2);

        private final int code;

        Source(int code) {
            this.code = code;
        }

        /** The value in logs. */
        public int code() {
            return code;
        }

        /** The name in lower case, for messages. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
