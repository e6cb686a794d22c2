package org.mavlogd.local.iio;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.SysDirectory;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/** An IIO device and its last readings. Owned by one thread at a time. */
final class IioDevice implements AutoCloseable {
    static final int MAX_CHANNELS = 64;

    private static final int MAX_NAME = 48;

    private final Path directory;
    private final String name;
    private final List<IioChannel> channels = new ArrayList<>();
    private final double[] values;
    private long takenNs;
    private @Nullable LocalSample sample;
    private int instance;

    private IioDevice(Path directory, String name) {
        this.directory = directory;
        this.name = name;
        for (Path file : SysDirectory.children(directory, "in_")) {
            IioChannel channel = channels.size() < MAX_CHANNELS ? IioChannel.of(file) : null;
            if (channel != null) {
                channels.add(channel);
            }
        }
        this.values = new double[channels.size()];
    }

    static IioDevice open(Path directory, String name) {
        return new IioDevice(directory, name);
    }

    /** The driver's name, with the device's label if it has one. */
    static String name(Path directory) {
        String label = SysDirectory.line(directory.resolve("label"));
        String name = SysDirectory.line(directory.resolve("name"));
        return label.isEmpty() ? name : name + '-' + label;
    }

    Path directory() {
        return directory;
    }

    String name() {
        return name;
    }

    boolean hasChannels() {
        return !channels.isEmpty();
    }

    void readCalibration() {
        channels.forEach(IioChannel::readCalibration);
    }

    /** Reads all channels; false if none could be read. */
    boolean read(TextBuffer text, long nowNs) {
        takenNs = nowNs;
        boolean any = false;
        for (int i = 0; i < values.length; i++) {
            values[i] = channels.get(i).read(text);
            any |= !Double.isNaN(values[i]);
        }
        return any;
    }

    /** The topic's fields after the timestamp, one for each channel. */
    TopicBuilder topic(String topicName) {
        TopicBuilder topic = TopicBuilder.of(topicName);
        for (IioChannel channel : channels) {
            topic.field(FieldType.FLOAT, channel.fieldName(), channel.unit());
        }
        return topic;
    }

    /** The fields, which distinguish it from devices of other kinds with the same name. */
    String fields() {
        return topic("x").format().text();
    }

    String topicName() {
        String plain = name.replaceAll("[^A-Za-z0-9]+", "_").toLowerCase(Locale.ROOT);
        return "iio_" + plain.substring(0, Math.min(plain.length(), MAX_NAME));
    }

    void publishAs(LocalSample newSample, int newInstance) {
        sample = newSample;
        instance = newInstance;
    }

    boolean isPublished() {
        return sample != null;
    }

    int instance() {
        return instance;
    }

    @Nullable
    LocalSample sample() {
        return sample;
    }

    /** Fills a sample with the last readings. */
    LocalSample fill(LocalSample target) {
        target.begin(instance, takenNs);
        for (double value : values) {
            target.float32((float) value);
        }
        return target;
    }

    @Override
    public void close() {
        channels.forEach(IioChannel::close);
    }
}
