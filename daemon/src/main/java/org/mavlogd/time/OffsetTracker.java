package org.mavlogd.time;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the offset of a vehicle's clock from messages of one kind. It takes messages that fit, holds back those that
 * do not, and starts over if several of these agree with each other, because then the clock has jumped.
 *
 * <p>It uses the messages of the last {@link #WINDOW_NS}, or the last few if they are rare. Owned by one thread.
 */
final class OffsetTracker {
    /** The result for a message. */
    enum Verdict {
        TAKEN,
        /** It contradicts the messages before; alone it has no effect. */
        SUSPECT,
        /** Several suspects agree: the messages before were dropped. */
        JUMPED
    }

    private static final double WINDOW_NS = TimeUnit.SECONDS.toNanos(300);
    private static final int KEPT = 20;
    private static final int SUSPECTS_TO_JUMP = 3;
    // Threads wake up late, and clocks are not read at the very moment at which messages are sent.
    private static final double TOLERANCE_NS = 500_000;
    // Possible delay of a message without an upper bound.
    private static final double ONE_WAY_TOLERANCE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final double ONE_WAY_AGREEMENT_NS = TimeUnit.MILLISECONDS.toNanos(500);
    // Reading clocks in whole microseconds may make bounds that touch exclude each other by this.
    private static final double EXCLUSION_NS = 20_000;
    private static final double SUSPECT_RATE = 0.02;
    // The number of newest messages that are compared with all before: if they are far enough on one side of both
    // lines, the clock made a small jump.
    private static final int NEWEST = 8;
    private static final double SMALL_JUMP_NS = 2_000_000;
    private static final double SMALL_JUMP_ERRORS = 8;

    // No crystal drifts more.
    private static final double CRYSTAL_RATE = 1e-3;
    // A simulation's drift changes by this much within a second, if the computer is busy.
    private static final double SIMULATED_RATE_ERROR = 5e-3;
    // How much of a larger change counts one message later.
    private static final double SETTLING = 0.98;

    private final boolean twoWay;
    private final OffsetBounds bounds = new OffsetBounds();
    private final OffsetBounds.Sample[] suspects = new OffsetBounds.Sample[SUSPECTS_TO_JUMP];
    private int suspectCount;
    private @Nullable OffsetFit fit;
    private double usualRate;
    private double lastAt;
    private double heardAt;
    private double unsteadiness;

    /** @param twoWay whether messages are requests with answers */
    OffsetTracker(boolean twoWay) {
        this.twoWay = twoWay;
    }

    /** The line through the messages taken; null before the first one. */
    @Nullable
    OffsetFit fit() {
        return fit;
    }

    /** The number of messages used. */
    int count() {
        return bounds.count();
    }

    /** When the last message came that was taken. */
    double lastAt() {
        return lastAt;
    }

    /** When the last message came, taken or not. */
    double heardAt() {
        return heardAt;
    }

    /** How far the offset may be from the true one at that time, in nanoseconds. */
    double errorAt(OffsetFit line, double offset, double at) {
        double error =
                Math.max(bounds.leastTrip(0, bounds.count()) / 2, line.limits().errorOf(offset, at));
        for (int i = 0; i < suspectCount; i++) {
            // If the suspects are right, all other messages are wrong.
            OffsetBounds.Sample suspect = suspects[i];
            error = Math.max(error, Math.max(suspect.upper() - offset, offset - suspect.lower()));
        }
        return error;
    }

    /** The shortest round trip. */
    double leastTrip() {
        return bounds.leastTrip(0, bounds.count());
    }

    /** Whether there are messages that may show a jump. */
    boolean isInDoubt() {
        return suspectCount > 0;
    }

    void clear() {
        bounds.clear();
        suspectCount = 0;
        unsteadiness = 0;
        fit = null;
    }

    Verdict add(OffsetBounds.Sample sample) {
        OffsetFit known = fit;
        heardAt = Math.max(heardAt, sample.receivedAt());
        if (known == null || fits(known, sample) || isUnsteady(known, sample)) {
            suspectCount = 0;
            take(sample, known == null ? 0 : known.rate());
            return Verdict.TAKEN;
        }
        if (!agreesWithSuspects(sample)) {
            suspectCount = 0;
        }
        suspects[suspectCount] = sample;
        suspectCount++;
        if (suspectCount < SUSPECTS_TO_JUMP) {
            return Verdict.SUSPECT;
        }
        jump(known.rate());
        return Verdict.JUMPED;
    }

    private boolean fits(OffsetFit known, OffsetBounds.Sample sample) {
        if (twoWay) {
            return excess(known, sample) <= TOLERANCE_NS;
        }
        double tolerance = TOLERANCE_NS + known.rateError() * Math.abs(sample.receivedAt() - lastAt);
        double slack = ONE_WAY_TOLERANCE_NS + tolerance;
        double lower = known.lowerAt(sample.receivedAt());
        return sample.lower() <= lower + slack + tolerance && sample.lower() >= lower - slack;
    }

    /** By how much it contradicts the fit; negative if it does not. */
    private static double excess(OffsetFit known, OffsetBounds.Sample sample) {
        OffsetFit.Limits limits = known.limits();
        return Math.max(
                limits.lowerAt(sample.sentAt()) - sample.upper(), sample.lower() - limits.upperAt(sample.receivedAt()));
    }

    /**
     * Whether it contradicts because the clock is that of a simulation, which runs less evenly than a crystal. Then the
     * next change may be as large.
     */
    private boolean isUnsteady(OffsetFit known, OffsetBounds.Sample sample) {
        double passed = sample.receivedAt() - lastAt;
        double excess = excess(known, sample);
        if (!isSimulated(known) || passed <= 0 || excess > bounds.grain() + RateSearch.MAX_RATE * passed) {
            return false;
        }
        unsteadiness = Math.min(RateSearch.MAX_RATE, Math.max(unsteadiness, 2 * excess / passed));
        return true;
    }

    /** Whether the clock has steps or a drift that no crystal has. */
    private boolean isSimulated(OffsetFit known) {
        return twoWay
                && (bounds.grain() > 0
                        || known.limits().lowerRate() > CRYSTAL_RATE
                        || known.limits().upperRate() < -CRYSTAL_RATE);
    }

    private boolean agreesWithSuspects(OffsetBounds.Sample sample) {
        for (int i = 0; i < suspectCount; i++) {
            OffsetBounds.Sample other = suspects[i];
            double slack = TOLERANCE_NS + SUSPECT_RATE * Math.abs(sample.receivedAt() - other.receivedAt());
            if (sample.lower() - upper(other) > slack || other.lower() - upper(sample) > slack) {
                return false;
            }
        }
        return true;
    }

    private double upper(OffsetBounds.Sample sample) {
        return twoWay ? sample.upper() : sample.lower() + ONE_WAY_AGREEMENT_NS;
    }

    private void jump(double formerRate) {
        bounds.clear();
        usualRate = formerRate;
        for (int i = 0; i < suspectCount; i++) {
            bounds.add(suspects[i]);
        }
        measureGrain();
        lastAt = suspects[suspectCount - 1].receivedAt();
        suspectCount = 0;
        refit(formerRate);
    }

    private void take(OffsetBounds.Sample sample, double formerRate) {
        bounds.add(sample);
        measureGrain();
        unsteadiness *= SETTLING;
        lastAt = Math.max(lastAt, sample.receivedAt());
        bounds.expire(lastAt - WINDOW_NS, KEPT);
        OffsetFit line = refit(formerRate);
        // Bounds that exclude each other show that the rate has changed; newer ones are kept.
        while (twoWay && line.delays() < -EXCLUSION_NS && bounds.count() > 2) {
            bounds.keepNewest(bounds.count() * 3 / 4);
            line = refit(line.rate());
        }
        if (hasMovedAway(line.rate())) {
            bounds.keepNewest(NEWEST);
            refit(line.rate());
        }
    }

    private void measureGrain() {
        if (twoWay) {
            bounds.measureGrain();
        }
    }

    private double leastRateError() {
        OffsetFit known = fit;
        boolean simulated = known != null && isSimulated(known);
        return simulated ? Math.max(SIMULATED_RATE_ERROR, unsteadiness) : OffsetFit.LEAST_RATE_ERROR;
    }

    private OffsetFit refit(double formerRate) {
        OffsetFit line = OffsetFit.of(bounds, 0, bounds.count(), twoWay, formerRate, usualRate, leastRateError());
        fit = line;
        return line;
    }

    /**
     * Whether the newest messages show another offset than those before. Congestion moves the bounds apart; only a
     * change of the clock moves both to the same side.
     */
    private boolean hasMovedAway(double formerRate) {
        int old = bounds.count() - NEWEST;
        if (!twoWay || old < KEPT - NEWEST) {
            return false;
        }
        OffsetFit before = OffsetFit.of(bounds, 0, old, true, formerRate, usualRate, leastRateError());
        double time = bounds.meanTime(old, bounds.count());
        double upper = bounds.lowestUpper(old, bounds.count(), time, before.rate()) - before.upperAt(time);
        double lower = bounds.highestLower(old, bounds.count(), time, before.rate()) - before.lowerAt(time);
        double threshold = SMALL_JUMP_NS + SMALL_JUMP_ERRORS * before.errorAt(time);
        return (upper > threshold && lower > threshold) || (upper < -threshold && lower < -threshold);
    }
}
