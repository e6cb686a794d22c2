package org.mavlogd.local.iio;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mavlogd.local.SensorFile;
import org.mavlogd.local.SysDirectory;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One input channel of a device. Its value is (raw + offset) * scale, or that of {@code _input} if there is no raw
 * value. Scale and offset may be those of the channel, of all channels of its kind, of all inputs, or of all channels.
 */
final class IioChannel implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IioChannel.class);
    private static final Pattern RAW = Pattern.compile("in_(.+)_raw");
    private static final Pattern INPUT = Pattern.compile("in_(.+)_input");
    private static final Pattern KIND = Pattern.compile("([a-z]+)[0-9]*(?:-[a-z]+[0-9]*)?(?:_.*)?");
    private static final Pattern NUMBER_IN_DIFFERENCE = Pattern.compile("[0-9]+(?=-|$|_)");
    private static final String TIMESTAMP = "timestamp";

    private final String name;
    private final ChannelKind kind;
    private final SensorFile file;
    private final Path device;
    private final List<String> sharers;
    private final boolean raw;
    private final ProblemLog problems = new ProblemLog(LOG);
    private double scale = 1;
    private double offset;

    private IioChannel(Path device, String name, String word, boolean raw) {
        this.device = device;
        this.name = name;
        this.kind = ChannelKind.of(word);
        this.raw = raw;
        this.file = new SensorFile(device.resolve("in_" + name + (raw ? "_raw" : "_input")), 1);
        this.sharers = sharers(name, word);
        readCalibration();
    }

    /** The channel of a file; null if it is another kind of file, or a further one of the same channel. */
    static @Nullable IioChannel of(Path file) {
        String fileName = file.getFileName().toString();
        Matcher raw = RAW.matcher(fileName);
        Matcher input = INPUT.matcher(fileName);
        boolean isRaw = raw.matches();
        if (!isRaw && !input.matches()) {
            return null;
        }
        String name = isRaw ? raw.group(1) : input.group(1);
        Path device = file.resolveSibling(".").normalize();
        boolean second = !isRaw && Files.exists(device.resolve("in_" + name + "_raw"));
        Matcher kind = KIND.matcher(name);
        if (second || name.equals(TIMESTAMP) || !kind.matches()) {
            return null;
        }
        return new IioChannel(device, name, kind.group(1), isRaw);
    }

    /** The prefixes of shared files, from the channel itself to all channels. */
    private static List<String> sharers(String name, String word) {
        List<String> sharers = new ArrayList<>();
        sharers.add("in_" + name + '_');
        int extension = name.indexOf('_');
        if (extension > 0) {
            sharers.add("in_" + name.substring(0, extension) + '_');
        }
        String unnumbered = NUMBER_IN_DIFFERENCE
                .matcher(extension > 0 ? name.substring(0, extension) : name)
                .replaceAll("");
        sharers.add("in_" + unnumbered + '_');
        sharers.add("in_" + word + '_');
        sharers.add("in_");
        sharers.add("");
        return sharers;
    }

    /** Reads scale and offset again, because a driver's range may be changed at any time. */
    void readCalibration() {
        file.retry();
        if (raw) {
            scale = shared("scale", 1);
            offset = shared("offset", 0);
            if (!Double.isNaN(scale + offset)) {
                problems.resolved(device + ": scale and offset of channel " + name + " can be read again");
            } else if (!Thread.currentThread().isInterrupted()) {
                // One message for both: two would alternate, and each would be logged at every search.
                problems.report(device + ": scale or offset of channel " + name
                        + " cannot be read; the channel is NaN until both can be read");
            }
        }
    }

    /** NaN if there is such a file but no number in it: with the default, values would have a wrong unit. */
    private double shared(String what, double byDefault) {
        for (String sharer : sharers) {
            Path shared = device.resolve(sharer + what);
            if (Files.exists(shared)) {
                return new TextBuffer(64).set(SysDirectory.line(shared)).decimal();
            }
        }
        return byDefault;
    }

    /** The name as a field: letters, digits and underscores. */
    String fieldName() {
        return name.replaceAll("[^A-Za-z0-9_]", "_");
    }

    String unit() {
        return kind.unit();
    }

    /** The value in the published unit, or NaN. */
    double read(TextBuffer text) {
        double value = file.read(text);
        return (raw ? (value + offset) * scale : value) * kind.factor();
    }

    @Override
    public void close() {
        file.close();
    }

    /**
     * A kind of channel: the published unit, and the factor from the unit that the kernel's ABI defines for it after
     * scale and offset.
     *
     * @param unit empty if there is none, or if it is not known
     * @see <a href="https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-bus-iio">sysfs-bus-iio</a>
     */
    private record ChannelKind(String unit, double factor) {
        private static final double MILLI = 1e-3;
        private static final ChannelKind UNKNOWN = new ChannelKind("", 1);

        private static final Map<String, ChannelKind> KINDS = Map.ofEntries(
                Map.entry("accel", new ChannelKind("m/s^2", 1)),
                Map.entry("gravity", new ChannelKind("m/s^2", 1)),
                Map.entry("anglvel", new ChannelKind("rad/s", 1)),
                Map.entry("angl", new ChannelKind("rad", 1)),
                Map.entry("incli", new ChannelKind("deg", 1)),
                Map.entry("magn", new ChannelKind("T", 1e-4)), // Gauss
                Map.entry("voltage", new ChannelKind("V", MILLI)),
                Map.entry("altvoltage", new ChannelKind("V", MILLI)),
                Map.entry("current", new ChannelKind("A", MILLI)),
                Map.entry("power", new ChannelKind("W", MILLI)),
                Map.entry("energy", new ChannelKind("J", 1)),
                Map.entry("temp", new ChannelKind("degC", MILLI)),
                Map.entry("pressure", new ChannelKind("Pa", 1e3)), // kPa
                Map.entry("humidityrelative", new ChannelKind("%", MILLI)),
                Map.entry("illuminance", new ChannelKind("lx", 1)),
                Map.entry("distance", new ChannelKind("m", 1)),
                Map.entry("velocity", new ChannelKind("m/s", 1)),
                Map.entry("resistance", new ChannelKind("ohm", 1)),
                Map.entry("capacitance", new ChannelKind("F", 1e-9)), // nF
                Map.entry("electricalconductivity", new ChannelKind("S/m", 1)),
                Map.entry("concentration", new ChannelKind("%", 1)),
                Map.entry("massconcentration", new ChannelKind("ug/m^3", 1)));

        /** By the first word of a channel's name, without its number. */
        static ChannelKind of(String word) {
            return KINDS.getOrDefault(word, UNKNOWN);
        }
    }
}
