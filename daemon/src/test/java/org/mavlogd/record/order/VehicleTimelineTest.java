package org.mavlogd.record.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.time.ClockFit;

class VehicleTimelineTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double REAL_TIME = 1e6;

    private final VehicleTimeline timeline = new VehicleTimeline();

    @Test
    void theBeginServesUntilTheStreamTellsMore() {
        assertThat(timeline.isKnown()).isFalse();

        timeline.seed(10 * SECOND_NS, 5_000_000);

        assertThat(timeline.isKnown()).isTrue();
        assertThat(timeline.applyAsLong(11 * SECOND_NS)).isEqualTo(6_000_000);
    }

    @Test
    void theChunkWithTheSmallestDelayTellsTheTime() {
        timeline.onStream(10 * SECOND_NS, 1_000_000, REAL_TIME); // late by 30 ms
        timeline.onStream(10 * SECOND_NS + 20_000_000, 1_045_000, REAL_TIME); // 5 ms
        timeline.onStream(10 * SECOND_NS + 40_000_000, 1_045_100, REAL_TIME); // 25 ms

        assertThat(timeline.applyAsLong(10 * SECOND_NS + 20_000_000)).isEqualTo(1_045_000);
        assertThat(timeline.applyAsLong(11 * SECOND_NS)).isEqualTo(2_025_000);
    }

    /** Delays are 2 ms and more, crystals 100 ppm apart: the error stays close to the smallest delay. */
    @ParameterizedTest
    @ValueSource(doubles = {1.0001, 0.9999, 1})
    void driftIsFollowed(double rate) {
        Random random = new Random(1);
        for (long ms = 0; ms < 600_000; ms += 10) {
            long sentUs = (long) (ms * 1000 * rate);
            long arrivalNs = (ms + 2) * 1_000_000 + random.nextInt(20_000_000);
            timeline.onStream(arrivalNs, sentUs, REAL_TIME * rate);
            long errorUs = timeline.applyAsLong(ms * 1_000_000) - sentUs;
            if (ms > 1000) {
                assertThat(errorUs).as("at %d ms", ms).isBetween(-4500L, 500L);
            }
        }
    }

    @Test
    void aStreamThatRunsAtAnotherPaceIsFollowedFromItsLastTime() {
        for (int i = 0; i < 100; i++) {
            timeline.onStream(i * SECOND_NS / 10, i * 500_000L, 5 * REAL_TIME);
        }

        assertThat(timeline.applyAsLong(99 * SECOND_NS / 10 + SECOND_NS / 100)).isEqualTo(99 * 500_000L + 50_000);
    }

    @Test
    void aFitOfTheClocksIsBetterThanTheStream() {
        timeline.onStream(10 * SECOND_NS, 1_000_000, REAL_TIME);

        timeline.fit(new ClockFit(10 * SECOND_NS, 1_020_000, 1.00001, false));

        assertThat(timeline.applyAsLong(20 * SECOND_NS)).isEqualTo(11_020_100);
    }

    @Test
    void anOldFitAndOneThatContradictsTheLogAreNotBelieved() {
        timeline.fit(new ClockFit(10 * SECOND_NS, 1_020_000, 1, false));
        timeline.onStream(100 * SECOND_NS, 91_000_000, REAL_TIME);
        assertThat(timeline.applyAsLong(100 * SECOND_NS)).as("old").isEqualTo(91_000_000);

        timeline.fit(new ClockFit(100 * SECOND_NS, 500_000_000, 1, false));
        assertThat(timeline.applyAsLong(100 * SECOND_NS)).as("of another clock").isEqualTo(91_000_000);
        timeline.fit(new ClockFit(100 * SECOND_NS, 89_000_000, 1, false));
        assertThat(timeline.applyAsLong(100 * SECOND_NS))
                .as("behind what was sent")
                .isEqualTo(91_000_000);
    }

    @Test
    void impossibleTimesAreIgnored() {
        timeline.seed(SECOND_NS, Long.MAX_VALUE);
        timeline.seed(SECOND_NS, -5);
        timeline.onStream(SECOND_NS, Long.MAX_VALUE, REAL_TIME);

        assertThat(timeline.isKnown()).isFalse();
        assertThat(timeline.applyAsLong(-SECOND_NS)).isNotNegative();
    }

    @Test
    void aFitFromBeforeARebootIsNotBelievedInTheNextLog() {
        timeline.fit(new ClockFit(10 * SECOND_NS, 900_000_000, 1, false));

        timeline.seed(20 * SECOND_NS, 3_000_000);

        assertThat(timeline.applyAsLong(21 * SECOND_NS)).isEqualTo(4_000_000);
    }

    /** A forged vehicle chooses the times of its log, and some of the samples of its clock. */
    @Test
    void takesExtremesOfAllKindsWithoutHarm() {
        long[] extremes = {0, 1, -1, 1L << 53, 1L << 60, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE / 1000};
        double[] paces = {0, 1, -1e6, 1e6, 1e300, -1e300, Double.NaN, Double.POSITIVE_INFINITY};
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            VehicleTimeline hostile = new VehicleTimeline();
            for (int i = 0; i < 20; i++) {
                long a = random.nextBoolean() ? random.nextLong() : extremes[random.nextInt(extremes.length)];
                long b = random.nextBoolean() ? random.nextLong() : extremes[random.nextInt(extremes.length)];
                switch (random.nextInt(3)) {
                    case 0 -> hostile.seed(a, b);
                    case 1 -> hostile.onStream(a, b, paces[random.nextInt(paces.length)]);
                    default -> hostile.fit(new ClockFit(a, b, 0.85 + 0.3 * random.nextDouble(), random.nextBoolean()));
                }
                assertThat(hostile.applyAsLong(a)).as("seed %d", seed).isNotNegative();
                assertThat(hostile.applyAsLong(b)).as("seed %d", seed).isNotNegative();
            }
        }
    }
}
