package org.mavlogd.local.system;

import java.io.IOException;
import java.nio.file.Files;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Instances;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SmallFile;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/** {@code companion_wifi}: signal of each connected wireless link, from {@code /proc/net/wireless}. */
final class WifiSource extends SystemSource {
    static final int MAX_LINKS = 8;
    static final int NAME_LENGTH = 16;

    private static final int MAX_NAMES = 64;
    private static final int HEADER_LINES = 2;
    // Old drivers give decibels as an unsigned byte; -256 is an unknown level.
    private static final int UNSIGNED_DBM = 64;
    private static final int BYTE_RANGE = 256;

    private final TextBuffer text = new TextBuffer(4 * 1024);
    private final SmallFile file;
    private final Instances instances = new Instances("wireless links", MAX_LINKS);
    private final DeviceTable<WifiLink> devices =
            new DeviceTable<>(MAX_NAMES, name -> new WifiLink(name, instances.of(name)));
    private final LocalSample sample;
    private boolean there;
    private long takenNs;

    private static final class WifiLink extends DeviceTable.Device {
        private double quality;
        private double signal;
        private double noise;
        private long retries;
        private long missedBeacons;

        private WifiLink(String name, int instance) {
            super(name, instance);
        }

        private void take(TextBuffer text) {
            text.skip(); // status
            quality = text.decimal();
            signal = dbm(text.decimal());
            noise = dbm(text.decimal());
            text.skip(3); // discarded: nwid, crypt, frag
            retries = Math.max(0, text.number());
            text.skip(); // discarded: misc
            missedBeacons = Math.max(0, text.number());
            present = true;
        }

        private static double dbm(double level) {
            double dbm = level >= UNSIGNED_DBM ? level - BYTE_RANGE : level;
            return dbm <= -BYTE_RANGE ? Double.NaN : dbm;
        }
    }

    WifiSource(SystemSettings settings, Outlet outlet) {
        super(settings, outlet);
        this.file = new SmallFile(root.resolve("proc/net/wireless"));
        this.sample = TopicBuilder.of("companion_wifi")
                .field(FieldType.FLOAT, "signal", "dBm")
                .field(FieldType.FLOAT, "noise", "dBm")
                .field(FieldType.FLOAT, "link_quality")
                .field(FieldType.UINT32, "retries")
                .field(FieldType.UINT32, "missed_beacons")
                .text(NAME_LENGTH, "name")
                .declare(outlet);
    }

    @Override
    public void read(long nowNs) throws IOException {
        takenNs = nowNs;
        if (rescan.isDue(nowNs)) {
            there = Files.exists(file.path()); // missing if the kernel has no wireless links
        }
        devices.begin();
        if (!there) {
            return;
        }
        file.read(text);
        for (int line = 0; !text.isAtEnd(); line++) {
            WifiLink device = line < HEADER_LINES ? null : devices.take(text);
            if (device != null) {
                device.take(text);
            }
            text.nextLine();
        }
    }

    @Override
    public void publish() {
        for (WifiLink device : devices.devices()) {
            if (device.present && device.instance != Instances.NONE) {
                outlet.publish(sample.begin(device.instance, takenNs)
                        .float32((float) device.signal)
                        .float32((float) device.noise)
                        .float32((float) device.quality)
                        .integer(device.retries)
                        .integer(device.missedBeacons)
                        .text(device.name));
            }
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
