package org.mavlogd.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** Plots equal the results of a simple reader of the same bytes, for any log and however it grew. */
class SeriesPropertyTest {
    private static final String FIELDS = ":uint64_t timestamp;float a;double[2] b;";

    @TempDir
    private Path directory;

    private record Sample(long timeUs, double value) {}

    /** A log that is damaged and truncated, declares topics again, and has clocks that go back. */
    private static byte[] log(Random random, int samples) {
        RawLog log = new RawLog().format("one" + FIELDS).format("two" + FIELDS);
        // Two ids whose lower bytes are equal.
        log.subscribe("one", 0, 0).subscribe("one", 1, 1).subscribe("two", 0, 256);
        long timeUs = 1_000_000;
        boolean isWild = random.nextBoolean();
        for (int i = 0; i < samples; i++) {
            timeUs += 1000 + random.nextInt(3000);
            int kind = random.nextInt(1000);
            if (isWild && kind == 0) {
                byte[] damage = new byte[1 + random.nextInt(300)];
                random.nextBytes(damage);
                log.raw(damage);
            } else if (isWild && kind == 1) {
                log.subscribe(random.nextBoolean() ? "one" : "two", random.nextInt(2), random.nextInt(8));
            } else if (isWild && kind == 2) {
                timeUs = Math.max(0, timeUs - 2_000_000);
            } else if (kind < 5) {
                timeUs += 700_000;
            } else if (kind < 8) {
                log.text('6', timeUs, "a text " + i);
            }
            int id = new int[] {0, 0, 0, 1, 256}[random.nextInt(5)];
            float a = kind == 9 ? Float.NaN : random.nextFloat() * 100;
            log.sample(id, timeUs, a, i, -random.nextInt(50));
        }
        byte[] bytes = log.bytes();
        return random.nextInt(3) == 0 ? Arrays.copyOf(bytes, bytes.length - random.nextInt(200)) : bytes;
    }

    /** The samples found by reading the complete log, in its order. */
    private static List<Sample> plain(byte[] bytes, String topic, String field, int index, boolean isEnd)
            throws IOException {
        List<Sample> samples = new ArrayList<>();
        ULogReader reader = new ULogReader(new ULogHandler() {
            @Override
            public void onSample(SampleView sample) {
                if (sample.topic().toString().equals(topic)) {
                    Column column =
                            sample.topic().layout().orElseThrow().column(field).orElseThrow();
                    samples.add(new Sample(sample.timestampUs(), sample.number(column, index)));
                }
            }
        });
        reader.feed(bytes, 0, bytes.length);
        if (isEnd) {
            reader.finish();
        }
        return samples;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void plotsEqualAPlainReadingAlsoWhileTheLogGrows(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] bytes = log(random, 10_000 + random.nextInt(120_000));
        Path file = directory.resolve("log.ulg");
        SeriesStore store = new SeriesStore(8 << 20, new Lanes(1 + random.nextInt(4)));
        int steps = 1 + random.nextInt(4);
        for (int step = 1; step <= steps; step++) {
            boolean isEnd = step == steps;
            byte[] there = Arrays.copyOf(bytes, (int) ((long) bytes.length * step / steps));
            Files.write(file, there);
            SeriesStore.Source source = new SeriesStore.Source(file, !isEnd);
            check(store, source, "one.a", plain(there, "one:0", "a", 0, isEnd), random, seed);
            check(store, source, "one.0.b[0]", plain(there, "one:0", "b", 0, isEnd), random, seed);
            check(store, source, "one.1.b[1]", plain(there, "one:1", "b", 1, isEnd), random, seed);
        }
    }

    private static void check(
            SeriesStore store, SeriesStore.Source source, String field, List<Sample> inLog, Random random, long seed)
            throws IOException {
        List<Sample> all =
                inLog.stream().sorted(Comparator.comparingLong(Sample::timeUs)).toList();
        long end = all.get(all.size() - 1).timeUs;
        // A range of more samples than are stored individually begins and ends with a complete span.
        boolean isRange = random.nextBoolean() && all.size() <= FieldSpans.CAPACITY;
        long from = isRange ? random.nextInt((int) Math.min(end, 60_000_000)) : 0;
        long to = !isRange ? Long.MAX_VALUE : from + random.nextInt(20_000_000);
        int points = 1 + random.nextInt(2000);
        Series plot = store.series(source, new SeriesRequest(field, from, to, points), () -> true);
        List<Sample> within = all.stream()
                .filter(sample -> sample.timeUs >= from && sample.timeUs <= to)
                .toList();
        String what = "seed " + seed + ", " + field + " from " + from + " to " + to + ", " + points + " points";
        compareTotals(plot.totals(), within, what);
        if (all.size() <= FieldSpans.CAPACITY || all.equals(inLog)) {
            compare(plot, within, what);
        } else {
            compareAll(plot, within, what);
        }
        assertThat(withoutGaps(plot, within)).as(what).isLessThanOrEqualTo(Math.max(points, 0));
    }

    private static void compareTotals(Series.Totals totals, List<Sample> within, String what) {
        assertThat(totals.samples()).as(what).isEqualTo(within.size());
        double[] values = within.stream()
                .mapToDouble(Sample::value)
                .filter(value -> !Double.isNaN(value))
                .toArray();
        if (values.length == 0) {
            assertThat(totals.mean()).as(what).isNaN();
            assertThat(totals.deviation()).as(what).isNaN();
            return;
        }
        double mean = Arrays.stream(values).sum() / values.length;
        double deviation = Math.sqrt(Arrays.stream(values)
                        .map(value -> (value - mean) * (value - mean))
                        .sum()
                / values.length);
        double slack = 1e-9 * (1 + Math.abs(mean));
        assertThat(totals.mean()).as(what).isCloseTo(mean, within(slack));
        assertThat(totals.deviation()).as(what).isCloseTo(deviation, within(slack));
    }

    private static int withoutGaps(Series plot, List<Sample> within) {
        Set<Long> times = within.stream().map(Sample::timeUs).collect(Collectors.toSet());
        long gaps = Arrays.stream(plot.timesUs())
                .filter(time -> !times.contains(time))
                .count();
        return (int) (plot.timesUs().length - gaps);
    }

    /** Where a clock went back, spans overlap, and count in the columns in which they begin. */
    private static void compareAll(Series plot, List<Sample> within, String what) {
        assertThat(Arrays.stream(plot.min())
                        .filter(value -> !Double.isNaN(value))
                        .min())
                .as(what)
                .isEqualTo(within.stream()
                        .mapToDouble(Sample::value)
                        .filter(value -> !Double.isNaN(value))
                        .min());
        assertThat(Arrays.stream(plot.max())
                        .filter(value -> !Double.isNaN(value))
                        .max())
                .as(what)
                .isEqualTo(within.stream()
                        .mapToDouble(Sample::value)
                        .filter(value -> !Double.isNaN(value))
                        .max());
        assertThat(plot.timesUs()).as(what).isSorted();
    }

    /** Checks that each column has the minimum and maximum of its samples, and that a gap has none. */
    private static void compare(Series plot, List<Sample> within, String what) {
        int at = 0;
        for (int i = 0; i < plot.timesUs().length; i++) {
            long begin = plot.timesUs()[i];
            long next = i + 1 < plot.timesUs().length ? plot.timesUs()[i + 1] : Long.MAX_VALUE;
            assertThat(next).as(what).isGreaterThanOrEqualTo(begin);
            double min = Double.NaN;
            double max = Double.NaN;
            boolean isSame = next == begin; // samples of one time, individually
            for (int taken = 0; at < within.size() && (isSame ? taken < 1 : within.get(at).timeUs < next); taken++) {
                min = Spans.smaller(min, within.get(at).value);
                max = Spans.larger(max, within.get(at).value);
                at++;
            }
            // The order of samples with the same time is undefined.
            boolean isTie = isSame || (i > 0 && plot.timesUs()[i - 1] == begin);
            if (!isTie) {
                assertThat(plot.min()[i]).as(what + ", column " + i).isEqualTo(Double.valueOf(min));
                assertThat(plot.max()[i]).as(what + ", column " + i).isEqualTo(Double.valueOf(max));
            }
        }
        assertThat(at).as(what).isEqualTo(within.size());
    }
}
