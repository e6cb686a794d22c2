package org.mavlogd.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.mavlogd.contain.ContainedPart;

/**
 * Metrics of this process and its Java, with the names of Prometheus' client libraries. They are read with the other
 * metrics, from {@code /proc/self} and from Java; the classes for this are loaded with the first read. A value that
 * cannot be read is missing.
 */
final class ProcessCollector implements MultiCollector {
    private static final Path PROC = Path.of("/proc/self");
    /** USER_HZ, which is 100 on every Linux that Java runs on; see proc(5), "stat". */
    private static final double TICKS_PER_S = 100;
    // Fields 14 and 15 of proc(5) "stat", counted from after the name in parentheses, which is field 2.
    private static final int UTIME = 11;
    private static final int STIME = 12;
    private static final double BYTES_PER_KIB = 1024;
    private static final double MS_PER_S = 1000;

    private final ContainedPart errors;

    /** Adds its metrics, or throws. */
    @FunctionalInterface
    private interface Source {
        void addTo(List<MetricSnapshot> metrics) throws IOException;
    }

    ProcessCollector(ContainedPart errors) {
        this.errors = errors;
    }

    @Override
    public MetricSnapshots collect() {
        List<MetricSnapshot> metrics = new ArrayList<>();
        for (Source source : List.<Source>of(
                ProcessCollector::addTimes,
                ProcessCollector::addMemory,
                ProcessCollector::addFiles,
                ProcessCollector::addStart,
                ProcessCollector::addJava)) {
            try {
                source.addTo(metrics);
            } catch (Throwable e) {
                // Without a mounted /proc there is nothing to read, which is not an error of ours.
                if (!(e instanceof IOException)) {
                    errors.contain(e);
                }
            }
        }
        return new MetricSnapshots(metrics);
    }

    private static void addTimes(List<MetricSnapshot> metrics) throws IOException {
        String stat = Files.readString(PROC.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        double ticks = Long.parseLong(fields[UTIME]) + (double) Long.parseLong(fields[STIME]);
        metrics.add(CounterSnapshot.builder()
                .name("process_cpu_seconds")
                .help("CPU time of the process")
                .dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                        .value(ticks / TICKS_PER_S)
                        .build())
                .build());
    }

    private static void addMemory(List<MetricSnapshot> metrics) throws IOException {
        for (String line : Files.readAllLines(PROC.resolve("status"))) {
            if (line.startsWith("VmRSS:")) {
                metrics.add(gauge("process_resident_memory_bytes", "Memory in use", number(line) * BYTES_PER_KIB));
            } else if (line.startsWith("VmSize:")) {
                metrics.add(
                        gauge("process_virtual_memory_bytes", "Address space in use", number(line) * BYTES_PER_KIB));
            } else if (line.startsWith("Threads:")) {
                metrics.add(gauge("process_threads", "Threads, those of Java itself included", number(line)));
            }
        }
    }

    /** The first number in a line. */
    private static double number(String line) {
        String[] words = line.split("\\s+", -1);
        for (String word : words) {
            if (!word.isEmpty() && word.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Double.parseDouble(word);
            }
        }
        return Double.NaN; // "unlimited"
    }

    private static void addFiles(List<MetricSnapshot> metrics) throws IOException {
        try (Stream<Path> open = Files.list(PROC.resolve("fd"))) {
            metrics.add(gauge("process_open_fds", "Open file descriptors", (double) open.count()));
        }
        for (String line : Files.readAllLines(PROC.resolve("limits"))) {
            if (line.startsWith("Max open files")) {
                metrics.add(gauge("process_max_fds", "File descriptors that may be open", number(line)));
            }
        }
    }

    private static void addStart(List<MetricSnapshot> metrics) {
        ProcessHandle.current()
                .info()
                .startInstant()
                .ifPresent(start -> metrics.add(gauge(
                        "process_start_time_seconds",
                        "When the process started, in seconds since 1970 UTC",
                        start.toEpochMilli() / MS_PER_S)));
    }

    private static void addJava(List<MetricSnapshot> metrics) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        metrics.add(GaugeSnapshot.builder()
                .name("jvm_memory_used_bytes")
                .help("Memory that Java uses by area")
                .dataPoint(area("heap", heap.getUsed()))
                .dataPoint(area("nonheap", other.getUsed()))
                .build());
        metrics.add(GaugeSnapshot.builder()
                .name("jvm_memory_max_bytes")
                .help("Memory that Java may use by area; -1 for no limit")
                .dataPoint(area("heap", heap.getMax()))
                .dataPoint(area("nonheap", other.getMax()))
                .build());
        SummarySnapshot.Builder collections = SummarySnapshot.builder()
                .name("jvm_gc_collection_seconds")
                .help("Garbage collections and their duration");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections.dataPoint(SummarySnapshot.SummaryDataPointSnapshot.builder()
                    .labels(Labels.of("gc", collector.getName().toLowerCase(Locale.ROOT)))
                    .count(Math.max(0, collector.getCollectionCount()))
                    .sum(Math.max(0, collector.getCollectionTime()) / MS_PER_S)
                    .build());
        }
        metrics.add(collections.build());
    }

    private static GaugeSnapshot.GaugeDataPointSnapshot area(String area, long bytes) {
        return GaugeSnapshot.GaugeDataPointSnapshot.builder()
                .labels(Labels.of("area", area))
                .value((double) bytes)
                .build();
    }

    private static GaugeSnapshot gauge(String name, String help, double value) {
        return GaugeSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .value(value)
                        .build())
                .build();
    }
}
