package org.mavlogd.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events of a clock: jumps, restarts, overflow, and wrong reports. */
class TimeAlignerTest {
    private static final long WRAP_MS = 1L << 32;

    private static AlignmentBench bench(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        AlignmentBench.Delay delay = leavesNs -> 2_000_000 + random.nextInt(4_000_000);
        return new AlignmentBench(delay, delay).drifting(30);
    }

    private static ClockState state(AlignmentBench bench) {
        return bench.aligner.state(bench.nowNs());
    }

    @Test
    void knowsNothingBeforeTheVehicleSaysSomething() {
        AlignmentBench bench = bench(1).answers(false).run(5);

        assertThat(bench.fits()).isZero();
        assertThat(state(bench)).isEqualTo(ClockState.UNKNOWN);
    }

    @Test
    void isThereWithinASecondAndSaysHowGoodItIs() {
        AlignmentBench bench = bench(2).run(1);
        assertThat(bench.fits()).isPositive();
        assertThat(Math.abs(bench.lastMs())).isLessThan(3);

        bench.run(30);

        assertThat(bench.worstMs()).isLessThan(3);
        assertThat(state(bench).source()).isEqualTo(ClockState.Source.TIMESYNC);
        assertThat(state(bench).roundTripS()).isBetween(0.004, 0.006);
        assertThat(state(bench).errorBoundS()).isBetween(0.002, 0.004);
        assertThat(Math.abs(bench.lastMs())).isLessThan(state(bench).errorBoundS() * 1000);
        assertThat(state(bench).driftPpm()).isBetween(0.0, 60.0);
    }

    @Test
    void tellsAtLeastOnceAndAtMostFiveTimesASecond() {
        AlignmentBench bench = bench(3).run(20);
        long before = bench.fits();

        bench.run(100);

        assertThat(bench.fits() - before).isBetween(95L, 500L);
    }

    @ParameterizedTest
    @ValueSource(doubles = {3600, 1, 0.3, -0.3, -5})
    void takesAJumpWithinTwoSeconds(double seconds) {
        AlignmentBench bench = bench(4).run(60);

        bench.jump(seconds).run(2);

        assertThat(Math.abs(bench.lastMs())).isLessThan(2);
        assertThat(bench.steps()).isEqualTo(2);
        assertThat(state(bench).jumps()).isEqualTo(1);
        assertThat(state(bench).reboots()).isZero();
        bench.run(100);
        assertThat(bench.worstMs()).isLessThan(2);
        assertThat(bench.backwards()).isZero();
    }

    @Test
    void followsASmallJumpWithoutEverRunningBackwards() {
        AlignmentBench bench = bench(5).run(60);

        bench.jump(-0.05).run(6);

        assertThat(bench.steps()).isEqualTo(1);
        assertThat(bench.backwards()).isZero();
        assertThat(Math.abs(bench.lastMs())).isLessThan(3);
        bench.run(10);
        assertThat(Math.abs(bench.lastMs())).isLessThan(1);
    }

    @Test
    void beginsAnewWhenTheVehicleReboots() {
        AlignmentBench bench = bench(6).clockAt(9_000).run(60);

        bench.answers(false).run(8);
        bench.clockAt(2.5).answers(true).run(2);

        assertThat(Math.abs(bench.lastMs())).isLessThan(2);
        assertThat(state(bench).reboots()).isEqualTo(1);
        assertThat(state(bench).jumps()).isZero();
        assertThat(bench.steps()).isEqualTo(2);
    }

    @Test
    void noticesARebootThatOnlySystemTimeTells() {
        AlignmentBench bench = bench(7).systemTime(true).clockAt(9_000).run(60);
        assertThat(state(bench).source()).isEqualTo(ClockState.Source.TIMESYNC);

        bench.answers(false).run(8);
        bench.clockAt(2.5).run(6);

        assertThat(state(bench).source()).isEqualTo(ClockState.Source.SYSTEM_TIME);
        assertThat(Math.abs(bench.lastMs())).isLessThan(7);
    }

    @Test
    void wildAnswersChangeNothing() {
        AlignmentBench bench = bench(8).run(30);
        SplittableRandom random = new SplittableRandom(88);

        double worst = 0;
        for (int i = 0; i < 100; i++) {
            long offNs = (long) ((random.nextDouble() - 0.5) * 10e9);
            worst = Math.max(worst, bench.wild(offNs).run(3).worstMs());
        }

        assertThat(worst).isLessThan(1.5);
        assertThat(bench.steps()).isEqualTo(1);
        assertThat(state(bench).jumps()).isZero();
    }

    @Test
    void takesAnythingWithoutHarm() {
        AlignmentBench bench = bench(9).run(30);
        long[] values = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, bench.nowNs(), 1L << 60, 1L << 32};

        for (long sentNs : values) {
            for (long vehicleNs : values) {
                bench.aligner.onRoundTrip(sentNs, vehicleNs, bench.nowNs());
                bench.aligner.onBootTime(vehicleNs, bench.nowNs());
            }
        }

        bench.run(30);
        assertThat(Math.abs(bench.lastMs())).isLessThan(1.5);
    }

    @Test
    void takesSystemTimeWhenTimesyncIsNotAnswered() {
        AlignmentBench bench = bench(10).answers(false).systemTime(true).run(60);

        assertThat(state(bench).source()).isEqualTo(ClockState.Source.SYSTEM_TIME);
        assertThat(state(bench).errorBoundS()).isNaN();
        // Late by the smallest delay, 2 ms, in whole milliseconds.
        assertThat(bench.lastMs()).isBetween(-3.5, 0.5);
        assertThat(bench.backwards()).isZero();
    }

    @Test
    void prefersTimesyncAsSoonAsItIsAnsweredAndKeepsItForAWhile() {
        AlignmentBench bench = bench(11).answers(false).systemTime(true).run(20);
        assertThat(state(bench).source()).isEqualTo(ClockState.Source.SYSTEM_TIME);

        bench.answers(true).run(20);
        assertThat(state(bench).source()).isEqualTo(ClockState.Source.TIMESYNC);
        assertThat(Math.abs(bench.lastMs())).isLessThan(1);

        bench.answers(false).run(60);
        assertThat(state(bench).source()).isEqualTo(ClockState.Source.TIMESYNC);
        bench.run(120);
        assertThat(state(bench).source()).isEqualTo(ClockState.Source.SYSTEM_TIME);
        assertThat(bench.steps()).isEqualTo(1);
        assertThat(bench.backwards()).isZero();
    }

    @Test
    void bootTimesGoOnAfterFortyNineDays() {
        AlignmentBench bench = bench(12)
                .answers(false)
                .systemTime(true)
                .clockAt((WRAP_MS - 30_000) / 1000.0)
                .run(20);

        bench.run(40);

        assertThat(bench.worstMs()).isLessThan(4);
        assertThat(bench.steps()).isEqualTo(1);
    }

    @Test
    void driftChangesAreFollowed() {
        AlignmentBench bench = bench(13).run(300);

        bench.drifting(-70).run(300);

        assertThat(bench.worstMs()).isLessThan(5);
        bench.run(60);
        assertThat(bench.worstMs()).isLessThan(1);
        assertThat(bench.steps()).isEqualTo(1);
    }

    @Test
    void holdsThroughAnOutage() {
        AlignmentBench bench = bench(14).run(300);

        bench.answers(false).run(60);
        assertThat(bench.worstMs()).isLessThan(1);

        bench.answers(true).run(30);
        assertThat(bench.worstMs()).isLessThan(1);
        assertThat(bench.steps()).isEqualTo(1);
    }

    @Test
    void takesASimulatorThatWasPausedForNoReboot() {
        AlignmentBench bench = bench(15)
                .systemTime(true)
                .drifting(-10_000)
                .stepping(4)
                .clockAt(1)
                .run(6);

        bench.systemTime(false).answers(false).run(3);
        bench.jump(-3).systemTime(true).answers(true).run(3);

        assertThat(state(bench).reboots()).isZero();
        assertThat(state(bench).jumps()).isEqualTo(1);
        assertThat(Math.abs(bench.lastMs())).isLessThan(8);
        assertThat(bench.withoutTimesync()).isZero();
    }

    @Test
    void keepsToTimesyncWhenTheClockJumpsAgainAndAgain() {
        AlignmentBench bench = bench(16).systemTime(true).clockAt(1).run(20);

        for (int i = 0; i < 10; i++) {
            bench.jump(i % 2 == 0 ? 0.4 : -0.4).run(5);
            assertThat(Math.abs(bench.lastMs())).as("jump %d", i).isLessThan(3);
        }

        assertThat(bench.withoutTimesync()).isZero();
        assertThat(state(bench).jumps()).isEqualTo(10);
        assertThat(state(bench).reboots()).isZero();
    }
}
