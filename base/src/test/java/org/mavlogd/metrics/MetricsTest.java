package org.mavlogd.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;

class MetricsTest {
    private final Metrics metrics = new Metrics();

    @Test
    void theSameNameAndTagsAreTheSameCounter() {
        Counter one = metrics.counter("lost.chunks", "Lost", "feed", "a", "cause", "link");

        assertThat(metrics.counter("lost.chunks", "Lost", "feed", "a", "cause", "link"))
                .isSameAs(one);
        assertThat(metrics.counter("lost.chunks", "Lost", "feed", "b", "cause", "link"))
                .isNotSameAs(one);
    }

    /** A registry that throws from every method that a meter needs. */
    private static final class BrokenRegistry extends PrometheusMeterRegistry {
        private final Supplier<Throwable> error;

        BrokenRegistry(Supplier<Throwable> error) {
            super(PrometheusConfig.DEFAULT);
            this.error = error;
        }

        @Override
        protected <T> Gauge newGauge(Meter.Id id, @Nullable T source, ToDoubleFunction<T> value) {
            throw Thrown.<RuntimeException>sneak(error.get());
        }

        @Override
        protected <T> FunctionCounter newFunctionCounter(Meter.Id id, T source, ToDoubleFunction<T> value) {
            throw Thrown.<RuntimeException>sneak(error.get());
        }

        @Override
        protected Timer newTimer(Meter.Id id, DistributionStatisticConfig buckets, PauseDetector pauses) {
            throw Thrown.<RuntimeException>sneak(error.get());
        }
    }

    @Test
    void showsDurationsAsAHistogram() {
        Durations forces = metrics.durations("store.force", "Forces");

        forces.record(3_000_000);
        forces.record(700_000_000);

        assertThat(forces.count()).isEqualTo(2);
        assertThat(forces.longestNs()).isEqualTo(700_000_000);
        assertThat(metrics.scrape())
                .contains("mavlogd_store_force_seconds_bucket{le=\"0.002\"} 0")
                .contains("mavlogd_store_force_seconds_bucket{le=\"0.005\"} 1")
                .contains("mavlogd_store_force_seconds_bucket{le=\"1.0\"} 2")
                .contains("mavlogd_store_force_seconds_count 2")
                .contains("mavlogd_store_force_seconds_max 0.7");
    }

    @Test
    void containsWhatMicrometerThrows() {
        for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
            Metrics broken = new Metrics(System::nanoTime, new BrokenRegistry(error));

            Counter counter = broken.counter("some.bytes", "Some");
            counter.add(7);
            broken.counter("other.bytes", "Other", new Counter());
            broken.counter("third.bytes", "Third", () -> 1);
            broken.gauge("ratio", "A share", () -> 1);
            Durations durations = broken.durations("force", "Forces");
            durations.record(1);

            assertThat(broken.total("some.bytes")).isEqualTo(7);
            assertThat(broken.part("metrics", Recovery.CONTINUES).errors()).isGreaterThanOrEqualTo(6);
        }
    }

    @Test
    void showsAGaugeThatThrowsAsNotKnown() {
        for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
            Metrics its = new Metrics();
            its.gauge("ratio", "A share", () -> {
                throw Thrown.<RuntimeException>sneak(error.get());
            });
            its.counter("some.bytes", "Some").add(7);

            assertThat(its.scrape()).contains("mavlogd_ratio NaN").contains("mavlogd_some_bytes_total 7.0");
            assertThat(its.part("metrics", Recovery.CONTINUES).errors()).isPositive();
        }
    }

    @Test
    void aTotalIsOfOneNameWhateverTheTags() {
        metrics.counter("lost.chunks", "Lost", "feed", "a").add(3);
        metrics.counter("lost.chunks", "Lost", "feed", "b").add(4);
        metrics.counter("lost.chunks.late", "Late", "feed", "a").add(50);
        metrics.counter("lost", "All", "feed", "a").add(600);

        assertThat(metrics.total("lost.chunks")).isEqualTo(7);
        assertThat(metrics.total("lost")).isEqualTo(600);
        assertThat(metrics.total("los")).isZero();
    }
}
