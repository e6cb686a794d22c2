package org.mavlogd.local.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SensorFile;
import org.mavlogd.local.SysDirectory;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/**
 * {@code companion_gpu}: load and frequency of each GPU that tells them in sysfs: a Jetson's (in thousandths, under devfreq or
 * as {@code gpu.0}), and those of drm drivers with {@code gpu_busy_percent}.
 */
final class GpuSource extends SystemSource {
    static final int MAX_GPUS = 8;
    static final int NAME_LENGTH = 24;

    private static final double PER_MILLE = 1e-3;
    private static final double PERCENT = 1e-2;

    private final TextBuffer text = new TextBuffer(256);
    private final SensorList gpus = new SensorList("GPUs", MAX_GPUS);
    private final LocalSample sample;
    private long takenNs;

    GpuSource(SystemSettings settings, Outlet outlet) {
        super(settings, outlet);
        this.sample = TopicBuilder.of("companion_gpu")
                .field(FieldType.FLOAT, "load", "1")
                .field(FieldType.FLOAT, "frequency", "Hz")
                .text(NAME_LENGTH, "name")
                .declare(outlet);
    }

    @Override
    public void read(long nowNs) {
        takenNs = nowNs;
        if (rescan.isDue(nowNs)) {
            gpus.beginSearch();
            searchJetson();
            searchDrm();
            gpus.endSearch();
        }
        gpus.read(text);
    }

    private void searchJetson() {
        Set<Path> seen = new HashSet<>();
        for (Path device : SysDirectory.children(root.resolve("sys/class/devfreq"), "")) {
            Path load = device.resolve("device/load");
            if (Files.exists(load) && seen.add(SysDirectory.real(load))) {
                gpus.found(
                        load,
                        device.getFileName().toString(),
                        new SensorFile(load, PER_MILLE),
                        sensor(device.resolve("cur_freq"), 1));
            }
        }
        for (String place : new String[] {"sys/devices/gpu.0", "sys/devices/platform/gpu.0"}) {
            Path load = root.resolve(place).resolve("load");
            if (Files.exists(load) && seen.add(SysDirectory.real(load))) {
                gpus.found(load, "gpu.0", new SensorFile(load, PER_MILLE), null);
            }
        }
    }

    private void searchDrm() {
        for (Path card : SysDirectory.children(root.resolve("sys/class/drm"), "card")) {
            Path load = card.resolve("device/gpu_busy_percent");
            if (Files.exists(load)) {
                gpus.found(load, card.getFileName().toString(), new SensorFile(load, PERCENT), frequency(card));
            }
        }
    }

    /** Label "sclk" of the driver's hwmon, in Hz. */
    private static @Nullable SensorFile frequency(Path card) {
        for (Path hwmon : SysDirectory.children(card.resolve("device/hwmon"), "hwmon")) {
            return sensor(hwmon.resolve("freq1_input"), 1);
        }
        return null;
    }

    private static @Nullable SensorFile sensor(Path file, double factor) {
        return Files.exists(file) ? new SensorFile(file, factor) : null;
    }

    @Override
    public void publish() {
        for (SensorList.Sensor gpu : gpus.sensors()) {
            outlet.publish(sample.begin(gpu.instance, takenNs)
                    .float32((float) gpu.values[0])
                    .float32((float) gpu.values[1])
                    .text(gpu.name));
        }
    }

    @Override
    public void close() {
        gpus.close();
    }
}
