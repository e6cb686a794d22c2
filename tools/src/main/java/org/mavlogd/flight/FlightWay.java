package org.mavlogd.flight;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.flight.FlightSummary.SampleReader;
import org.mavlogd.flight.LogPositions.Fix;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;

/**
 * Distance, speed and height of a vehicle during a log, from the best topic for them. Owned by {@link FlightSummary}.
 * Memory: some numbers for each topic with positions.
 */
public final class FlightWay {
    /**
     * Distance, speed and height of a flight.
     *
     * @param source topic and instance of the positions; empty if there are none
     * @param maximumSpeedMS ground speed
     * @param maximumAltitudeM above sea level
     * @param maximumHeightM above the first position
     */
    public record Result(
            Optional<String> source,
            OptionalDouble distanceM,
            OptionalDouble maximumSpeedMS,
            OptionalDouble maximumAltitudeM,
            OptionalDouble maximumHeightM) {}

    private static final int LEAST_SHARE = 10;

    private final List<Source> sources = new ArrayList<>();
    private final PositionTally withoutPlace = new PositionTally();

    /** A reader of a topic with positions; null for any other topic. */
    @Nullable
    SampleReader reader(Topic topic, BooleanSupplier isArmed) {
        LogPositions.Reader reader = LogPositions.reader(topic);
        if (reader == null) {
            return null;
        }
        LogPositions.Reader relative = LogPositions.relativeReader(topic);
        PositionTally places = tally(reader);
        if (relative == null) {
            return sample -> places.onSample(reader, sample, isArmed.getAsBoolean());
        }
        return sample -> {
            if (!places.onSample(reader, sample, isArmed.getAsBoolean())) {
                withoutPlace.onSample(relative, sample, isArmed.getAsBoolean());
            }
        };
    }

    private PositionTally tally(LogPositions.Reader reader) {
        for (Source known : sources) {
            if (known.reader.topic().equals(reader.topic())) {
                return known.tally;
            }
        }
        Source source = new Source(reader, new PositionTally());
        sources.add(source);
        return source.tally;
    }

    /** The result while armed; of the complete log if the vehicle never was. */
    Result result() {
        Optional<Source> source = source();
        Motion motion = source.map(Source::tally).orElse(withoutPlace).motion;
        return new Result(
                source.map(best -> best.reader.topic()),
                motion.fixes > 0 ? OptionalDouble.of(motion.distanceM) : OptionalDouble.empty(),
                maximumSpeedMS(),
                source.isPresent() ? known(motion.maximumAltitudeM) : OptionalDouble.empty(),
                known(motion.maximumAltitudeM - motion.startAltitudeM));
    }

    private OptionalDouble maximumSpeedMS() {
        return sources.stream()
                .filter(source -> source.reader.speedRank() >= 0 && source.tally.motion.hasSpeed())
                .min(Comparator.comparingInt(source -> source.reader.speedRank()))
                .map(source -> known(source.tally.motion.maximumSpeedMS))
                .orElse(OptionalDouble.empty());
    }

    /** The best source, excluding those with positions for less than a tenth of the time of another one. */
    private Optional<Source> source() {
        long longestUs = sources.stream()
                .filter(source -> !source.reader.isSimulated())
                .mapToLong(source -> source.tally.coveredUs)
                .max()
                .orElse(0);
        return sources.stream()
                .filter(source -> source.tally.fixes > 0 && source.tally.coveredUs >= longestUs / LEAST_SHARE)
                .min(Comparator.comparingInt(source -> source.reader.rank()));
    }

    private static OptionalDouble known(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /** A topic with positions, and its figures. */
    private record Source(LogPositions.Reader reader, PositionTally tally) {}

    /** The figures of positions: while armed once the vehicle has been armed, until then for the complete log. */
    private static final class PositionTally {
        private static final long GAP_US = 10_000_000;

        private final Fix fix = new Fix();
        private final Motion motion = new Motion();
        private boolean isArmedOnly;
        private long fixes;
        private long latestUs;
        private long coveredUs;

        /** Returns whether the sample has a position. Hot path. */
        boolean onSample(LogPositions.Reader reader, SampleView sample, boolean isArmed) {
            boolean hasPosition = reader.read(sample, fix);
            if (hasPosition) {
                count();
            }
            if (isArmed && !isArmedOnly) {
                isArmedOnly = true;
                motion.clear();
            }
            if (isArmed || !isArmedOnly) {
                motion.onFix(fix, hasPosition);
            }
            return hasPosition;
        }

        private void count() {
            long sinceUs = fix.timestampUs() - latestUs;
            coveredUs += fixes > 0 && sinceUs > 0 && sinceUs < GAP_US ? sinceUs : 0;
            latestUs = fix.timestampUs();
            fixes++;
        }
    }

    /** Adds up a distance. Steps below 0.1 m are joined, so that the noise of a vehicle at rest adds no distance. */
    private static final class Motion {
        private static final double STEP_M = 0.1;

        // Position up to which the distance has been added.
        private final Fix counted = new Fix();
        private long fixes;
        private double distanceM;
        private double startAltitudeM;
        private double maximumAltitudeM;
        private double maximumSpeedMS;

        Motion() {
            clear();
        }

        void clear() {
            fixes = 0;
            distanceM = 0;
            startAltitudeM = Double.NaN;
            maximumAltitudeM = Double.NEGATIVE_INFINITY;
            maximumSpeedMS = Double.NEGATIVE_INFINITY;
        }

        /** Hot path. */
        void onFix(Fix fix, boolean hasPosition) {
            maximumSpeedMS = fix.speedMS() > maximumSpeedMS ? fix.speedMS() : maximumSpeedMS;
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
        }

        private void move(Fix fix) {
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
