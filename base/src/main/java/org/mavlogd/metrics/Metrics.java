package org.mavlogd.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Containment;
import org.mavlogd.contain.Recovery;

/**
 * All counters, gauges and histograms by name, in Prometheus' text format.
 *
 * <p>Names are dotted, lower case, and end in their unit ({@code link.received.bytes}); Prometheus shows them as {@code
 * mavlogd_link_received_bytes_total}. Equal names and tags return the same counter.
 *
 * <p>Errors in registering or reading a metric are contained: it is missing or NaN, and all others work.
 */
public final class Metrics {
    /** HTTP content type of {@link #scrape}. */
    public static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    /** HTTP content type of {@link #scrapeOpenMetrics}, a format with more types. */
    public static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private static final String PREFIX = "mavlogd.";
    private static final double MS_PER_S = 1000;

    private final PrometheusMeterRegistry registry;
    private final LongSupplier clock;
    private final Containment containment;
    private final ContainedPart own;
    // By name, then by tags: some are summed up by name each second.
    private final ConcurrentHashMap<String, Map<List<String>, Counter>> counters = new ConcurrentHashMap<>();
    private final Queue<LongSupplier> suppliers = new ConcurrentLinkedQueue<>();

    public Metrics() {
        this(System::nanoTime);
    }

    /** @param clock in nanoseconds, for parts that pause after an error */
    public Metrics(LongSupplier clock) {
        this(clock, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    }

    Metrics(LongSupplier clock, PrometheusMeterRegistry registry) {
        this.registry = registry;
        this.clock = clock;
        this.containment = new Containment(clock);
        this.own = containment.part("metrics", Recovery.CONTINUES);
        part(own.name(), Recovery.CONTINUES);
    }

    /** The parts of the recorder whose errors are counted here. */
    public Containment containment() {
        return containment;
    }

    /** A part whose errors are contained, and counted as {@code mavlogd_contained_errors_total}. */
    public ContainedPart part(String name, Recovery recovery) {
        ContainedPart part = containment.part(name, recovery);
        show(
                "contained.errors",
                "Internal errors of a part that did not end the process",
                part,
                ContainedPart::errors,
                "part",
                name);
        return part;
    }

    /** Adds a part that was created before the metrics. */
    public void add(ContainedPart part) {
        containment.add(part);
        part(part.name(), Recovery.CONTINUES);
    }

    private <T> void show(String name, String help, T source, ToDoubleFunction<T> value, String... tags) {
        try {
            FunctionCounter.builder(PREFIX + name, source, value)
                    .description(help)
                    .tags(Tags.of(tags))
                    .register(registry);
        } catch (Throwable e) {
            own.contain(e);
        }
    }

    /**
     * A counter with one writing thread.
     *
     * @param tags alternating keys and values
     */
    public Counter counter(String name, String help, String... tags) {
        return counter(name, help, Counter::get, tags);
    }

    /** A counter of milliseconds with one writing thread, shown in seconds; its name must end in {@code seconds}. */
    public Counter milliseconds(String name, String help, String... tags) {
        return counter(name, help, counter -> counter.get() / MS_PER_S, tags);
    }

    private Counter counter(String name, String help, ToDoubleFunction<Counter> shown, String... tags) {
        return counters.computeIfAbsent(name, any -> new ConcurrentHashMap<>()).computeIfAbsent(List.of(tags), key -> {
            Counter counter = new Counter();
            show(name, help, counter, shown, tags);
            return counter;
        });
    }

    /** Adds an existing counter. */
    public void counter(String name, String help, Counter counter) {
        show(name, help, counter, Counter::get);
    }

    /** Adds a growing number that is counted elsewhere, by any threads; {@link #total} excludes it. */
    public void counter(String name, String help, LongSupplier value, String... tags) {
        suppliers.add(value); // the registry alone would let it be garbage collected
        show(name, help, value, LongSupplier::getAsLong, tags);
    }

    /** A histogram of durations; {@code store.force} is shown as {@code mavlogd_store_force_seconds}. */
    public Durations durations(String name, String help, String... tags) {
        Timer timer = null;
        try {
            timer = Timer.builder(PREFIX + name)
                    .description(help)
                    .tags(Tags.of(tags))
                    .serviceLevelObjectives(Durations.BUCKETS)
                    .register(registry);
        } catch (Throwable e) {
            own.contain(e);
        }
        return new Durations(timer, own, clock);
    }

    /** The sum of all counters of a name with any tags; 0 if there is none. Any thread. */
    public long total(String name) {
        long sum = 0;
        for (Counter counter : counters.getOrDefault(name, Map.of()).values()) {
            sum += counter.get();
        }
        return sum;
    }

    /** A gauge that is computed when the metrics are read, on the reader's thread. */
    public void gauge(String name, String help, DoubleSupplier value, String... tags) {
        try {
            Gauge.builder(PREFIX + name, value, this::read)
                    .description(help)
                    .tags(Tags.of(tags))
                    .strongReference(true)
                    .register(registry);
        } catch (Throwable e) {
            own.contain(e);
        }
    }

    /**
     * Gauges whose label values come and go, such as those of vehicles: computed whenever the metrics are read, on the
     * reader's thread.
     *
     * @param name dotted and complete, with its unit at the end
     * @param labels the names of the labels
     */
    public void gauges(String name, String help, List<String> labels, Supplier<List<Sample>> samples) {
        add(new GaugeFamily(PREFIX + name, help, labels, () -> own.get(samples, List.of())));
    }

    /** Adds metrics of Linux and Java about this process, with the usual names of Prometheus clients. */
    public void addProcess() {
        add(new ProcessCollector(own));
    }

    private void add(MultiCollector collector) {
        try {
            registry.getPrometheusRegistry().register(collector);
        } catch (Throwable e) {
            own.contain(e);
        }
    }

    private double read(DoubleSupplier value) {
        try {
            return value.getAsDouble();
        } catch (Throwable e) {
            own.contain(e);
            return Double.NaN;
        }
    }

    /**
     * One value of a gauge family.
     *
     * @param values of the labels, in order
     */
    public record Sample(double value, List<String> values) {
        public Sample(double value, String... values) {
            this(value, List.of(values));
        }
    }

    /** All metrics in Prometheus' text format, version 0.0.4. */
    public String scrape() {
        return registry.scrape(TEXT);
    }

    /** All metrics in OpenMetrics' text format, version 1.0.0. */
    public String scrapeOpenMetrics() {
        return registry.scrape(OPEN_METRICS);
    }
}
