package org.mavlogd.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** Gauges of one name that are computed when they are read, and cost nothing in between. Any thread. */
final class GaugeFamily implements MultiCollector {
    private final String name;
    private final String help;
    private final List<String> labels;
    private final Supplier<List<Metrics.Sample>> samples;

    GaugeFamily(String name, String help, List<String> labels, Supplier<List<Metrics.Sample>> samples) {
        this.name = name.replace('.', '_').toLowerCase(Locale.ROOT);
        this.help = help;
        this.labels = List.copyOf(labels);
        this.samples = samples;
    }

    @Override
    public MetricSnapshots collect() {
        GaugeSnapshot.Builder family = GaugeSnapshot.builder().name(name).help(help);
        // A vehicle on two peers may briefly have two snapshots, but label sets must be unique.
        Set<List<String>> seen = new HashSet<>();
        for (Metrics.Sample sample : samples.get()) {
            if (seen.add(sample.values())) {
                family.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .labels(Labels.of(labels, sample.values()))
                        .value(sample.value())
                        .build());
            }
        }
        return seen.isEmpty() ? MetricSnapshots.of() : MetricSnapshots.of(family.build());
    }
}
