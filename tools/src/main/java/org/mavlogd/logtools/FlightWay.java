package org.mavlogd.logtools;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.FlightSummary.SampleReader;
import org.mavlogd.logtools.LogPositions.Fix;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;

/**
 * How far, fast and high a vehicle went during a log, and which topic tells it best. Owned by {@link FlightSummary}. Memory: some
 * numbers for each topic with positions.
 */
public final class FlightWay {
    /**
     * How far, fast and high a vehicle went.
     *
     * @param source topic and instance of the positions; empty if there are none
     * @param maximumSpeedMS over ground
     * @param maximumAltitudeM above sea level
     * @param maximumHeightM above the first position
     */
    public record Result(
            Optional<String> source,
            OptionalDouble distanceM,
            OptionalDouble maximumSpeedMS,
            OptionalDouble maximumAltitudeM,
            OptionalDouble maximumHeightM) {}

    private final List<PositionTally> positions = new ArrayList<>();

    /** A reader of a topic with positions; null for any other topic. */
    @Nullable
    SampleReader reader(Topic topic, BooleanSupplier isArmed) {
        LogPositions.Reader reader = LogPositions.reader(topic);
        if (reader == null) {
            return null;
        }
        PositionTally tally = positions.stream()
                .filter(known -> known.reader.topic().equals(reader.topic()))
                .findFirst()
                .orElseGet(() -> new PositionTally(reader));
        if (!positions.contains(tally)) {
            positions.add(tally);
        }
        return sample -> tally.onSample(reader, sample, isArmed.getAsBoolean());
    }

    /** While armed only, or in the whole log. */
    Result result(boolean isArmedOnly) {
        Optional<PositionTally> source = source();
        Optional<Motion> motion = source.map(tally -> isArmedOnly ? tally.armed : tally.whole)
                .filter(way -> way.fixes > 0);
        return new Result(
                source.map(tally -> tally.reader.topic()),
                motion.map(way -> OptionalDouble.of(way.distanceM)).orElse(OptionalDouble.empty()),
                maximumSpeedMS(isArmedOnly),
                motion.map(way -> known(way.maximumAltitudeM)).orElse(OptionalDouble.empty()),
                motion.map(way -> known(way.maximumAltitudeM - way.startAltitudeM))
                        .orElse(OptionalDouble.empty()));
    }

    private OptionalDouble maximumSpeedMS(boolean isArmedOnly) {
        return positions.stream()
                .filter(tally -> tally.reader.speedRank() >= 0 && tally.whole.hasSpeed())
                .min(Comparator.comparingInt(tally -> tally.reader.speedRank()))
                .map(tally -> known((isArmedOnly ? tally.armed : tally.whole).maximumSpeedMS))
                .orElse(OptionalDouble.empty());
    }

    /** The best source, but none that has positions for less than half the time that another has. */
    private Optional<PositionTally> source() {
        long longestUs = positions.stream()
                .mapToLong(tally -> tally.whole.coveredUs)
                .max()
                .orElse(0);
        return positions.stream()
                .filter(tally -> tally.whole.fixes > 0 && tally.whole.coveredUs >= longestUs / 2)
                .min(Comparator.comparingInt(tally -> tally.reader.rank()));
    }

    private static OptionalDouble known(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /** What a source of positions tells, in the whole log and while armed. */
    private static final class PositionTally {
        private final LogPositions.Reader reader;
        private final Fix fix = new Fix();
        private final Motion whole = new Motion();
        private final Motion armed = new Motion();

        PositionTally(LogPositions.Reader reader) {
            this.reader = reader;
        }

        /** Hot path. */
        void onSample(LogPositions.Reader current, SampleView sample, boolean isArmed) {
            boolean hasPosition = current.read(sample, fix);
            whole.onFix(fix, hasPosition);
            if (isArmed) {
                armed.onFix(fix, hasPosition);
            }
        }
    }

    /** Adds up a way. Steps below a metre are joined, so that the noise of a vehicle at rest is no way. */
    private static final class Motion {
        private static final double STEP_M = 1;
        private static final long GAP_US = 10_000_000;

        // Where the way was last added up.
        private final Fix counted = new Fix();
        private long latestUs;
        private long fixes;
        private long coveredUs;
        private double distanceM;
        private double startAltitudeM = Double.NaN;
        private double maximumAltitudeM = Double.NEGATIVE_INFINITY;
        private double maximumSpeedMS = Double.NEGATIVE_INFINITY;

        /** Hot path. */
        void onFix(Fix fix, boolean hasPosition) {
            maximumSpeedMS = Double.isNaN(fix.speedMS()) ? maximumSpeedMS : Math.max(maximumSpeedMS, fix.speedMS());
            if (!hasPosition) {
                return;
            }
            if (fix.hasAltitude()) {
                startAltitudeM = Double.isNaN(startAltitudeM) ? fix.altitudeM() : startAltitudeM;
                maximumAltitudeM = Math.max(maximumAltitudeM, fix.altitudeM());
            }
            if (fixes++ == 0) {
                counted.copy(fix);
            } else {
                move(fix);
            }
            latestUs = fix.timestampUs();
        }

        private void move(Fix fix) {
            long sinceUs = fix.timestampUs() - latestUs;
            coveredUs += sinceUs > 0 && sinceUs < GAP_US ? sinceUs : 0;
            double step = counted.distanceM(fix);
            if (step < STEP_M) {
                return;
            }
            if (!fix.isJumpFrom(counted)) {
                distanceM += step;
            }
            counted.copy(fix);
        }

        boolean hasSpeed() {
            return maximumSpeedMS >= 0;
        }
    }
}
