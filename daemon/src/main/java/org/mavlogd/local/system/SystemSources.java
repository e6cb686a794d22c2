package org.mavlogd.local.system;

import java.util.ArrayList;
import java.util.List;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.TopicSource;
import org.mavlogd.metrics.Metrics;

/** Makes the sources of this package. */
public final class SystemSources {
    private static final String PREFIX = "system.";

    private SystemSources() {}

    /** All that are not excluded, with their topics declared. To be called before the publisher's thread runs. */
    public static List<TopicSource> create(
            SystemSettings settings, LocalPublisher publisher, Metrics metrics, RecorderHealth health) {
        List<TopicSource> sources = new ArrayList<>();
        for (String topic : SystemSettings.TOPICS) {
            if (!settings.exclude().contains(topic)) {
                Outlet outlet = new Outlet(PREFIX + topic, publisher, metrics);
                sources.add(source(topic, settings, outlet, health));
            }
        }
        return sources;
    }

    private static TopicSource source(String topic, SystemSettings settings, Outlet outlet, RecorderHealth health) {
        return switch (topic) {
            case "cpu" -> new CpuSource(settings, outlet);
            case "memory" -> new MemorySource(settings, outlet);
            case "temperature" -> new TemperatureSource(settings, outlet);
            case "storage" -> new StorageSource(settings, outlet);
            case "disk" -> new DiskSource(settings, outlet);
            case "network" -> new NetworkSource(settings, outlet);
            case "wifi" -> new WifiSource(settings, outlet);
            case "throttling" -> new ThrottlingSource(settings, outlet);
            case "gpu" -> new GpuSource(settings, outlet);
            case "rail" -> new RailSource(settings, outlet);
            case "recorder" -> new RecorderSource(settings, outlet, health);
            default -> throw new IllegalArgumentException("no source for \"" + topic + '"');
        };
    }
}
