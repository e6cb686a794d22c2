package org.mavlogd.dataflash;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the characters of units and multipliers mean as long as a log has not said so itself.
 *
 * @see <a href="https://github.com/ArduPilot/ardupilot/blob/master/libraries/AP_Logger/README.md">AP_Logger, "Units",
 *     "Multipliers"</a>
 */
final class StandardUnits {
    /** The unit of a field that tells which of several alike devices a record is of. */
    static final char INSTANCE = '#';

    /** Not known, of units as of multipliers. */
    static final char UNKNOWN = '?';

    private static final String UNITS = "A A|a Ah|d deg|b B|B B/s|k deg/s|D deglatitude|e deg/s/s|E rad/s|G Gauss"
            + "|h degheading|i A.s|J W.s|l l|L rad/s/s|m m|n m/s|N N|o m/s/s|O degC|% %|S satellites|s s|t N.m|q rpm"
            + "|r rad|U deglongitude|u ppm|v V|P Pa|w Ohm|W Watt|X W.h|y l/s|Y us|z Hz|# instance";
    private static final String MULTIPLIERS =
            "2 1e2|1 1e1|0 1e0|A 1e-1|B 1e-2|C 1e-3|D 1e-4|E 1e-5|F 1e-6|G 1e-7|I 1e-9" + "|! 3.6|/ 3600";

    private StandardUnits() {}

    static @Nullable String[] labels(int characters) {
        @Nullable String[] labels = new String[characters];
        for (String entry : UNITS.split("\\|", -1)) {
            labels[entry.charAt(0)] = entry.substring(2);
        }
        return labels;
    }

    static double[] multipliers(int characters) {
        double[] multipliers = new double[characters];
        Arrays.fill(multipliers, Double.NaN);
        for (String entry : MULTIPLIERS.split("\\|", -1)) {
            multipliers[entry.charAt(0)] = Double.parseDouble(entry.substring(2));
        }
        return multipliers;
    }
}
