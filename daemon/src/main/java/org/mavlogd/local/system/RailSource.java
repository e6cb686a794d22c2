package org.mavlogd.local.system;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SensorFile;
import org.mavlogd.local.SysDirectory;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/**
 * {@code companion_rail}: voltage, current and power of each supply that hwmon measures the current or power of, such as the
 * INA3221 rails of a Jetson. Where only two of the three are measured, the power is their product.
 *
 * @see <a href="https://docs.kernel.org/hwmon/ina3221.html">INA3221</a>
 */
final class RailSource extends SystemSource {
    static final int MAX_RAILS = 32;
    static final int NAME_LENGTH = 32;

    private static final int MAX_CHANNELS = 16;
    private static final double MILLI = 1e-3;
    private static final double MICRO = 1e-6;

    private final TextBuffer text = new TextBuffer(256);
    private final SensorList rails = new SensorList("supply rails", MAX_RAILS);
    private final LocalSample sample;
    private long takenNs;

    RailSource(SystemSettings settings, Outlet outlet) {
        super(settings, outlet);
        this.sample = TopicBuilder.of("companion_rail")
                .field(FieldType.FLOAT, "voltage", "V")
                .field(FieldType.FLOAT, "current", "A")
                .field(FieldType.FLOAT, "power", "W")
                .text(NAME_LENGTH, "name")
                .declare(outlet);
    }

    @Override
    public void read(long nowNs) {
        takenNs = nowNs;
        if (rescan.isDue(nowNs)) {
            rails.beginSearch();
            for (Path hwmon : SysDirectory.children(root.resolve("sys/class/hwmon"), "hwmon")) {
                String name = SysDirectory.line(hwmon.resolve("name"));
                for (int channel = 1; channel <= MAX_CHANNELS; channel++) {
                    search(hwmon, name, channel);
                }
            }
            rails.endSearch();
        }
        rails.read(text);
    }

    private void search(Path hwmon, String name, int channel) {
        Path current = hwmon.resolve("curr" + channel + "_input");
        Path power = hwmon.resolve("power" + channel + "_input");
        if (!Files.exists(current) && !Files.exists(power)) {
            return;
        }
        Path voltage = hwmon.resolve("in" + channel + "_input");
        String label = label(hwmon, channel);
        rails.found(
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

    private static @Nullable SensorFile sensor(Path file, double factor) {
        return Files.exists(file) ? new SensorFile(file, factor) : null;
    }

    @Override
    public void publish() {
        for (SensorList.Sensor rail : rails.sensors()) {
            double voltage = rail.values[0];
            double current = rail.values[1];
            double power = Double.isNaN(rail.values[2]) ? voltage * current : rail.values[2];
            outlet.publish(sample.begin(rail.instance, takenNs)
                    .float32((float) voltage)
                    .float32((float) current)
                    .float32((float) power)
                    .text(rail.name));
        }
    }

    @Override
    public void close() {
        rails.close();
    }
}
