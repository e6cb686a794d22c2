package org.mavlogd.local.iio;

import java.util.Map;

/**
 * What a kind of channel measures: the unit in which we publish it, and the factor to there from the unit that the kernel's
 * ABI gives it after scale and offset.
 *
 * @param unit empty where there is none, or where it is not known
 * @see <a href="https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-bus-iio">sysfs-bus-iio</a>
 */
record ChannelKind(String unit, double factor) {
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
