package org.mavlogd.report.tally;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reduced series keep the extremes of every moment, for any samples. */
class ColumnSeriesPropertyTest {
    @Test
    void upToTheLimitEachValueIsKept() {
        ColumnSeries series = new ColumnSeries();
        for (int i = 0; i < ColumnSeries.MAX_COLUMNS; i++) {
            series.accept(i * 1000L, i * 0.5);
        }

        assertThat(series.columns()).isEqualTo(ColumnSeries.MAX_COLUMNS);
        assertThat(series.timeUs(700)).isEqualTo(700_000);
        assertThat(series.least(700)).isEqualTo(350);
        assertThat(series.most(700)).isEqualTo(350);
    }

    @Test
    void gapsStayGaps() {
        ColumnSeries series = new ColumnSeries();
        for (int i = 0; i < 100_000; i++) {
            series.accept(i * 4000L + (i < 60_000 ? 0 : 30_000_000), i);
        }

        int wide = 0;
        for (int i = 1; i < series.columns(); i++) {
            wide += series.timeUs(i) - series.timeUs(i - 1) > series.gapUs() ? 1 : 0;
        }
        assertThat(wide).isEqualTo(1);
    }

    @Test
    void singleTimeFarAwayDoesNotJoinTheOthers() {
        ColumnSeries series = new ColumnSeries();
        series.accept(1L << 55, 1);
        for (int i = 0; i < 50_000; i++) {
            series.accept(i * 4000L, i);
        }

        assertThat(series.columns()).isBetween(500, ColumnSeries.MAX_COLUMNS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void extremesOfEachMomentAreInItsColumn(int kind) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int count = 1 + random.nextInt(kind < 4 ? 3000 : 40_000);
        long[] times = new long[count];
        double[] values = new double[count];
        ColumnSeries series = new ColumnSeries();
        long timeUs = random.nextInt(1_000_000);
        for (int i = 0; i < count; i++) {
            timeUs += random.nextInt(100) == 0 ? random.nextInt(50_000_000) : random.nextInt(10_000);
            // Some kinds have times that go backwards, as in damaged logs.
            times[i] =
                    kind % 2 == 0 && random.nextInt(50) == 0 ? random.nextLong() >>> (1 + random.nextInt(62)) : timeUs;
            values[i] = random.nextGaussian();
            series.accept(times[i], values[i]);
        }

        assertThat(series.columns()).as("seed %d", seed).isBetween(1, ColumnSeries.MAX_COLUMNS);
        assertThat(series.values()).isEqualTo(count);
        assertThat(least(series)).as("seed %d", seed).isEqualTo(min(values));
        assertThat(most(series)).as("seed %d", seed).isEqualTo(-min(negative(values)));
        if (kind % 2 == 1) {
            everyValueIsWithinItsColumn(series, times, values, seed);
        }
    }

    private static void everyValueIsWithinItsColumn(ColumnSeries series, long[] times, double[] values, long seed) {
        int column = 0;
        for (int i = 0; i < times.length; i++) {
            while (column + 1 < series.columns() && series.timeUs(column + 1) <= times[i]) {
                column++;
            }
            int from = column;
            while (from > 0 && series.timeUs(from - 1) == times[i]) {
                from--;
            }
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (int c = from; c <= column; c++) {
                least = Math.min(least, series.least(c));
                most = Math.max(most, series.most(c));
            }
            assertThat(values[i]).as("seed %d, value %d", seed, i).isBetween(least, most);
        }
    }

    @Test
    void valuesThatAreNotFiniteAreLeftOut() {
        ColumnSeries series = new ColumnSeries();
        series.accept(1, Double.NaN);
        series.accept(2, Double.POSITIVE_INFINITY);
        series.accept(3, Double.NEGATIVE_INFINITY);

        assertThat(series.columns()).isZero();
        assertThat(series.values()).isZero();
        assertThat(series.gapUs()).isEqualTo(Long.MAX_VALUE);
    }

    private static double least(ColumnSeries series) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < series.columns(); i++) {
            least = Math.min(least, series.least(i));
        }
        return least;
    }

    private static double most(ColumnSeries series) {
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < series.columns(); i++) {
            most = Math.max(most, series.most(i));
        }
        return most;
    }

    private static double min(double[] values) {
        double least = Double.POSITIVE_INFINITY;
        for (double value : values) {
            least = Math.min(least, value);
        }
        return least;
    }

    private static double[] negative(double[] values) {
        double[] negative = values.clone();
        for (int i = 0; i < negative.length; i++) {
            negative[i] = -negative[i];
        }
        return negative;
    }
}
