package org.mavlogd.local.system;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Instances;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SmallFile;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/**
 * {@code companion_network}: the traffic and errors of each network link, without loopback and the links of containers.
 * Rates are means since the previous sample; the first sample has none.
 */
final class NetworkSource extends SystemSource {
    static final int MAX_LINKS = 16;
    static final int NAME_LENGTH = 16;

    private static final int MAX_NAMES = 256;
    private static final int COLUMNS = 16;
    private static final int RECEIVED = 0;
    private static final int SENT = 8;
    private static final int HEADER_LINES = 2;
    private static final double NANO = 1e-9;
    private static final Pattern NO_LINK = Pattern.compile("lo|(veth|docker|br-|virbr|dummy|ifb|sit|tunl).*");

    private final TextBuffer text = new TextBuffer(16 * 1024);
    private final TextBuffer stateText = new TextBuffer(64);
    private final SmallFile file;
    private final Instances instances = new Instances("network links", MAX_LINKS);
    private final DeviceTable<NetworkLink> devices = new DeviceTable<>(MAX_NAMES, this::link);
    private final LocalSample sample;
    private long takenNs;

    private static final class NetworkLink extends DeviceTable.Device {
        private final SmallFile state;
        private final long[] columns = new long[COLUMNS];
        private boolean measured;
        private boolean up;
        private long atNs;
        private double receiveRate;
        private double sendRate;

        private NetworkLink(String name, int instance, SmallFile state) {
            super(name, instance);
            this.state = state;
        }

        private void take(TextBuffer text, long nowNs) {
            long received = columns[RECEIVED];
            long sent = columns[SENT];
            for (int i = 0; i < COLUMNS; i++) {
                columns[i] = Math.max(0, text.number());
            }
            double seconds = measured ? (nowNs - atNs) * NANO : Double.NaN;
            receiveRate = rate(columns[RECEIVED] - received, seconds);
            sendRate = rate(columns[SENT] - sent, seconds);
            atNs = nowNs;
            measured = true;
            present = true;
        }

        /** NaN if a counter decreased, because its driver restarted. */
        private static double rate(long bytes, double seconds) {
            return bytes < 0 ? Double.NaN : bytes / seconds;
        }
    }

    NetworkSource(SystemSettings settings, Outlet outlet) {
        super(settings, outlet);
        this.file = new SmallFile(root.resolve("proc/net/dev"));
        TopicBuilder topic = TopicBuilder.of("companion_network")
                .field(FieldType.UINT64, "received", "B")
                .field(FieldType.UINT64, "sent", "B")
                .field(FieldType.FLOAT, "receive_rate", "B/s")
                .field(FieldType.FLOAT, "send_rate", "B/s");
        for (String side : new String[] {"receive", "send"}) {
            topic.field(FieldType.UINT64, side + "_packets")
                    .field(FieldType.UINT64, side + "_errors")
                    .field(FieldType.UINT64, side + "_drops");
        }
        this.sample =
                topic.field(FieldType.BOOL, "up").text(NAME_LENGTH, "name").declare(outlet);
    }

    @Override
    public void read(long nowNs) throws IOException {
        takenNs = nowNs;
        file.read(text);
        devices.begin();
        for (int line = 0; !text.isAtEnd(); line++) {
            NetworkLink device = line < HEADER_LINES ? null : devices.take(text);
            if (device != null && device.instance != Instances.NONE) {
                device.take(text, nowNs);
                device.up = isUp(device.state);
            }
            text.nextLine();
        }
        for (int i = 0; i < devices.devices().size(); i++) {
            NetworkLink device = devices.devices().get(i);
            if (device.measured && !device.present) {
                device.measured = false;
                device.state.close();
            }
        }
    }

    /** Drivers that do not know the state, such as those of tunnels, report "unknown". */
    private boolean isUp(SmallFile state) {
        try {
            state.read(stateText);
            return stateText.takeWord("up") || stateText.takeWord("unknown");
        } catch (IOException e) {
            return false; // gone since /proc/net/dev was read
        }
    }

    private NetworkLink link(String name) {
        int instance = NO_LINK.matcher(name).matches() ? Instances.NONE : instances.of(name);
        return new NetworkLink(name, instance, new SmallFile(stateFile(name)));
    }

    private Path stateFile(String name) {
        return root.resolve("sys/class/net").resolve(name).resolve("operstate");
    }

    @Override
    public void publish() {
        for (NetworkLink device : devices.devices()) {
            if (device.present) {
                sample.begin(device.instance, takenNs)
                        .integer(device.columns[RECEIVED])
                        .integer(device.columns[SENT])
                        .float32((float) device.receiveRate)
                        .float32((float) device.sendRate);
                for (int side : new int[] {RECEIVED, SENT}) {
                    for (int column = 1; column <= 3; column++) {
                        sample.integer(device.columns[side + column]);
                    }
                }
                outlet.publish(sample.bool(device.up).text(device.name));
            }
        }
    }

    @Override
    public void close() {
        file.close();
        devices.devices().forEach(device -> device.state.close());
    }
}
