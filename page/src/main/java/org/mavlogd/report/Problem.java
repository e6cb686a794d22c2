package org.mavlogd.report;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A problem that a report found in a log.
 *
 * @param kind such as {@code vibration}: the same for all problems of this kind
 * @param fromUs on the vehicle's clock
 * @param toUs empty for a moment, or if unknown
 * @param value the one furthest from the limit
 * @param source origin of the limit; may be empty
 */
record Problem(
        String kind,
        Severity severity,
        long fromUs,
        OptionalLong toUs,
        String text,
        OptionalDouble value,
        OptionalDouble limit,
        String unit,
        String source) {
    /** The severity, the worst first. */
    enum Severity {
        CRITICAL,
        WARNING;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The end, as far as known. */
    long endUs() {
        return toUs.orElse(fromUs);
    }

    /** Whether it overlaps a period. */
    boolean overlaps(long otherFromUs, long otherToUs) {
        return fromUs <= otherToUs && otherFromUs <= endUs();
    }

    /** A problem without a measured value. */
    static Problem of(String kind, Severity severity, long fromUs, OptionalLong toUs, String text) {
        return new Problem(kind, severity, fromUs, toUs, text, OptionalDouble.empty(), OptionalDouble.empty(), "", "");
    }
}
