package org.mavlogd.local.system;

import java.nio.file.Files;
import java.nio.file.Path;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SysDirectory;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/**
 * {@code companion_rail}: voltage, current and power of each supply that hwmon measures the current or power of, such as the
 * INA3221 rails of a Jetson. Where only two of the three are measured, the power is their product.
 *
 * @see <a href="https://docs.kernel.org/hwmon/ina3221.html">INA3221</a>
 */
final class RailSource extends SensorSource {
    static final int MAX_RAILS = 32;
    static final int NAME_LENGTH = 32;

    private static final int MAX_CHANNELS = 16;
    private static final double MILLI = 1e-3;
    private static final double MICRO = 1e-6;

    RailSource(SystemSettings settings, Outlet outlet) {
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
