package org.mavlogd.local.iio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.NamePatterns;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.Rescan;
import org.mavlogd.local.SysDirectory;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads every IIO device with a configured name. Devices may appear and vanish: every five seconds they are searched,
 * and their scales read again. A channel that cannot be read is NaN; a device without any readable channel is not
 * published.
 */
public final class IioSource implements TopicSource {
    /**
     * Which devices are read, and how often.
     *
     * @param root directory of {@code sys}: {@code /}, except in tests
     * @param include patterns of device names; others are ignored
     * @param exclude patterns of device names that are ignored nevertheless
     */
    public record Settings(Path root, long periodNs, List<String> include, List<String> exclude) {
        public Settings {
            include = List.copyOf(include);
            exclude = List.copyOf(exclude);
        }

        boolean wants(String device) {
            return NamePatterns.anyFits(include, device) && !NamePatterns.anyFits(exclude, device);
        }
    }

    static final int MAX_DEVICES = 32;

    private static final Logger LOG = LoggerFactory.getLogger(IioSource.class);
    private static final long RESCAN_NS = TimeUnit.SECONDS.toNanos(5);

    private final Settings settings;
    private final Outlet outlet;
    private final NanoClock clock;
    private final IioTopics topics;
    private final TextBuffer text = new TextBuffer(256);
    private final Rescan rescan = new Rescan(RESCAN_NS);
    private final List<IioDevice> devices = new ArrayList<>();
    private final List<IioDevice> readable = new ArrayList<>();
    private boolean tooMany;

    public IioSource(Settings settings, Outlet outlet, NanoClock clock) {
        this.settings = settings;
        this.outlet = outlet;
        this.clock = clock;
        this.topics = new IioTopics(outlet);
    }

    @Override
    public String name() {
        return outlet.source();
    }

    @Override
    public long periodNs() {
        return settings.periodNs();
    }

    @Override
    public void read(long nowNs) throws IOException {
        if (rescan.isDue(nowNs)) {
            search();
        }
        readable.clear();
        for (int i = 0; i < devices.size(); i++) {
            // Reading the devices before, and the scales of all, may have taken long.
            if (devices.get(i).read(text, clock.nanoTime())) {
                readable.add(devices.get(i));
            }
        }
    }

    private void search() {
        List<Path> found = SysDirectory.children(settings.root().resolve("sys/bus/iio/devices"), "iio:device");
        for (Iterator<IioDevice> each = devices.iterator(); each.hasNext(); ) {
            IioDevice device = each.next();
            if (found.contains(device.directory())
                    && IioDevice.name(device.directory()).equals(device.name())) {
                device.readCalibration();
            } else {
                LOG.info("iio: {} is gone", device.name());
                device.close();
                each.remove();
            }
        }
        for (Path directory : found) {
            if (devices.stream().noneMatch(known -> known.directory().equals(directory))) {
                appeared(directory);
            }
        }
    }

    private void appeared(Path directory) {
        String name = IioDevice.name(directory);
        if (name.isEmpty() || !Files.isDirectory(directory) || !settings.wants(name)) {
            return;
        }
        if (devices.size() == MAX_DEVICES) {
            if (!tooMany) {
                tooMany = true;
                LOG.warn("iio: more than {} devices: {} and further devices are not recorded", MAX_DEVICES, name);
            }
            return;
        }
        IioDevice device = IioDevice.open(directory, name);
        if (device.hasChannels()) {
            devices.add(device);
            LOG.info("iio: recording {}", name);
        } else {
            device.close();
        }
    }

    @Override
    public void publish() {
        for (int i = 0; i < readable.size(); i++) {
            IioDevice device = readable.get(i);
            if (device.isPublished() || topics.assign(device, devices)) {
                LocalSample sample = device.sample();
                if (sample != null) {
                    outlet.publish(device.fill(sample));
                }
            }
        }
    }

    @Override
    public void close() {
        devices.forEach(IioDevice::close);
    }

    /**
     * The topics of devices: {@code iio_<name>}, with an instance for each device of that name and the same channels.
     * Another kind of device with the same name gets {@code iio_<name>_2}. A device that comes back uses its topic
     * again. Owned by the sampler's thread.
     */
    private static final class IioTopics {
        private static final int MAX_INSTANCES = 256;

        private final Outlet outlet;
        private final List<Topic> topics = new ArrayList<>();

        private record Topic(String name, String fields, LocalSample sample) {}

        IioTopics(Outlet outlet) {
            this.outlet = outlet;
        }

        /** Assigns topic and instance to a device; false if there is no room for another topic. */
        boolean assign(IioDevice device, List<IioDevice> others) {
            String base = device.topicName();
            String name = base;
            for (int i = 2; ; i++) {
                Topic known = find(name);
                if (known == null) {
                    break;
                }
                if (known.fields().equals(device.fields())) {
                    device.publishAs(known.sample(), freeInstance(known.sample(), others));
                    return true;
                }
                name = base + '_' + i;
            }
            if (!outlet.hasRoom()) {
                return false;
            }
            Topic topic = new Topic(name, device.fields(), device.topic(name).declare(outlet));
            topics.add(topic);
            device.publishAs(topic.sample(), 0);
            return true;
        }

        private @Nullable Topic find(String name) {
            for (Topic topic : topics) {
                if (topic.name().equals(name)) {
                    return topic;
                }
            }
            return null;
        }

        private static int freeInstance(LocalSample sample, List<IioDevice> others) {
            for (int instance = 0; instance < MAX_INSTANCES; instance++) {
                int wanted = instance;
                if (others.stream().noneMatch(other -> other.sample() == sample && other.instance() == wanted)) {
                    return instance;
                }
            }
            throw new IllegalStateException("more devices than instances"); // their number is limited below that
        }
    }
}
