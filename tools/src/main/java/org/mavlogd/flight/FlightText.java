package org.mavlogd.flight;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mavlogd.text.Words;

/** The summary of a flight as rows of text. */
public final class FlightText {
    private FlightText() {}

    /** Passes on each row with its name; rows without data are empty. */
    public static void rows(FlightSummary flight, BiConsumer<String, String> row) {
        List<FlightSummary.Interval> armed = flight.armed();
        if (flight.knowsArming()) {
            String often = armed.size() < 2 ? "" : " in " + Words.number(armed.size()) + " intervals";
            row.accept("Armed", armed.isEmpty() ? "never" : Words.duration(flight.armedUs()) + often);
        }
        FlightWay.Result way = flight.way();
        row.accept(
                "Distance",
                joined(measure("", way.distanceM(), 0, "m"), measure("up to ", way.maximumSpeedMS(), 1, "m/s")));
        row.accept(
                "Altitude",
                joined(
                        measure("up to ", way.maximumHeightM(), 1, "m above start"),
                        measure("up to ", way.maximumAltitudeM(), 1, "m above sea level")));
        List<FlightBatteries.Battery> batteries = flight.batteries();
        for (FlightBatteries.Battery battery : batteries) {
            row.accept(
                    batteries.size() == 1 ? "Battery" : "Battery " + (batteries.indexOf(battery) + 1), text(battery));
        }
    }

    private static String text(FlightBatteries.Battery battery) {
        return joined(
                measure("used ", battery.usedMah(), 0, "mAh"),
                measure("used ", battery.usedPercent(), 0, "%"),
                measure("not below ", battery.minimumVolts(), 2, "V"));
    }

    private static String measure(String before, OptionalDouble value, int digits, String unit) {
        return value.isEmpty()
                ? ""
                : before + String.format(Locale.US, "%,." + digits + "f", value.getAsDouble()) + " " + unit;
    }

    /** Joins the parts that are not empty with commas. */
    public static String joined(String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    }
}
