package org.mavlogd.local.system;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SmallFile;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.local.TopicSource;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.ulog.FieldType;

/** Makes the sources of this package. The small ones are nested here. */
public final class SystemSources {
    private static final String PREFIX = "system.";

    private SystemSources() {}

    /**
     * Makes all sources that are not excluded, with their topics declared. Must be called before the publisher's thread
     * runs.
     */
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
            case "temperature" -> new SensorSource.Temperatures(settings, outlet);
            case "storage" -> new StorageSource(settings, outlet);
            case "disk" -> new DiskSource(settings, outlet);
            case "network" -> new NetworkSource(settings, outlet);
            case "wifi" -> new WifiSource(settings, outlet);
            case "throttling" -> new ThrottlingSource(settings, outlet);
            case "gpu" -> new SensorSource.Gpus(settings, outlet);
            case "rail" -> new SensorSource.Rails(settings, outlet);
            case "recorder" -> new RecorderSource(settings, outlet, health);
            default -> throw new IllegalArgumentException("no source for \"" + topic + '"');
        };
    }

    /** The state of the recorder itself. Called by the sampler's reading thread; any thread may call any method. */
    public interface RecorderHealth {
        /** Share of the fullest ring in use, 0 to 1. */
        double ringFill();

        /** Bytes stored since the start, in all logs. */
        long storedBytes();

        /** Log chunks lost since the start, for any reason. */
        long lostChunks();

        /** Received bytes that could not be stored. */
        long discardedBytes();

        /** Gaps marked in logs. */
        long dropouts();

        /** Local samples lost because a ring was full. */
        long lostSamples();

        /** Longest write to a log file since the last call, in seconds; NaN if there was none. */
        double takeLongestWriteSeconds();
    }

    /** {@code companion_recorder}: the recorder's own health. */
    private static final class RecorderSource extends SystemSource {
        private final RecorderHealth health;
        private final LocalSample sample;
        private double ringFill;
        private double longestWrite;
        private long storedBytes;
        private long lostChunks;
        private long discardedBytes;
        private long dropouts;
        private long lostSamples;
        private long takenNs;

        RecorderSource(SystemSettings settings, Outlet outlet, RecorderHealth health) {
            super(settings, outlet);
            this.health = health;
            this.sample = TopicBuilder.of("companion_recorder")
                    .field(FieldType.FLOAT, "ring_fill", "1")
                    .field(FieldType.FLOAT, "longest_write", "s")
                    .field(FieldType.UINT64, "stored", "B")
                    .field(FieldType.UINT64, "discarded", "B")
                    .field(FieldType.UINT64, "lost_chunks")
                    .field(FieldType.UINT64, "dropouts")
                    .field(FieldType.UINT64, "lost_samples")
                    .declare(outlet);
        }

        @Override
        public void read(long nowNs) {
            takenNs = nowNs;
            ringFill = health.ringFill();
            longestWrite = health.takeLongestWriteSeconds();
            storedBytes = health.storedBytes();
            discardedBytes = health.discardedBytes();
            lostChunks = health.lostChunks();
            dropouts = health.dropouts();
            lostSamples = health.lostSamples();
        }

        @Override
        public void publish() {
            outlet.publish(sample.begin(0, takenNs)
                    .float32((float) ringFill)
                    .float32((float) longestWrite)
                    .integer(storedBytes)
                    .integer(discardedBytes)
                    .integer(lostChunks)
                    .integer(dropouts)
                    .integer(lostSamples));
        }

        @Override
        public void close() {
            // It has no open files.
        }
    }

    /** {@code companion_storage}: the file system of the logs. Reading it may hang if it is on a network. */
    private static final class StorageSource extends SystemSource {
        private final File directory;
        private final LocalSample sample;
        private long total;
        private long available;
        private long takenNs;

        StorageSource(SystemSettings settings, Outlet outlet) {
            super(settings, outlet);
            this.directory = settings.logDirectory().toFile();
            this.sample = TopicBuilder.of("companion_storage")
                    .field(FieldType.UINT64, "total", "B")
                    .field(FieldType.UINT64, "available", "B")
                    .declare(outlet);
        }

        @Override
        public void read(long nowNs) throws IOException {
            takenNs = nowNs;
            total = directory.getTotalSpace();
            available = directory.getUsableSpace();
            if (total == 0) {
                readParent();
            }
        }

        /** The directory may be missing until the first log. */
        private void readParent() throws IOException {
            Path parent = directory.toPath().toAbsolutePath().getParent();
            while (total == 0 && parent != null) {
                total = parent.toFile().getTotalSpace();
                available = parent.toFile().getUsableSpace();
                parent = parent.getParent();
            }
            if (total == 0) {
                throw new IOException(directory + ": the size of its file system is not known");
            }
        }

        @Override
        public void publish() {
            outlet.publish(sample.begin(0, takenNs).integer(total).integer(available));
        }

        @Override
        public void close() {
            // It has no open files.
        }
    }

    /** {@code companion_memory}, in bytes, from {@code /proc/meminfo}. */
    private static final class MemorySource extends SystemSource {
        private static final long KIB = 1024;
        private static final String[] KEYS = {
            "MemTotal", "MemAvailable", "MemFree", "Cached", "Dirty", "SwapTotal", "SwapFree"
        };
        private static final String[] FIELDS = {
            "total", "available", "free", "cached", "dirty", "swap_total", "swap_free"
        };

        private final TextBuffer text = new TextBuffer(8 * 1024);
        private final SmallFile file;
        private final LocalSample sample;
        private final long[] values = new long[KEYS.length];
        private long takenNs;

        MemorySource(SystemSettings settings, Outlet outlet) {
            super(settings, outlet);
            this.file = new SmallFile(root.resolve("proc/meminfo"));
            TopicBuilder topic = TopicBuilder.of("companion_memory");
            for (String field : FIELDS) {
                topic.field(FieldType.UINT64, field, "B");
            }
            this.sample = topic.declare(outlet);
        }

        @Override
        public void read(long nowNs) throws IOException {
            takenNs = nowNs;
            file.read(text);
            Arrays.fill(values, 0);
            boolean any = false;
            while (!text.isAtEnd()) {
                for (int i = 0; i < KEYS.length; i++) {
                    if (text.takeWord(KEYS[i])) {
                        values[i] = Math.max(0, text.number()) * KIB;
                        any = true;
                        break;
                    }
                }
                text.nextLine();
            }
            if (!any) {
                throw new IOException(file.path() + ": no memory figures in it");
            }
        }

        @Override
        public void publish() {
            sample.begin(0, takenNs);
            for (long value : values) {
                sample.integer(value);
            }
            outlet.publish(sample);
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
