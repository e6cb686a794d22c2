package org.mavlogd.local.system;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Instances;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SmallFile;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/**
 * {@code companion_disk}: the traffic of each disk, without partitions and disks in memory. Rates are means since the
 * previous sample; the first sample has none.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/iostats.html">I/O statistics fields</a>
 */
final class DiskSource extends SystemSource {
    static final int MAX_DISKS = 16;
    static final int NAME_LENGTH = 16;

    private static final int MAX_DEVICES = 512;
    private static final int SECTOR = 512;
    private static final double MILLI = 1e-3;
    private static final double NANO = 1e-9;
    private static final Pattern NO_DISK = Pattern.compile("(loop|ram|zram|dm-|sr|fd|mtdblock|nbd)[0-9]+");

    private final TextBuffer text = new TextBuffer(32 * 1024);
    private final SmallFile file;
    private final Instances instances = new Instances("disks", MAX_DISKS);
    private final DeviceTable<Disk> devices = new DeviceTable<>(MAX_DEVICES, this::disk);
    private final LocalSample sample;
    private long takenNs;

    private static final class Disk extends DeviceTable.Device {
        private boolean measured;
        private long atNs;
        private long readBytes;
        private long writtenBytes;
        private long writes;
        private long writeMs;
        private long busyMs;
        private double readRate;
        private double writeRate;
        private double busy;
        private double writeLatency;

        private Disk(String name, int instance) {
            super(name, instance);
        }

        /** Reads the columns after the name. */
        private void take(TextBuffer text, long nowNs) {
            text.skip(2); // reads, merged reads
            long newRead = Math.max(0, text.number()) * SECTOR;
            text.skip(); // time of reads
            long newWrites = Math.max(0, text.number());
            text.skip(); // merged writes
            long newWritten = Math.max(0, text.number()) * SECTOR;
            long newWriteMs = Math.max(0, text.number());
            text.skip(); // in flight
            long newBusyMs = Math.max(0, text.number());
            // The figures of a disk that was plugged in again start at 0.
            measured &= newRead >= readBytes && newWritten >= writtenBytes && newBusyMs >= busyMs;
            double seconds = measured ? (nowNs - atNs) * NANO : Double.NaN;
            readRate = (newRead - readBytes) / seconds;
            writeRate = (newWritten - writtenBytes) / seconds;
            busy = Math.min(1, (newBusyMs - busyMs) * MILLI / seconds);
            writeLatency =
                    measured && newWrites > writes ? (newWriteMs - writeMs) * MILLI / (newWrites - writes) : Double.NaN;
            readBytes = newRead;
            writtenBytes = newWritten;
            writes = newWrites;
            writeMs = newWriteMs;
            busyMs = newBusyMs;
            atNs = nowNs;
            measured = true;
            present = true;
        }
    }

    DiskSource(SystemSettings settings, Outlet outlet) {
        super(settings, outlet);
        this.file = new SmallFile(root.resolve("proc/diskstats"));
        this.sample = TopicBuilder.of("companion_disk")
                .field(FieldType.UINT64, "read", "B")
                .field(FieldType.UINT64, "written", "B")
                .field(FieldType.FLOAT, "read_rate", "B/s")
                .field(FieldType.FLOAT, "write_rate", "B/s")
                .field(FieldType.FLOAT, "busy", "1")
                .field(FieldType.FLOAT, "write_latency", "s")
                .text(NAME_LENGTH, "name")
                .declare(outlet);
    }

    @Override
    public void read(long nowNs) throws IOException {
        takenNs = nowNs;
        file.read(text);
        devices.begin();
        while (!text.isAtEnd()) {
            text.skip(2); // major and minor number
            Disk device = devices.take(text);
            if (device != null && device.instance != Instances.NONE) {
                device.take(text, nowNs);
            }
            text.nextLine();
        }
        forgetRatesOfAbsent();
    }

    private void forgetRatesOfAbsent() {
        for (int i = 0; i < devices.devices().size(); i++) {
            devices.devices().get(i).measured &= devices.devices().get(i).present;
        }
    }

    private Disk disk(String name) {
        boolean whole = !NO_DISK.matcher(name).matches()
                && Files.isDirectory(root.resolve("sys/block").resolve(name));
        return new Disk(name, whole ? instances.of(name) : Instances.NONE);
    }

    @Override
    public void publish() {
        for (Disk device : devices.devices()) {
            if (device.present) {
                outlet.publish(sample.begin(device.instance, takenNs)
                        .integer(device.readBytes)
                        .integer(device.writtenBytes)
                        .float32((float) device.readRate)
                        .float32((float) device.writeRate)
                        .float32((float) device.busy)
                        .float32((float) device.writeLatency)
                        .text(device.name));
            }
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
