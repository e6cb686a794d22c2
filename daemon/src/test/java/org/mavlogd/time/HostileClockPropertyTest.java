package org.mavlogd.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever a vehicle or a forger sends about its clock: no exception, and usable numbers. */
class HostileClockPropertyTest {
    private static final int SEEDS = Integer.getInteger("mavlogd.clock.seeds", 10) * 10;
    private static final int MESSAGES = 150;
    private static final long[] EXTREMES = {
        0, 1, -1, 999, 1L << 31, 1L << 32, 1L << 53, 1L << 60, (1L << 60) + 1, Long.MAX_VALUE, Long.MIN_VALUE, -1000
    };

    private static long any(SplittableRandom random, long near) {
        return switch (random.nextInt(5)) {
            case 0 -> EXTREMES[random.nextInt(EXTREMES.length)];
            case 1 -> random.nextLong();
            case 2 -> random.nextLong() >>> random.nextInt(Long.SIZE);
            default -> near + random.nextInt(2_000_000_000) - 1_000_000_000;
        };
    }

    @Test
    void takesForgedClocksWithoutHarm() {
        for (long seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TimeAligner aligner = new TimeAligner();
            long nowNs = random.nextBoolean() ? 5_000_000_000L : random.nextLong() >> 2;
            long vehicleNs = random.nextLong() >>> (4 + random.nextInt(50));
            for (int i = 0; i < MESSAGES; i++) {
                nowNs += random.nextLong(1L << random.nextInt(40));
                vehicleNs = random.nextInt(4) == 0 ? any(random, vehicleNs) : vehicleNs + random.nextInt(100_000_000);
                long sentNs = nowNs - random.nextLong(5_000_000_000L);
                if (random.nextInt(3) == 0) {
                    aligner.onBootTime(any(random, vehicleNs / 1_000_000), nowNs);
                } else {
                    aligner.onRoundTrip(sentNs, vehicleNs, nowNs);
                }
                check(seed, aligner, nowNs);
            }
        }
    }

    @Test
    void takesOurOwnTimesInAnyOrder() {
        for (long seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TimeAligner aligner = new TimeAligner();
            for (int i = 0; i < MESSAGES; i++) {
                aligner.onRoundTrip(any(random, 1), any(random, 1), any(random, 1));
                aligner.onBootTime(any(random, 1), any(random, 1));
                long nowNs = any(random, 1);
                check(seed, aligner, nowNs);
            }
        }
    }

    private static void check(long seed, TimeAligner aligner, long nowNs) {
        aligner.poll(nowNs);
        aligner.isCurious(nowNs);
        ClockFit fit = aligner.fit();
        ClockState state = aligner.state(nowNs);
        assertThat(fit.rate()).as("seed %d", seed).isBetween(0.5, 1.5);
        assertThat(state.driftPpm()).as("seed %d", seed).isBetween(-200_000.0, 200_000.0);
        if (state.source() == ClockState.Source.TIMESYNC) {
            assertThat(state.errorBoundS()).as("seed %d, bound", seed).isNotNegative();
            assertThat(state.roundTripS()).as("seed %d, round trip", seed).isNotNegative();
        }
    }
}
