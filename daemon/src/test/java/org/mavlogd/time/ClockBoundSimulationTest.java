package org.mavlogd.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.mavlogd.time.AlignmentBench.Delay;

/**
 * Clocks of many kinds compared with the truth every hundredth of a second, from the first estimate on: the published
 * bound is never below the true error, and the error of realistic clocks is small.
 */
class ClockBoundSimulationTest {
    private static final int SEEDS = Integer.getInteger("mavlogd.clock.seeds", 10);
    private static final double SETTLING_S = 20;
    private static final double FLIGHT_S = 120;

    private static Delay delay(double leastMs, double randomMs, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return leavesNs -> (long) ((leastMs + randomMs * random.nextDouble()) * 1e6);
    }

    /** A link whose directions differ by a random amount. */
    private static AlignmentBench bench(SplittableRandom random, double mostMs) {
        return new AlignmentBench(
                delay(0.05 + mostMs * random.nextDouble() / 4, mostMs * random.nextDouble(), random.nextLong()),
                delay(0.05 + mostMs * random.nextDouble() / 4, mostMs * random.nextDouble(), random.nextLong()));
    }

    private static ClockState fly(String what, AlignmentBench bench) {
        bench.systemTime(true).run(SETTLING_S);
        bench.run(FLIGHT_S);
        ClockState state = bench.aligner.state(bench.nowNs());
        AlignmentBench.print(
                "%s: worst %.3f ms, median %.3f ms, bound %.3f ms",
                what, bench.worstMs(), bench.medianMs(), bench.medianBoundMs());
        assertThat(bench.worstExcessMs()).as("%s, error above the bound", what).isZero();
        assertThat(bench.steps()).as("%s, steps", what).isEqualTo(1);
        assertThat(bench.backwards())
                .as("%s, times that it ran backwards", what)
                .isZero();
        assertThat(bench.withoutTimesync()).as("%s, without TIMESYNC", what).isZero();
        assertThat(state.source()).as(what).isEqualTo(ClockState.Source.TIMESYNC);
        assertThat(state.jumps()).as("%s, jumps", what).isZero();
        assertThat(state.reboots()).as("%s, reboots", what).isZero();
        assertThat(state.roundTripS()).as("%s, round trip", what).isNotNegative();
        return state;
    }

    @Test
    void realClocks() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double ppm = 200 * (random.nextDouble() - 0.5);
            double mostMs = seed % 2 == 0 ? 0.3 : 20;
            AlignmentBench bench = bench(random, mostMs).drifting(ppm).clockAt(1 + 100 * random.nextDouble());

            fly("seed %d, real, %.0f ppm, link %.1f ms".formatted(seed, ppm, mostMs), bench);

            // Half of the possible difference of the directions, which cannot be observed, and a margin.
            assertThat(bench.worstMs()).as("seed %d", seed).isLessThan(0.076 + mostMs / 8 + mostMs / 20);
        }
    }

    @Test
    void clocksOfSimulatorsInLockstep() {
        double[] stepsMs = {1, 2, 4, 4, 4, 8, 20};
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double ppm = seed % 3 == 0 ? -10_000 : 100_000 * (random.nextDouble() - 0.5);
            double stepMs = stepsMs[random.nextInt(stepsMs.length)];
            AlignmentBench bench =
                    bench(random, 2).drifting(ppm).stepping(stepMs).clockAt(10 * random.nextDouble());

            fly("seed %d, steps of %.0f ms, %.0f ppm".formatted(seed, stepMs, ppm), bench);

            assertThat(bench.worstMs()).as("seed %d", seed).isLessThan(stepMs + 1.5);
        }
    }

    @Test
    void clocksOfSimulatorsThatRunUnevenly() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double ppm = -10_000 + 4_000 * random.nextDouble();
            AlignmentBench bench = bench(random, 1)
                    .drifting(ppm)
                    .stepping(4)
                    .uneven(4_000, seed)
                    .clockAt(10 * random.nextDouble());

            fly("seed %d, uneven, %.0f ppm".formatted(seed, ppm), bench);

            assertThat(bench.worstMs()).as("seed %d", seed).isLessThan(10);
        }
    }

    @Test
    void clocksThatDriftALotWithoutSteps() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double ppm = 120_000 * (random.nextDouble() - 0.5);
            AlignmentBench bench = bench(random, 5).drifting(ppm).clockAt(10 * random.nextDouble());

            fly("seed %d, %.0f ppm".formatted(seed, ppm), bench);

            assertThat(bench.worstMs()).as("seed %d", seed).isLessThan(3);
        }
    }
}
