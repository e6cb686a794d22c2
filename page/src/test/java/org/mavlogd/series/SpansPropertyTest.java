package org.mavlogd.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Spans of parts of the samples, joined, lose no sample and no extreme, for any division into parts. */
class SpansPropertyTest {
    private static final int CAPACITY = 64;

    @Test
    void joinedPartsHoldWhatTheirSamplesAre() {
        long first = System.nanoTime();
        for (long seed = first; seed < first + 2000; seed++) {
            check(seed);
        }
    }

    private static void check(long seed) {
        Random random = new Random(seed);
        int count = random.nextInt(1000);
        long[] timesUs = new long[count];
        double[] values = new double[count];
        long timeUs = 5_000_000;
        double far = random.nextBoolean() ? 0 : 1e9 * random.nextGaussian();
        boolean goesBack = random.nextInt(4) == 0;
        for (int i = 0; i < count; i++) {
            timeUs += random.nextInt(50) == 0 ? 3_000_000 : random.nextInt(10_000);
            timeUs -= goesBack && random.nextInt(100) == 0 ? 1_000_000 : 0;
            timesUs[i] = timeUs;
            values[i] = random.nextInt(20) == 0 ? Double.NaN : far + random.nextGaussian();
        }
        Spans joined = new Spans(CAPACITY);
        for (int from = 0; from < count; ) {
            int to = Math.min(count, from + 1 + random.nextInt(400));
            Spans part = new Spans(CAPACITY);
            for (int i = from; i < to; ) {
                int some = Math.min(to - i, 1 + random.nextInt(300));
                part.add(Arrays.copyOfRange(timesUs, i, i + some), Arrays.copyOfRange(values, i, i + some), some);
                i += some;
            }
            joined.add(part);
            from = to;
        }
        compare(joined, timesUs, values, "seed " + seed);
    }

    private static void compare(Spans joined, long[] timesUs, double[] values, String what) {
        assertThat(joined.samples()).as(what).isEqualTo(timesUs.length);
        assertThat(joined.size()).as(what).isLessThanOrEqualTo(CAPACITY);
        assertThat(joined.isExact()).as(what).isEqualTo(timesUs.length == joined.size());
        long[] sorted = timesUs.clone();
        Arrays.sort(sorted);
        assertThat(joined.isSorted()).as(what).isEqualTo(Arrays.equals(sorted, timesUs));
        int at = 0;
        for (int run = 0; run < joined.size(); run++) {
            long firstUs = Long.MAX_VALUE;
            long lastUs = Long.MIN_VALUE;
            double min = Double.NaN;
            double max = Double.NaN;
            int begin = at;
            for (int end = at + joined.count(run); at < end; at++) {
                firstUs = Math.min(firstUs, timesUs[at]);
                lastUs = Math.max(lastUs, timesUs[at]);
                min = Spans.smaller(min, values[at]);
                max = Spans.larger(max, values[at]);
            }
            assertThat(joined.firstUs(run)).as(what).isEqualTo(firstUs);
            assertThat(joined.lastUs(run)).as(what).isEqualTo(lastUs);
            assertThat(joined.min(run)).as(what).isEqualTo(Double.valueOf(min));
            assertThat(joined.max(run)).as(what).isEqualTo(Double.valueOf(max));
            compareValues(joined, run, Arrays.copyOfRange(values, begin, at), what);
        }
        assertThat(at).as(what).isEqualTo(timesUs.length);
    }

    private static void compareValues(Spans joined, int run, double[] samples, String what) {
        double[] values =
                Arrays.stream(samples).filter(value -> !Double.isNaN(value)).toArray();
        assertThat(joined.values(run)).as(what).isEqualTo(values.length);
        if (values.length == 0) {
            return;
        }
        double first = values[0];
        double mean = first + Arrays.stream(values).map(value -> value - first).sum() / values.length;
        double distances = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        // Doubles near 1e9 are about 1e-7 apart.
        double slack = 1e-6 * values.length * (Math.abs(first) > 1e3 ? 1 : 1e-3);
        assertThat(joined.mean(run)).as(what).isCloseTo(mean, within(slack));
        assertThat(joined.squaredDistances(run)).as(what).isCloseTo(distances, within(slack));
    }
}
