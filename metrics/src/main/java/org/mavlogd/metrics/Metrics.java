package org.mavlogd.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * All counters and gauges by name, shown in Prometheus text form.
 *
 * <p>Names are dotted, lower case, and end in their unit ({@code link.received.bytes}); Prometheus sees them as {@code
 * mavlogd_link_received_bytes_total}. Asking twice for the same name and tags gives the same counter.
 */
public final class Metrics {
    private static final String PREFIX = "mavlogd.";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    // By name, then by tags: some are summed up by their names each second.
    private final ConcurrentHashMap<String, Map<List<String>, Counter>> counters = new ConcurrentHashMap<>();
    private final Queue<LongSupplier> suppliers = new ConcurrentLinkedQueue<>();

    /**
     * A counter with one writing thread.
     *
     * @param tags pairs of key and value
     */
    public Counter counter(String name, String help, String... tags) {
        return counters.computeIfAbsent(name, any -> new ConcurrentHashMap<>()).computeIfAbsent(List.of(tags), key -> {
            Counter counter = new Counter();
            FunctionCounter.builder(PREFIX + name, counter, Counter::get)
                    .description(help)
                    .tags(Tags.of(tags))
                    .register(registry);
            return counter;
        });
    }

    /** Shows a counter that is there already. */
    public void counter(String name, String help, Counter counter) {
        FunctionCounter.builder(PREFIX + name, counter, Counter::get)
                .description(help)
                .register(registry);
    }

    /** Shows a number that only grows and is counted elsewhere, by any threads; {@link #total} does not know it. */
    public void counter(String name, String help, LongSupplier value, String... tags) {
        suppliers.add(value); // the registry alone would let it be collected
        FunctionCounter.builder(PREFIX + name, value, LongSupplier::getAsLong)
                .description(help)
                .tags(Tags.of(tags))
                .register(registry);
    }

    /** The sum of all counters of a name, whatever their tags; 0 when there is none. Any thread. */
    public long total(String name) {
        long sum = 0;
        for (Counter counter : counters.getOrDefault(name, Map.of()).values()) {
            sum += counter.get();
        }
        return sum;
    }

    /** A number that is asked for when the metrics are read; the supplier is called from the reader's thread. */
    public void gauge(String name, String help, DoubleSupplier value, String... tags) {
        Gauge.builder(PREFIX + name, value, DoubleSupplier::getAsDouble)
                .description(help)
                .tags(Tags.of(tags))
                .strongReference(true)
                .register(registry);
    }

    /** Everything in Prometheus' text format, version 0.0.4. */
    public String scrape() {
        return registry.scrape();
    }
}
