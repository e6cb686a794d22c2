package org.mavlogd.flight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.flight.FlightSummary.SampleReader;
import org.mavlogd.flight.LogPositions.Fix;
import org.mavlogd.logtools.TopicReader;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;

/**
 * The track of a vehicle, reduced to at most {@value #MAX_POINTS} points with about equal distances.
 *
 * <p>Pass it the contents of a log, then query the source that {@link FlightWay} found best. Memory: the points of each
 * topic with positions, at most 33.
 */
public final class FlightTrack implements TopicReader {
    public static final int MAX_POINTS = 1000;

    private static final int IDS = 65_536;
    private static final double STEP_M = 0.05;
    private static final String RELATIVE = "";

    /** A position in metres from the first one; the ground speed may be NaN. */
    public record Point(long timestampUs, double eastM, double northM, double speedMS) {}

    private final @Nullable SampleReader[] byId = new SampleReader[IDS];
    private final Map<String, Thinned> sources = new HashMap<>();
    // Rank and last value of the best topic with a speed: PX4's global position has none.
    private int speedRank = Integer.MAX_VALUE;
    private double speedMS = Double.NaN;

    @Override
    public void onTopic(Topic topic) {
        byId[topic.messageId()] = reader(topic);
    }

    @Override
    public boolean reads(Topic topic) {
        return byId[topic.messageId()] != null;
    }

    private @Nullable SampleReader reader(Topic topic) {
        LogPositions.Reader places = LogPositions.reader(topic);
        if (places == null) {
            return null;
        }
        Thinned points = sources.computeIfAbsent(places.topic(), name -> new Thinned());
        LogPositions.Reader relative = LogPositions.relativeReader(topic);
        if (relative == null) {
            return sample -> points.onSample(places, sample);
        }
        Thinned withoutPlace = sources.computeIfAbsent(RELATIVE, name -> new Thinned());
        return sample -> {
            points.onSample(places, sample);
            withoutPlace.onSample(relative, sample);
        };
    }

    private void onSpeed(int rank, double metresPerSecond) {
        if (rank >= 0 && rank <= speedRank && !Double.isNaN(metresPerSecond)) {
            speedRank = rank;
            speedMS = metresPerSecond;
        }
    }

    /** Hot path. */
    @Override
    public void onSample(SampleView sample) {
        SampleReader reader = byId[sample.topic().messageId()];
        if (reader != null) {
            reader.read(sample);
        }
    }

    /**
     * The points of a source named in {@link FlightWay.Result}; without one those of the local position, whose place on
     * earth is unknown.
     */
    public List<Point> points(Optional<String> source) {
        Thinned points = sources.get(source.orElse(RELATIVE));
        return points == null ? List.of() : points.points();
    }

    /**
     * Keeps fixes that are at least one step from the last kept one; when there are too many, drops every second one
     * and doubles the step.
     */
    private final class Thinned {
        private final Fix fix = new Fix();
        private final Fix kept = new Fix();
        private long[] timesUs = new long[16];
        private double[] latitudes = new double[16];
        private double[] longitudes = new double[16];
        private double[] speeds = new double[16];
        private int size;
        private double stepM = STEP_M;

        void onSample(LogPositions.Reader reader, SampleView sample) {
            boolean hasPosition = reader.read(sample, fix);
            onSpeed(reader.speedRank(), fix.speedMS());
            if (!hasPosition || (size > 0 && kept.distanceM(fix) < stepM)) {
                return;
            }
            if (size == MAX_POINTS) {
                thin();
            }
            if (size == timesUs.length) {
                grow();
            }
            add();
        }

        private void add() {
            timesUs[size] = fix.timestampUs();
            latitudes[size] = fix.latitude();
            longitudes[size] = fix.longitude();
            speeds[size++] = Double.isNaN(fix.speedMS()) ? speedMS : fix.speedMS();
            kept.copy(fix);
        }

        private void thin() {
            stepM *= 2;
            size /= 2;
            for (int i = 0; i < size; i++) {
                timesUs[i] = timesUs[2 * i];
                latitudes[i] = latitudes[2 * i];
                longitudes[i] = longitudes[2 * i];
                speeds[i] = speeds[2 * i];
            }
        }

        private void grow() {
            int larger = Math.min(MAX_POINTS, 2 * size);
            timesUs = Arrays.copyOf(timesUs, larger);
            latitudes = Arrays.copyOf(latitudes, larger);
            longitudes = Arrays.copyOf(longitudes, larger);
            speeds = Arrays.copyOf(speeds, larger);
        }

        /** Projects to a plane: accurate enough for a picture of up to some hundred kilometres. */
        List<Point> points() {
            List<Point> points = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                double north = Math.toRadians(latitudes[i] - latitudes[0]) * Fix.EARTH_RADIUS_M;
                double east = Math.toRadians(Math.IEEEremainder(longitudes[i] - longitudes[0], 360))
                        * Fix.EARTH_RADIUS_M
                        * Math.cos(Math.toRadians(latitudes[0]));
                points.add(new Point(timesUs[i], east, north, speeds[i]));
            }
            return points;
        }
    }
}
