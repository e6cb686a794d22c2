package org.mavlogd.report;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A problem that a report found in a log.
 *
 * @param kind such as {@code vibration}: the same for all problems of this kind
 * @param fromUs of the vehicle's clock
 * @param toUs empty if it is a moment, or not told
 * @param value the one furthest from the limit
 * @param source who says that this is the limit; may be empty
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
    /** How much it matters; the worst first. */
    enum Severity {
        CRITICAL,
        WARNING;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** When it was over, as far as that is told. */
    long endUs() {
        return toUs.orElse(fromUs);
    }

    /** Whether some of it is within a time. */
    boolean overlaps(long otherFromUs, long otherToUs) {
        return fromUs <= otherToUs && otherFromUs <= endUs();
    }

    /** A problem without a measured value. */
    static Problem of(String kind, Severity severity, long fromUs, OptionalLong toUs, String text) {
        return new Problem(kind, severity, fromUs, toUs, text, OptionalDouble.empty(), OptionalDouble.empty(), "", "");
    }
}
