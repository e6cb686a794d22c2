package org.mavlogd.local.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SmallFile;
import org.mavlogd.local.SysDirectory;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/**
 * {@code companion_throttling} of a Raspberry Pi: the firmware's flags, or, if the kernel does not provide them, only
 * the under-voltage alarm of hwmon. Not published on other computers.
 *
 * @see <a href="https://www.raspberrypi.com/documentation/computers/os.html#get_throttled">get_throttled</a>
 */
final class ThrottlingSource extends SystemSource {
    private static final String[] NOW = {"under_voltage", "frequency_capped", "throttled", "soft_temperature_limit"};
    private static final int SINCE_BOOT = 16; // the same flags, once they were set

    private final TextBuffer text = new TextBuffer(64);
    private final LocalSample sample;
    private @Nullable SmallFile file;
    private boolean isAlarm;
    private long flags;
    private boolean measured;
    private long takenNs;

    ThrottlingSource(SystemSettings settings, Outlet outlet) {
        super(settings, outlet);
        TopicBuilder topic = TopicBuilder.of("companion_throttling");
        for (String field : NOW) {
            topic.field(FieldType.BOOL, field);
        }
        for (String field : NOW) {
            topic.field(FieldType.BOOL, field + "_since_boot");
        }
        this.sample = topic.field(FieldType.UINT32, "flags").declare(outlet);
    }

    @Override
    public void read(long nowNs) throws IOException {
        takenNs = nowNs;
        if (file == null && rescan.isDue(nowNs)) {
            search();
        }
        SmallFile open = file;
        measured = false;
        if (open == null) {
            return;
        }
        open.read(text);
        long value = text.hexNumber();
        if (value == TextBuffer.NONE) {
            throw new IOException(open.path() + ": not a hexadecimal number");
        }
        flags = isAlarm ? remembered(value & 1) : value;
        measured = true;
    }

    /** Adds the flag since boot, because the driver does not remember the alarm, which is the first flag. */
    private long remembered(long alarm) {
        long everSince = (flags >> SINCE_BOOT) | alarm;
        return alarm | (everSince << SINCE_BOOT);
    }

    private void search() {
        for (Path device :
                SysDirectory.children(root.resolve("sys/bus/platform/drivers/raspberrypi-firmware"), "soc")) {
            take(device.resolve("get_throttled"), false);
        }
        take(root.resolve("sys/devices/platform/soc/soc:firmware/get_throttled"), false);
        for (Path hwmon : SysDirectory.children(root.resolve("sys/class/hwmon"), "hwmon")) {
            if (SysDirectory.line(hwmon.resolve("name")).equals("rpi_volt")) {
                take(hwmon.resolve("in0_lcrit_alarm"), true);
            }
        }
    }

    private void take(Path path, boolean alarm) {
        if (file == null && Files.isReadable(path)) {
            file = new SmallFile(path);
            isAlarm = alarm;
        }
    }

    @Override
    public void publish() {
        if (!measured) {
            return;
        }
        sample.begin(0, takenNs);
        for (int bit = 0; bit < NOW.length; bit++) {
            sample.bool(isSet(bit));
        }
        for (int bit = 0; bit < NOW.length; bit++) {
            sample.bool(isSet(bit + SINCE_BOOT));
        }
        outlet.publish(sample.integer(flags));
    }

    private boolean isSet(int bit) {
        return ((flags >> bit) & 1) != 0;
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
