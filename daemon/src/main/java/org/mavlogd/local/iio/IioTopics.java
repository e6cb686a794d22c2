package org.mavlogd.local.iio;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;

/**
 * The topics of devices: {@code iio_<name>}, with an instance for each device of that name and the same channels. Another kind
 * of device of the same name gets {@code iio_<name>_2}. What was declared is used again when a device comes back. Owned by the
 * sampler's thread.
 */
final class IioTopics {
    private static final int MAX_INSTANCES = 256;

    private final Outlet outlet;
    private final List<Topic> topics = new ArrayList<>();

    private record Topic(String name, String fields, LocalSample sample) {}

    IioTopics(Outlet outlet) {
        this.outlet = outlet;
    }

    /** Gives a device its topic and instance; false when there is no room for another topic. */
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
