package org.mavlogd.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A vehicle's clock, a link with delays, and the aligner, in virtual time: all true values are known, and so is the
 * aligner's error.
 */
final class AlignmentBench {
    static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long STEP_NS = 10 * MILLISECOND_NS;
    private static final long SLOW_NS = SECOND_NS;
    private static final long FAST_NS = 300 * MILLISECOND_NS;
    private static final long FASTEST_NS = 100 * MILLISECOND_NS;
    private static final double MOST_TOKENS = 300;
    private static final double FASTEST_TOKENS = 100;

    /** The delay of a message that is sent at a time. */
    interface Delay {
        long ns(long leavesNs);
    }

    private record Arrival(long atNs, long sentNs, long vehicleNs) {}

    final TimeAligner aligner = new TimeAligner();
    private final Delay there;
    private final Delay back;
    private final PriorityQueue<Arrival> underWay = new PriorityQueue<>((a, b) -> Long.compare(a.atNs(), b.atNs()));

    private long nowNs = 5_000 * SECOND_NS;
    private long clockAtNs = nowNs;
    private double clockNs = 42e9;
    private double drift;
    private long stepNs = 1;
    private double unevenness;
    private SplittableRandom unevenRandom = new SplittableRandom(1);
    private long nextRequestNs = nowNs;
    private long nextBootTimeNs = nowNs;
    private boolean answersTimesync = true;
    private boolean sendsSystemTime;
    private long wildNs;

    private long requests;
    private double tokens = MOST_TOKENS;
    private long lastSentNs = nowNs;
    private long fits;
    private long steps;
    private long lastUs = Long.MIN_VALUE;
    private long backwards;
    private double[] errorsMs = new double[0];
    private double wobble;
    private double worstExcessMs;
    private boolean knewTimesync;
    private int withoutTimesync;
    private double[] boundsMs = new double[0];

    AlignmentBench(Delay there, Delay back) {
        this.there = there;
        this.back = back;
    }

    AlignmentBench drifting(double ppm) {
        settleClock();
        drift = ppm * 1e-6;
        return this;
    }

    /** As in a simulator in lockstep: the clock stands still between steps of this many milliseconds. */
    AlignmentBench stepping(double ms) {
        stepNs = Math.max(1, (long) (ms * MILLISECOND_NS));
        return this;
    }

    /** The drift changes randomly by up to this much, ten times a second. */
    AlignmentBench uneven(double ppm, long seed) {
        unevenness = ppm * 1e-6;
        unevenRandom = new SplittableRandom(seed);
        return this;
    }

    AlignmentBench clockAt(double seconds) {
        clockAtNs = nowNs;
        clockNs = seconds * 1e9;
        return this;
    }

    AlignmentBench jump(double seconds) {
        settleClock();
        clockNs += seconds * 1e9;
        return this;
    }

    AlignmentBench answers(boolean timesync) {
        answersTimesync = timesync;
        return this;
    }

    AlignmentBench systemTime(boolean sent) {
        sendsSystemTime = sent;
        nextBootTimeNs = Math.max(nextBootTimeNs, nowNs);
        return this;
    }

    /** The clock in the next answer is wrong by this much. */
    AlignmentBench wild(long offNs) {
        wildNs = offNs;
        return this;
    }

    long nowNs() {
        return nowNs;
    }

    long requests() {
        return requests;
    }

    long fits() {
        return fits;
    }

    long steps() {
        return steps;
    }

    long backwards() {
        return backwards;
    }

    private void wobble() {
        if (unevenness > 0 && nowNs % (100 * MILLISECOND_NS) == 0) {
            settleClock();
            wobble = unevenness * (2 * unevenRandom.nextDouble() - 1);
        }
    }

    private void settleClock() {
        clockNs = evenNs(nowNs);
        clockAtNs = nowNs;
    }

    private double evenNs(long atNs) {
        return clockNs + (atNs - clockAtNs) * (1 + drift + wobble);
    }

    /** The time that the vehicle's clock shows. */
    double vehicleNs(long atNs) {
        double even = evenNs(atNs);
        return stepNs == 1 ? even : Math.floor(even / stepNs) * stepNs;
    }

    /** Lets time pass, and notes the error at each step. */
    AlignmentBench run(double seconds) {
        long endNs = nowNs + (long) (seconds * 1e9);
        double[] errors = new double[(int) ((endNs - nowNs) / STEP_NS)];
        double[] bounds = new double[errors.length];
        for (int i = 0; i < errors.length; i++) {
            nowNs += STEP_NS;
            wobble();
            send();
            arrive();
            if (aligner.poll(nowNs)) {
                onFit(aligner.fit());
            }
            long us = aligner.fit().vehicleUsAt(nowNs);
            if (fits > 0 && us <= lastUs) {
                backwards++;
            }
            lastUs = us;
            errors[i] = (us * 1000.0 - vehicleNs(nowNs)) / MILLISECOND_NS;
            bounds[i] = judgeBound(errors[i]);
        }
        errorsMs = errors;
        boundsMs = bounds;
        return this;
    }

    /** The bound must hold for every published value. */
    private double judgeBound(double fitErrorMs) {
        ClockState state = aligner.state(nowNs);
        if (state.source() != ClockState.Source.TIMESYNC || fits == 0) {
            withoutTimesync += knewTimesync ? 1 : 0;
            return Double.NaN;
        }
        knewTimesync = true;
        double boundMs = state.errorBoundS() * 1000;
        double stateErrorMs = ((nowNs / 1000 + state.offsetUs()) * 1000.0 - vehicleNs(nowNs)) / MILLISECOND_NS;
        double errorMs = Math.max(Math.abs(fitErrorMs), Math.abs(stateErrorMs));
        worstExcessMs = Math.max(worstExcessMs, errorMs - boundMs);
        return boundMs;
    }

    /** The largest excess of an error over its bound; 0 if none. */
    double worstExcessMs() {
        return worstExcessMs;
    }

    /** Number of steps without an estimate from TIMESYNC, after the first such estimate. */
    int withoutTimesync() {
        return withoutTimesync;
    }

    double medianBoundMs() {
        return Arrays.stream(boundsMs).sorted().toArray()[boundsMs.length / 2];
    }

    private void onFit(ClockFit fit) {
        fits++;
        if (fit.step()) {
            steps++;
            lastUs = Long.MIN_VALUE;
        }
        assertThat(fit.atNs()).isBetween(nowNs - 2000, nowNs);
    }

    private void send() {
        if (nowNs >= nextRequestNs) {
            requests++;
            boolean isFast = aligner.isCurious(nowNs) && tokens >= 1;
            tokens = Math.min(MOST_TOKENS, tokens + (double) (nowNs - lastSentNs) / SECOND_NS) - (isFast ? 1 : 0);
            lastSentNs = nowNs;
            nextRequestNs = nowNs + interval(isFast) * (75 + requests * 31 % 50) / 100;
            if (answersTimesync) {
                long answeredNs = nowNs + there.ns(nowNs);
                long wholeUs = (long) (vehicleNs(answeredNs) / 1000);
                long stampNs = wholeUs * 1000 + wildNs;
                wildNs = 0;
                underWay.add(new Arrival(answeredNs + back.ns(answeredNs), nowNs, stampNs));
            }
        }
        if (sendsSystemTime && nowNs >= nextBootTimeNs) {
            nextBootTimeNs += SECOND_NS;
            underWay.add(new Arrival(nowNs + back.ns(nowNs), -1, (long) vehicleNs(nowNs)));
        }
    }

    /** The daemon's interval; uneven, so that it never coincides with a rhythm of the link. */
    private long interval(boolean isFast) {
        if (isFast) {
            return tokens > MOST_TOKENS - FASTEST_TOKENS ? FASTEST_NS : FAST_NS;
        }
        return SLOW_NS;
    }

    private void arrive() {
        while (!underWay.isEmpty() && underWay.peek().atNs() <= nowNs) {
            Arrival arrival = underWay.remove();
            if (arrival.sentNs() < 0) {
                aligner.onBootTime(arrival.vehicleNs() / MILLISECOND_NS & 0xFFFF_FFFFL, arrival.atNs());
            } else {
                aligner.onRoundTrip(arrival.sentNs(), arrival.vehicleNs(), arrival.atNs());
            }
        }
    }

    double worstMs() {
        return Arrays.stream(errorsMs).map(Math::abs).max().orElseThrow();
    }

    double medianMs() {
        return Arrays.stream(errorsMs)
                .map(Math::abs)
                .sorted()
                .skip(errorsMs.length / 2)
                .findFirst()
                .orElseThrow();
    }

    /** The error at the end of the last run. */
    double lastMs() {
        return errorsMs[errorsMs.length - 1];
    }

    static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
