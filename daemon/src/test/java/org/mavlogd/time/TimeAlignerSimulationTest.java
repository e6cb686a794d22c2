package org.mavlogd.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.time.AlignmentBench.Delay;

/** The aligner's estimate of a vehicle's clock behind links with random delay, compared with the truth. */
class TimeAlignerSimulationTest {
    private static final double FLIGHT_S = 300;
    private static final int SEEDS = Integer.getInteger("mavlogd.clock.seeds", 3);

    private static Delay uniform(double lowMs, double highMs, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return leavesNs -> (long) ((lowMs + (highMs - lowMs) * random.nextDouble()) * 1e6);
    }

    private static Delay exponential(double meanMs, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return leavesNs -> (long) (-Math.log(1 - random.nextDouble()) * meanMs * 1e6);
    }

    private interface Links {
        AlignmentBench with(long seed);
    }

    private record Figures(double worstMs, double medianMs, double requestsPerS) {}

    private static Figures fly(String what, double settlingS, Links links) {
        double worst = 0;
        double median = 0;
        double requests = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            AlignmentBench bench = links.with(seed * 7919).run(settlingS);
            bench.run(FLIGHT_S);
            worst = Math.max(worst, bench.worstMs());
            median += bench.medianMs() / SEEDS;
            requests += bench.requests() / (FLIGHT_S + settlingS) / SEEDS;
            assertThat(bench.backwards()).as("%s, seed %d", what, seed).isZero();
            assertThat(bench.steps()).as("%s, seed %d", what, seed).isEqualTo(1);
        }
        AlignmentBench.print(
                "%-52s after %2.0f s: worst %.3f ms, median %.3f ms, %.2f requests/s (%d seeds of %.0f s)",
                what, settlingS, worst, median, requests, SEEDS, FLIGHT_S);
        return new Figures(worst, median, requests);
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "50, 10", "-50, 10", "-200, 30", "500, 30"})
    void isWithinAMillisecondOverUdpWithTwentyMillisecondsOfRandomDelay(double ppm, double settlingS) {
        Figures figures = fly(
                "UDP, 0 to 20 ms each way, " + ppm + " ppm",
                settlingS,
                seed -> new AlignmentBench(uniform(0, 20, seed), uniform(0, 20, seed + 1)).drifting(ppm));

        assertThat(figures.worstMs()).isLessThan(1);
        assertThat(figures.requestsPerS()).isLessThan(2);
    }

    @Test
    void isWithinAMillisecondWhenDelaysAreExponential() {
        Figures figures = fly(
                "UDP, exponential delay of 20 ms each way, 50 ppm",
                10,
                seed -> new AlignmentBench(exponential(20, seed), exponential(20, seed + 1)).drifting(50));

        assertThat(figures.worstMs()).isLessThan(1);
    }

    @Test
    void isWithinAMillisecondWhenOneDirectionIsDelayedAtRandom() {
        Figures figures = fly(
                "UDP, 1 ms there, 1 to 21 ms back, 50 ppm",
                30,
                seed -> new AlignmentBench(uniform(1, 1, seed), uniform(1, 21, seed + 1)).drifting(50));

        assertThat(figures.worstMs()).isLessThan(1);
    }

    @ParameterizedTest
    @CsvSource({"0.7", "0.85", "0.93"})
    void isWithinFiveMillisecondsOverASlowSerialLinkThatCarriesALog(double load) {
        Figures figures = fly(
                "serial, 57600 baud, load " + load + ", 50 ppm",
                10,
                seed -> new AlignmentBench(new SerialLine(57_600, 0.05, seed), new SerialLine(57_600, load, seed + 1))
                        .drifting(50));

        assertThat(figures.worstMs()).isLessThan(5);
    }
}
