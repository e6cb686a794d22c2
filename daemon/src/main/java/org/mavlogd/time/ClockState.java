package org.mavlogd.time;

import java.util.Locale;

/**
 * The state of the comparison with a vehicle's clock, for status and logs. Immutable.
 *
 * @param offsetUs vehicle's microseconds since boot minus this computer's monotonic time in microseconds
 * @param errorBoundS how far the offset can be off at most, in seconds; NaN where the delay is not known
 * @param roundTripS the least delay there and back, in seconds; NaN where it is not known
 * @param driftPpm what the vehicle's clock gains on ours, in parts in a million
 * @param samples messages that this rests on
 * @param jumps times that the vehicle's clock jumped, reboots not counted
 * @param reboots times that it began again
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

    /** What a vehicle's clock is known from. */
    public enum Source {
        /** Nothing yet. */
        NONE(0),
        /** SYSTEM_TIME, which the vehicle sends unasked: its delay is not known. */
        SYSTEM_TIME(1),
        /** TIMESYNC, there and back. */
        TIMESYNC(2);

        private final int code;

        Source(int code) {
            this.code = code;
        }

        /** As it is in logs. */
        public int code() {
            return code;
        }

        /** In words, for people. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
