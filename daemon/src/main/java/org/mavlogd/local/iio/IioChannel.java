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

/**
 * One input channel of a device. Its value is (raw + offset) * scale, or what {@code _input} says where there is no raw. Scale
 * and offset may stand for the channel alone or be shared by all of its kind, by all inputs, or by all channels.
 */
final class IioChannel implements AutoCloseable {
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

    /** The channel that a file belongs to; null when it is another kind of file, or a second one of the same channel. */
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

    /** From the channel alone to all channels, as the kernel names what they share. */
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

    /** A driver's range, and with it the scale, may be changed while we measure. */
    void readCalibration() {
        file.retry();
        if (raw) {
            scale = shared("scale", 1);
            offset = shared("offset", 0);
        }
    }

    private double shared(String what, double byDefault) {
        for (String sharer : sharers) {
            String text = SysDirectory.line(device.resolve(sharer + what));
            if (!text.isEmpty()) {
                double value = new TextBuffer(64).set(text).decimal();
                return Double.isNaN(value) ? byDefault : value;
            }
        }
        return byDefault;
    }

    /** As a field's name: letters, digits and underscores. */
    String fieldName() {
        return name.replaceAll("[^A-Za-z0-9_]", "_");
    }

    String unit() {
        return kind.unit();
    }

    /** The value in our unit, or NaN. */
    double read(TextBuffer text) {
        double value = file.read(text);
        return (raw ? (value + offset) * scale : value) * kind.factor();
    }

    @Override
    public void close() {
        file.close();
    }

    /**
     * What a kind of channel measures: the unit in which we publish it, and the factor to there from the unit that the kernel's
     * ABI gives it after scale and offset.
     *
     * @param unit empty where there is none, or where it is not known
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
