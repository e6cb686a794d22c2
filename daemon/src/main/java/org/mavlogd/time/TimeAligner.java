package org.mavlogd.time;

import java.util.concurrent.TimeUnit;

/**
 * Maps this computer's monotonic time to one vehicle's microseconds since boot.
 *
 * <p>It prefers TIMESYNC requests with answers: it uses the messages with the lowest delay in each direction of the
 * last five minutes, so that random delay has no effect. If a link always delays one direction more than the other, the
 * result is off by half the difference, which cannot be detected. Without answers it uses SYSTEM_TIME, whose delay is
 * not known: the result is late by the minimum delay. Drift is tracked, wild values have no effect, and a jump or a
 * reboot counts when three messages agree.
 *
 * <p>The {@link #fit} never runs backwards except in a step, see {@link ClockFit#step}. Time is an argument; owned by
 * one thread; takes any input.
 */
public final class TimeAligner {
    private static final int ENOUGH_ROUND_TRIPS = 3;
    private static final int FIRST_ROUND_TRIPS = 10;
    private static final double GOOD_ERROR_NS = 100_000;

    private static final long NS_PER_MS = 1_000_000;
    private static final long NS_PER_US = 1000;
    private static final double NS_PER_S = 1e9;
    private static final double PPM = 1e-6;
    /** A clock that shows more, 36 years, is forged. */
    private static final long HIGHEST_NS = 1L << 60;
    // By then the answers to the first requests have come, if any do.
    private static final double PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);
    // After this time the result of TIMESYNC may be worse than that of SYSTEM_TIME.
    private static final double STALE_NS = TimeUnit.SECONDS.toNanos(120);
    // After this time without messages the result is no better than a guess.
    private static final double WORTHLESS_NS = TimeUnit.MINUTES.toNanos(15);
    // Answers that take longer are useless.
    private static final long LONGEST_TRIP_NS = TimeUnit.SECONDS.toNanos(10);
    private static final double REBOOT_MARGIN_NS = TimeUnit.SECONDS.toNanos(10);

    private final OffsetTracker roundTrips = new OffsetTracker(true);
    private final OffsetTracker bootTimes = new OffsetTracker(false);
    private final BootTimeUnwrapper unwrapper = new BootTimeUnwrapper();
    private final SteadyLine line = new SteadyLine();

    // All times are relative to the first ones, so that numbers stay small.
    private boolean begun;
    private long originNs;
    private long vehicleOriginNs;
    private ClockState.Source source = ClockState.Source.NONE;
    private int jumps;
    private int reboots;
    // The vehicle's clock in the last message that was believed.
    private long shownNs;

    /**
     * Takes a TIMESYNC answer.
     *
     * @param sentNs when the request was sent
     * @param vehicleNs the vehicle's clock in the answer
     * @param receivedNs when the answer came
     */
    public void onRoundTrip(long sentNs, long vehicleNs, long receivedNs) {
        long tripNs = receivedNs - sentNs;
        if (tripNs < 0 || tripNs > LONGEST_TRIP_NS || vehicleNs < 0 || vehicleNs > HIGHEST_NS) {
            return;
        }
        begin(receivedNs, vehicleNs);
        double ahead = vehicleNs - vehicleOriginNs;
        double sentAt = at(sentNs);
        double receivedAt = at(receivedNs);
        take(roundTrips, new OffsetBounds.Sample(sentAt, ahead - sentAt, receivedAt, ahead - receivedAt), vehicleNs);
    }

    /**
     * Takes a SYSTEM_TIME.
     *
     * @param bootMs the vehicle's milliseconds since boot: unsigned 32 bit, wraps after 49.7 days
     */
    public void onBootTime(long bootMs, long receivedNs) {
        // The clock shows this, or up to a millisecond more.
        long expectedNs = source == ClockState.Source.NONE ? 0 : vehicleNsAt(receivedNs);
        long vehicleNs = unwrapper.unwrap(bootMs, expectedNs / NS_PER_MS) * NS_PER_MS + NS_PER_MS / 2;
        begin(receivedNs, vehicleNs);
        double receivedAt = at(receivedNs);
        double lower = vehicleNs - vehicleOriginNs - receivedAt;
        take(bootTimes, OffsetBounds.Sample.oneWay(receivedAt, lower), vehicleNs);
    }

    private void begin(long nowNs, long vehicleNs) {
        if (!begun) {
            begun = true;
            originNs = nowNs;
            vehicleOriginNs = vehicleNs;
        }
    }

    private double at(long ns) {
        return ns - originNs;
    }

    private void take(OffsetTracker tracker, OffsetBounds.Sample sample, long vehicleNs) {
        OffsetFit before = tracker.fit();
        double quietNs = sample.receivedAt() - tracker.lastAt();
        OffsetTracker.Verdict verdict = tracker.add(sample);
        if (verdict == OffsetTracker.Verdict.JUMPED && before != null) {
            onJump(tracker, before, quietNs, vehicleNs, sample.receivedAt());
        }
        if (verdict != OffsetTracker.Verdict.SUSPECT) {
            shownNs = vehicleNs;
        }
        choose(sample.receivedAt());
    }

    private void onJump(OffsetTracker tracker, OffsetFit before, double quietNs, long vehicleNs, double now) {
        double jumpNs = offset(tracker, now) - before.offsetAt(now);
        boolean told = tracker == tracker(source);
        if (told && Math.abs(jumpNs) > SteadyLine.STEP_NS) {
            // A clock that was set back, or stopped, never shows both less than before and almost nothing.
            boolean isReboot = jumpNs < 0 && vehicleNs < shownNs && vehicleNs <= quietNs + REBOOT_MARGIN_NS;
            reboots += isReboot ? 1 : 0;
            jumps += isReboot ? 0 : 1;
        }
        // The vehicle rebooted and no longer answers: earlier measurements are useless.
        if (tracker == bootTimes && roundTrips.heardAt() < now - PATIENCE_NS && isFarFrom(roundTrips, now)) {
            roundTrips.clear();
        }
        if (tracker == roundTrips && isFarFrom(bootTimes, now)) {
            bootTimes.clear();
        }
    }

    private boolean isFarFrom(OffsetTracker other, double now) {
        OffsetTracker sure = other == roundTrips ? bootTimes : roundTrips;
        return other.fit() != null && Math.abs(offset(other, now) - offset(sure, now)) > SteadyLine.STEP_NS;
    }

    private void choose(double now) {
        boolean hasTrips = roundTrips.count() >= ENOUGH_ROUND_TRIPS;
        boolean hasBootTimes = bootTimes.fit() != null;
        if (hasTrips && (now - roundTrips.lastAt() < STALE_NS || !hasBootTimes)) {
            source = ClockState.Source.TIMESYNC;
        } else if (hasBootTimes && (source != ClockState.Source.NONE || now >= PATIENCE_NS)) {
            source = ClockState.Source.SYSTEM_TIME;
        } else if (!hasBootTimes && !hasTrips) {
            source = ClockState.Source.NONE;
        }
    }

    private OffsetTracker tracker(ClockState.Source of) {
        return of == ClockState.Source.SYSTEM_TIME ? bootTimes : roundTrips;
    }

    private static double offset(OffsetTracker tracker, double now) {
        OffsetFit fit = tracker.fit();
        return fit == null ? 0 : fit.offsetAt(now);
    }

    private long vehicleNsAt(long nowNs) {
        return vehicleOriginNs + (nowNs - originNs) + Math.round(offset(tracker(source), at(nowNs)));
    }

    /** Whether the last answers contradict those before; more answers will show whether the clock has jumped. */
    public boolean isInDoubt() {
        return roundTrips.isInDoubt();
    }

    /** Whether requests should be sent fast now, because little is known or something changed. */
    public boolean isCurious(long nowNs) {
        OffsetFit fit = roundTrips.fit();
        return fit == null
                || roundTrips.isInDoubt()
                || roundTrips.count() < FIRST_ROUND_TRIPS
                || fit.errorAt(at(nowNs)) > GOOD_ERROR_NS;
    }

    /** Computes a new {@link #fit} if there is one; to be called about ten times a second. */
    public boolean poll(long nowNs) {
        OffsetTracker tracker = tracker(source);
        OffsetFit fit = tracker.fit();
        if (source == ClockState.Source.NONE || fit == null || at(nowNs) - tracker.lastAt() > WORTHLESS_NS) {
            return false;
        }
        return line.follow(vehicleNsAt(nowNs), 1 + fit.rate(), nowNs);
    }

    /** The last fit that {@link #poll} found. */
    public ClockFit fit() {
        return line.fit();
    }

    public ClockState state(long nowNs) {
        OffsetFit fit = tracker(source).fit();
        if (source == ClockState.Source.NONE || fit == null) {
            return ClockState.UNKNOWN;
        }
        OffsetTracker tracker = tracker(source);
        return new ClockState(
                source,
                (vehicleNsAt(nowNs) - nowNs) / NS_PER_US,
                fit.twoWay() ? errorBoundNs(tracker, fit, nowNs) / NS_PER_S : Double.NaN,
                fit.twoWay() ? tripNs(tracker, fit) / NS_PER_S : Double.NaN,
                fit.rate() / PPM,
                tracker.count(),
                jumps,
                reboots);
    }

    /** The error of the measurement, plus the distance of the published line, which follows it gradually. */
    private double errorBoundNs(OffsetTracker tracker, OffsetFit fit, long nowNs) {
        double now = at(nowNs);
        return tracker.errorAt(fit, fit.offsetAt(now), now)
                + Math.abs(vehicleNsAt(nowNs) - line.fit().vehicleUsAt(nowNs) * (double) NS_PER_US)
                + NS_PER_US;
    }

    private static double tripNs(OffsetTracker tracker, OffsetFit fit) {
        return Math.max(0, Math.min(fit.delays(), tracker.leastTrip()));
    }

    /**
     * Extends SYSTEM_TIME's time since boot, which wraps after 2^32 ms, 49.7 days. If a vehicle was up for longer
     * before it was first heard, this cannot be detected.
     */
    private static final class BootTimeUnwrapper {
        private static final long WRAP_MS = 1L << Integer.SIZE;
        // A number that differs more from the expected one belongs to another boot.
        private static final long LARGEST_ERROR_MS = 60_000;

        /** @param expectedMs the expected value of the clock; 0 if not known */
        long unwrap(long bootMs, long expectedMs) {
            long plainMs = bootMs & (WRAP_MS - 1);
            long wraps = Math.max(0, Math.round((double) (expectedMs - plainMs) / WRAP_MS));
            long unwrappedMs = plainMs + wraps * WRAP_MS;
            return Math.abs(unwrappedMs - expectedMs) <= LARGEST_ERROR_MS ? unwrappedMs : plainMs;
        }
    }

    /**
     * The published line: follows the measurement without running backwards. It removes a difference within about a
     * second by running faster or slower, by at most {@link #MAX_SLEW}; only a difference above {@link #STEP_NS} is a
     * step.
     */
    private static final class SteadyLine {
        /** More than the delay of any link can make of an offset that is still uncertain. */
        static final double STEP_NS = 250_000_000;

        static final double MAX_SLEW = 0.05;

        private static final double NS_PER_S = 1e9;
        private static final long NS_PER_US = 1000;
        private static final long SHORTEST_NS = 200_000_000;
        private static final long LONGEST_NS = 1_000_000_000;
        private static final double NOTABLE_NS = 20_000;

        private ClockFit fit = new ClockFit(0, 0, 1, false);
        private boolean begun;
        private long lastNs;

        ClockFit fit() {
            return fit;
        }

        /**
         * Whether there is a new {@link #fit}.
         *
         * @param vehicleNs the vehicle's clock now
         * @param rate seconds of the vehicle's clock per second of this computer's
         */
        boolean follow(long vehicleNs, double rate, long nowNs) {
            double error = begun ? vehicleNs - vehicleNsAt(nowNs) : Double.POSITIVE_INFINITY;
            boolean isStep = Math.abs(error) > STEP_NS;
            long passedNs = nowNs - lastNs;
            boolean isDue = isStep || passedNs >= LONGEST_NS || Math.abs(error) > NOTABLE_NS;
            if (!isDue || (begun && passedNs < SHORTEST_NS)) {
                return false;
            }
            double slew = isStep ? 0 : Math.max(-MAX_SLEW, Math.min(MAX_SLEW, error / NS_PER_S));
            set(isStep ? vehicleNs : Math.round(vehicleNsAt(nowNs)), rate + slew, isStep, nowNs);
            begun = true;
            lastNs = nowNs;
            return true;
        }

        private double vehicleNsAt(long nowNs) {
            return (double) (fit.vehicleUs() * NS_PER_US) + (nowNs - fit.atNs()) * fit.rate();
        }

        /** The fit has whole microseconds: its time is moved to where the vehicle's clock shows one. */
        private void set(long vehicleNs, double rate, boolean step, long nowNs) {
            long us = Math.floorDiv(vehicleNs, NS_PER_US);
            long restNs = Math.round(Math.floorMod(vehicleNs, NS_PER_US) / rate);
            fit = new ClockFit(nowNs - restNs, us, rate, step);
        }
    }
}
