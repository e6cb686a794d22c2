package org.mavlogd.flight;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.mavlogd.flight.FlightSummary.SampleReader;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;

/**
 * Charge, share and lowest voltage of a vehicle's batteries during a log of PX4 or ArduPilot. Owned by {@link
 * FlightSummary}.
 */
public final class FlightBatteries {
    private static final int MAX_BATTERIES = 16;

    /**
     * The figures of one battery.
     *
     * @param topic topic and instance
     */
    public record Battery(
            String topic, OptionalDouble usedMah, OptionalDouble usedPercent, OptionalDouble minimumVolts) {}

    private final List<BatteryTally> batteries = new ArrayList<>();

    /** A reader of a battery's topic; null if there are too many batteries. */
    @Nullable
    SampleReader reader(Topic topic, TopicLayout layout) {
        BatteryTally tally = batteries.stream()
                .filter(known -> known.topic.equals(topic.toString()))
                .findFirst()
                .orElseGet(() -> new BatteryTally(topic.toString()));
        if (!batteries.contains(tally)) {
            if (batteries.size() == MAX_BATTERIES) {
                return null;
            }
            batteries.add(tally);
        }
        return tally.reader(layout);
    }

    /** The batteries with at least one figure. */
    List<Battery> all() {
        return batteries.stream()
                .map(BatteryTally::result)
                .filter(battery -> battery.usedMah.isPresent()
                        || battery.usedPercent.isPresent()
                        || battery.minimumVolts.isPresent())
                .toList();
    }

    /** The first and last charge, and the lowest voltage. */
    private static final class BatteryTally {
        private static final double LEAST_VOLTS = 0.5;

        private final String topic;
        private double firstMah = Double.NaN;
        private double lastMah = Double.NaN;
        private double firstPercent = Double.NaN;
        private double lastPercent = Double.NaN;
        private double leastVolts = Double.POSITIVE_INFINITY;

        BatteryTally(String topic) {
            this.topic = topic;
        }

        SampleReader reader(TopicLayout layout) {
            Column volts = LogPositions.column(layout, "voltage_v", "Volt");
            Column mah = LogPositions.column(layout, "discharged_mah", "CurrTot");
            Column remaining = LogPositions.column(layout, "remaining");
            Column percent = LogPositions.column(layout, "RemPct");
            Column connected = LogPositions.column(layout, "connected");
            return sample -> {
                if (connected == null || sample.number(connected) != 0) {
                    // Old firmware of ArduPilot logs voltages in hundredths of a volt.
                    onVolts(LogPositions.number(sample, volts, 100));
                    onMah(LogPositions.number(sample, mah, 1));
                    onPercent(
                            remaining == null
                                    ? LogPositions.number(sample, percent, 1)
                                    : 100 * sample.number(remaining));
                }
            };
        }

        private void onVolts(double volts) {
            if (volts >= LEAST_VOLTS) {
                leastVolts = Math.min(leastVolts, volts);
            }
        }

        private void onMah(double mah) {
            if (mah >= 0) {
                firstMah = Double.isNaN(firstMah) ? mah : firstMah;
                lastMah = mah;
            }
        }

        private void onPercent(double percent) {
            if (percent >= 0 && percent <= 100) {
                firstPercent = Double.isNaN(firstPercent) ? percent : firstPercent;
                lastPercent = percent;
            }
        }

        Battery result() {
            return new Battery(
                    topic,
                    known(Math.max(0, lastMah - firstMah)),
                    known(Math.max(0, firstPercent - lastPercent)),
                    known(leastVolts));
        }
    }

    private static OptionalDouble known(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }
}
