package org.mavlogd.local.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
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
 * A topic with an instance for each sensor of a kind: a few numbers from files of sysfs, then the sensor's name. The
 * kinds are nested here.
 */
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

    /** Reports all present sensors to {@link #sensors}. */
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

    /**
     * {@code companion_temperature}: an instance for each thermal zone and each temperature input of hwmon. Zones that
     * the kernel also shows in hwmon are recorded once.
     *
     * @see <a href="https://docs.kernel.org/driver-api/thermal/sysfs-api.html">thermal zones</a>
     * @see <a href="https://docs.kernel.org/hwmon/sysfs-interface.html">hwmon</a>
     */
    static final class Temperatures extends SensorSource {
        static final int MAX_SENSORS = 64;
        static final int NAME_LENGTH = 32;

        private static final double MILLI = 1e-3;

        Temperatures(SystemSettings settings, Outlet outlet) {
            super(
                    settings,
                    outlet,
                    new SensorList("temperature sensors", MAX_SENSORS),
                    TopicBuilder.of("companion_temperature").field(FieldType.FLOAT, "temperature", "degC"),
                    NAME_LENGTH);
        }

        @Override
        void search() {
            Set<String> zones = searchZones();
            for (Path hwmon : SysDirectory.children(root.resolve("sys/class/hwmon"), "hwmon")) {
                searchHwmon(hwmon, zones);
            }
        }

        private Set<String> searchZones() {
            Set<String> zones = new HashSet<>();
            for (Path zone : SysDirectory.children(root.resolve("sys/class/thermal"), "thermal_zone")) {
                String type = SysDirectory.line(zone.resolve("type"));
                Path file = zone.resolve("temp");
                if (!type.isEmpty() && Files.exists(file)) {
                    sensors.found(file, type, new SensorFile(file, MILLI));
                    zones.add(hwmonName(type));
                }
            }
            return zones;
        }

        /** The name that the kernel gives a zone's hwmon device: thermal_hwmon.c, thermal_add_hwmon_sysfs. */
        private static String hwmonName(String zoneType) {
            return zoneType.replace('-', '_').toLowerCase(Locale.ROOT);
        }

        private void searchHwmon(Path hwmon, Set<String> zones) {
            String name = SysDirectory.line(hwmon.resolve("name"));
            if (zones.contains(hwmonName(name))) {
                return;
            }
            for (Path input : SysDirectory.children(hwmon, "temp")) {
                String file = input.getFileName().toString();
                if (file.endsWith("_input")) {
                    String channel = file.substring(0, file.length() - "_input".length());
                    String label = SysDirectory.line(hwmon.resolve(channel + "_label"));
                    sensors.found(
                            input, name + ' ' + (label.isEmpty() ? channel : label), new SensorFile(input, MILLI));
                }
            }
        }
    }

    /**
     * {@code companion_rail}: voltage, current and power of each supply that hwmon measures the current or power of,
     * such as the INA3221 rails of a Jetson. If only voltage and current are measured, the power is their product.
     *
     * @see <a href="https://docs.kernel.org/hwmon/ina3221.html">INA3221</a>
     */
    static final class Rails extends SensorSource {
        static final int MAX_RAILS = 32;
        static final int NAME_LENGTH = 32;

        private static final int MAX_CHANNELS = 16;
        private static final double MILLI = 1e-3;
        private static final double MICRO = 1e-6;

        Rails(SystemSettings settings, Outlet outlet) {
            super(
                    settings,
                    outlet,
                    new SensorList("supply rails", MAX_RAILS),
                    TopicBuilder.of("companion_rail")
                            .field(FieldType.FLOAT, "voltage", "V")
                            .field(FieldType.FLOAT, "current", "A")
                            .field(FieldType.FLOAT, "power", "W"),
                    NAME_LENGTH);
        }

        @Override
        void search() {
            for (Path hwmon : SysDirectory.children(root.resolve("sys/class/hwmon"), "hwmon")) {
                String name = SysDirectory.line(hwmon.resolve("name"));
                for (int channel = 1; channel <= MAX_CHANNELS; channel++) {
                    search(hwmon, name, channel);
                }
            }
        }

        private void search(Path hwmon, String name, int channel) {
            Path current = hwmon.resolve("curr" + channel + "_input");
            Path power = hwmon.resolve("power" + channel + "_input");
            if (!Files.exists(current) && !Files.exists(power)) {
                return;
            }
            Path voltage = hwmon.resolve("in" + channel + "_input");
            String label = label(hwmon, channel);
            sensors.found(
                    hwmon.resolve("rail" + channel),
                    label.isEmpty() ? name + ' ' + channel : label,
                    sensor(voltage, MILLI),
                    sensor(current, MILLI),
                    sensor(power, MICRO));
        }

        private static String label(Path hwmon, int channel) {
            for (String kind : new String[] {"in", "curr", "power"}) {
                String label = SysDirectory.line(hwmon.resolve(kind + channel + "_label"));
                if (!label.isEmpty()) {
                    return label;
                }
            }
            return "";
        }

        @Override
        void fill(LocalSample into, double[] values) {
            double voltage = values[0];
            double current = values[1];
            double power = Double.isNaN(values[2]) ? voltage * current : values[2];
            into.float32((float) voltage).float32((float) current).float32((float) power);
        }
    }

    /**
     * {@code companion_gpu}: load and frequency of each GPU that reports them in sysfs: a Jetson's (in thousandths,
     * under devfreq or as {@code gpu.0}), and those of drm drivers with {@code gpu_busy_percent}.
     */
    static final class Gpus extends SensorSource {
        static final int MAX_GPUS = 8;
        static final int NAME_LENGTH = 24;

        private static final double PER_MILLE = 1e-3;
        private static final double PERCENT = 1e-2;

        Gpus(SystemSettings settings, Outlet outlet) {
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
}
