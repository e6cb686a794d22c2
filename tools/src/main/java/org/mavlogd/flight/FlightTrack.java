package org.mavlogd.flight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogHandler;

/**
 * The way of a vehicle as a few points, for a small picture: of the best source of positions in a log, evenly thinned. Give it
 * what a reader gives, then ask. Samples: hot path, allocates nothing.
 */
public final class FlightTrack implements ULogHandler {
    private static final int IDS = 65_536;
    private static final double METRES_PER_DEGREE = 111_195;

    private final int maxPoints;
    private final @Nullable Source[] byId = new Source[IDS];
    private final List<Source> sources = new ArrayList<>();
    private final LogPositions.Fix fix = new LogPositions.Fix();

    /** @param east metres from the first point */
    public record Point(double east, double north) {}

    /** @param maxPoints at least 2 */
    public FlightTrack(int maxPoints) {
        this.maxPoints = maxPoints;
    }

    @Override
    public void onTopic(Topic topic) {
        LogPositions.Reader reader = LogPositions.reader(topic);
        byId[topic.messageId()] = reader == null ? null : source(reader);
    }

    private Source source(LogPositions.Reader reader) {
        for (Source known : sources) {
            if (known.reader.topic().equals(reader.topic())) {
                return known;
            }
        }
        Source source = new Source(reader, maxPoints);
        sources.add(source);
        return source;
    }

    @Override
    public void onSample(SampleView sample) {
        Source source = byId[sample.topic().messageId()];
        if (source != null && source.reader.read(sample, fix)) {
            source.add(fix.latitude(), fix.longitude());
        }
    }

    /** In the order of the log; none if it has no positions. */
    public List<Point> points() {
        return sources.stream()
                .filter(source -> source.size > 0)
                .min(Comparator.comparingInt(source -> source.reader.rank()))
                .map(Source::points)
                .orElse(List.of());
    }

    private static final class Source {
        private final LogPositions.Reader reader;
        private final double[] latitudes;
        private final double[] longitudes;
        private int size;
        private long every = 1;
        private long seen;

        Source(LogPositions.Reader reader, int maxPoints) {
            this.reader = reader;
            latitudes = new double[maxPoints];
            longitudes = new double[maxPoints];
        }

        void add(double latitude, double longitude) {
            if (seen++ % every != 0) {
                return;
            }
            if (size == latitudes.length) {
                halve();
                if ((seen - 1) % every != 0) {
                    return;
                }
            }
            latitudes[size] = latitude;
            longitudes[size++] = longitude;
        }

        private void halve() {
            for (int i = 0; 2 * i < size; i++) {
                latitudes[i] = latitudes[2 * i];
                longitudes[i] = longitudes[2 * i];
            }
            size = (size + 1) / 2;
            every *= 2;
        }

        private List<Point> points() {
            double narrow = Math.cos(Math.toRadians(latitudes[0]));
            Point[] points = new Point[size];
            for (int i = 0; i < size; i++) {
                double east = (longitudes[i] - longitudes[0]) * narrow * METRES_PER_DEGREE;
                points[i] = new Point(east, (latitudes[i] - latitudes[0]) * METRES_PER_DEGREE);
            }
            return Arrays.asList(points);
        }
    }
}
