package org.mavlogd.local.system;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SensorFile;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;

/** A topic with an instance for each sensor of a kind: a few numbers from files of sysfs, and the sensor's name behind them. */
abstract class SensorSource extends SystemSource {
    final SensorList sensors;
    private final TextBuffer text = new TextBuffer(256);
    private final LocalSample sample;
    private long takenNs;

    /** @param topic the numbers; a name of this length follows them */
    SensorSource(SystemSettings settings, Outlet outlet, SensorList sensors, TopicBuilder topic, int nameLength) {
        super(settings, outlet);
        this.sensors = sensors;
        this.sample = topic.text(nameLength, "name").declare(outlet);
    }

    /** Tells {@link #sensors} what there is now. */
    abstract void search();

    /** Fills in the numbers of one sensor, which were just read. */
    void fill(LocalSample into, double[] values) {
        for (double value : values) {
            into.float32((float) value);
        }
    }

    static @Nullable SensorFile sensor(Path file, double factor) {
        return Files.exists(file) ? new SensorFile(file, factor) : null;
    }

    @Override
    public final void read(long nowNs) {
        takenNs = nowNs;
        if (rescan.isDue(nowNs)) {
            sensors.beginSearch();
            search();
            sensors.endSearch();
        }
        sensors.read(text);
    }

    @Override
    public final void publish() {
        for (SensorList.Sensor sensor : sensors.sensors()) {
            fill(sample.begin(sensor.instance, takenNs), sensor.values);
            outlet.publish(sample.text(sensor.name));
        }
    }

    @Override
    public final void close() {
        sensors.close();
    }
}
