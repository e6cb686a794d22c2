package org.mavlogd.local.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SensorFile;
import org.mavlogd.local.SysDirectory;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/**
 * {@code companion_gpu}: load and frequency of each GPU that tells them in sysfs: a Jetson's (in thousandths, under devfreq or
 * as {@code gpu.0}), and those of drm drivers with {@code gpu_busy_percent}.
 */
final class GpuSource extends SensorSource {
    static final int MAX_GPUS = 8;
    static final int NAME_LENGTH = 24;

    private static final double PER_MILLE = 1e-3;
    private static final double PERCENT = 1e-2;

    GpuSource(SystemSettings settings, Outlet outlet) {
        super(
                settings,
                outlet,
                new SensorList("GPUs", MAX_GPUS),
                TopicBuilder.of("companion_gpu")
                        .field(FieldType.FLOAT, "load", "1")
                        .field(FieldType.FLOAT, "frequency", "Hz"),
                NAME_LENGTH);
    }

    @Override
    void search() {
        searchJetson();
        searchDrm();
    }

    private void searchJetson() {
        Set<Path> seen = new HashSet<>();
        for (Path device : SysDirectory.children(root.resolve("sys/class/devfreq"), "")) {
            Path load = device.resolve("device/load");
            if (Files.exists(load) && seen.add(SysDirectory.real(load))) {
                sensors.found(
                        load,
                        device.getFileName().toString(),
                        new SensorFile(load, PER_MILLE),
                        sensor(device.resolve("cur_freq"), 1));
            }
        }
        for (String place : new String[] {"sys/devices/gpu.0", "sys/devices/platform/gpu.0"}) {
            Path load = root.resolve(place).resolve("load");
            if (Files.exists(load) && seen.add(SysDirectory.real(load))) {
                sensors.found(load, "gpu.0", new SensorFile(load, PER_MILLE), null);
            }
        }
    }

    private void searchDrm() {
        for (Path card : SysDirectory.children(root.resolve("sys/class/drm"), "card")) {
            Path load = card.resolve("device/gpu_busy_percent");
            if (Files.exists(load)) {
                sensors.found(load, card.getFileName().toString(), new SensorFile(load, PERCENT), frequency(card));
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
}
