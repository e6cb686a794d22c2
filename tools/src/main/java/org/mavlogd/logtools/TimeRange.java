package org.mavlogd.logtools;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time range of a log, including both ends.
 *
 * @param from start; empty for the start of the log
 * @param to end; empty for its end
 */
public record TimeRange(Optional<Bound> from, Optional<Bound> to) {
    private static final long US_PER_S = 1_000_000;

    /** The accepted forms, for the help of commands. */
    public static final String FORMS =
            "90.5 (seconds since boot), +90.5 (since the start of the log) or " + "2026-03-20T20:28:14.5Z (UTC)";

    /** The reference of a bound. */
    private enum Origin {
        BOOT,
        START,
        EPOCH
    }

    /** An end of the range, {@code us} microseconds after its origin. */
    public record Bound(Origin origin, long us) {
        private static final Pattern SECONDS = Pattern.compile("(\\+?)([0-9]{1,10}(?:\\.[0-9]{1,6})?)s?");

        /** A time of the vehicle's clock. */
        public static Bound boot(long us) {
            return new Bound(Origin.BOOT, us);
        }

        /**
         * Parses a bound.
         *
         * @throws IllegalArgumentException with the accepted forms, if it is invalid
         */
        public static Bound parse(String text) {
            Matcher seconds = SECONDS.matcher(text);
            if (seconds.matches()) {
                long us = new BigDecimal(seconds.group(2))
                        .multiply(BigDecimal.valueOf(US_PER_S))
                        .longValueExact();
                return new Bound(seconds.group(1).isEmpty() ? Origin.BOOT : Origin.START, us);
            }
            try {
                Instant instant = OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
                return new Bound(Origin.EPOCH, ChronoUnit.MICROS.between(Instant.EPOCH, instant));
            } catch (DateTimeException | ArithmeticException e) {
                throw new IllegalArgumentException("'" + text + "' is not a time; allowed: " + FORMS, e);
            }
        }

        /** Microseconds on the vehicle's clock; empty if that needs UTC and the log lacks it. */
        private Optional<Long> bootUs(long startUs, UtcReference utc) {
            return switch (origin) {
                case BOOT -> Optional.of(us);
                case START -> Optional.of(startUs + us);
                case EPOCH -> utc.at(0).map(boot -> us - ChronoUnit.MICROS.between(Instant.EPOCH, boot));
            };
        }
    }

    /** The complete log. */
    public static final TimeRange ALL = new TimeRange(Optional.empty(), Optional.empty());

    /** Whether the end is before the start, as far as can be seen without a log. */
    public boolean isBackwards() {
        return from.isPresent()
                && to.filter(end -> end.origin == from.get().origin && end.us < from.get().us)
                        .isPresent();
    }

    /** Whether it cannot be applied to a log without UTC. */
    public boolean needsUtc() {
        return from.filter(bound -> bound.origin == Origin.EPOCH)
                .or(() -> to.filter(bound -> bound.origin == Origin.EPOCH))
                .isPresent();
    }

    boolean contains(long timestampUs, long startUs, UtcReference utc) {
        return timestampUs >= firstUs(startUs, utc) && timestampUs <= lastUs(startUs, utc);
    }

    /** The first time, on the vehicle's clock. */
    public long firstUs(long startUs, UtcReference utc) {
        return from.flatMap(bound -> bound.bootUs(startUs, utc)).orElse(Long.MIN_VALUE);
    }

    public long lastUs(long startUs, UtcReference utc) {
        return to.flatMap(bound -> bound.bootUs(startUs, utc)).orElse(Long.MAX_VALUE);
    }
}
