package org.mavlogd.local.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SensorFile;
import org.mavlogd.local.SysDirectory;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/**
 * {@code companion_temperature}: an instance for each thermal zone and each temperature input of hwmon. A zone that hwmon
 * shows too, as the kernel does with zones, is there once.
 *
 * @see <a href="https://docs.kernel.org/driver-api/thermal/sysfs-api.html">thermal zones</a>
 * @see <a href="https://docs.kernel.org/hwmon/sysfs-interface.html">hwmon</a>
 */
final class TemperatureSource extends SensorSource {
    static final int MAX_SENSORS = 64;
    static final int NAME_LENGTH = 32;

    private static final double MILLI = 1e-3;

    TemperatureSource(SystemSettings settings, Outlet outlet) {
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

    /** As the kernel names a zone's hwmon device: thermal_hwmon.c, thermal_add_hwmon_sysfs. */
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
                sensors.found(input, name + ' ' + (label.isEmpty() ? channel : label), new SensorFile(input, MILLI));
            }
        }
    }
}
