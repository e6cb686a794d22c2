package org.mavlogd.flight;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mavlogd.flight.FlightSummary.Interval;
import org.mavlogd.flight.LogPositions.Fix;
import org.mavlogd.flight.TrackWaypoints.Waypoint;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;

/**
 * Writes the track of a vehicle for maps, with its modes and messages as waypoints.
 *
 * <p>Reads the log three times: for the modes, the messages and the best source of positions; for the places of the
 * waypoints, which come before the track; for the track. Memory is that of {@link TrackWaypoints} for logs of any size.
 */
public final class TrackExport {
    private static final int READINGS = 3;

    /** Positions of one segment are closer together in time. */
    private static final long GAP_US = 3_000_000;

    // XML Schema allows no more digits of the year.
    private static final int MAX_YEAR = 9999;

    /** A file format. */
    public enum Format {
        GPX,
        KML;

        private TrackWriter writer(XmlText out) {
            return this == GPX ? new GpxTrack(out) : new KmlTrack(out);
        }
    }

    /** Writes one file format: header, waypoints, track. Times are in ISO 8601, or empty if unknown. */
    interface TrackWriter {
        /**
         * Starts the file.
         *
         * @param creator name and version of the writing program
         * @param name of the log
         */
        void begin(String creator, String name) throws IOException;

        void waypoints(List<Waypoint> waypoints, Times times) throws IOException;

        /**
         * Starts the track; all points follow.
         *
         * @param source topic and instance of the positions
         */
        void beginTrack(String source) throws IOException;

        /**
         * Adds a position.
         *
         * @param isFirst whether it starts a segment
         */
        void point(Fix fix, String time, String mode, boolean isFirst) throws IOException;

        void end() throws IOException;
    }

    /** Converts a time of the log to UTC; empty if unknown. */
    @FunctionalInterface
    interface Times {
        String text(long timestampUs);
    }

    /**
     * The result of an export.
     *
     * @param source topic and instance of the positions
     * @param leftOut number of messages omitted because there are too many
     * @param isUtc whether the log's UTC is known; otherwise the track has no times
     */
    public record Result(
            String source, long points, long segments, int waypoints, long leftOut, boolean isUtc, LogDamage damage) {
        /** The result in one line. */
        public String text() {
            return Words.count(points, "position") + " of " + source + " in " + Words.count(segments, "segment") + ", "
                    + Words.count(waypoints, "waypoint")
                    + (leftOut == 0 ? "" : ", " + Words.count(leftOut, "more message") + " left out")
                    + (isUtc ? "" : "; the log has no UTC: the track has no times");
        }
    }

    private final Path log;
    private final long firstUs;
    private final long lastUs;
    private final Progress progress;
    private final TrackWaypoints waypoints = new TrackWaypoints();
    private int readings;

    private TrackExport(Path log, TimeRange range, Progress progress) {
        this.log = log;
        this.firstUs = range.firstUs(0, new UtcReference());
        this.lastUs = range.lastUs(0, new UtcReference());
        this.progress = progress;
    }

    /**
     * Exports the track of a log.
     *
     * @param creator name and version of the writing program
     * @param out committed only when everything is written
     * @throws ULogException if it is not a log, is refused, or has no position
     */
    public static Result export(Path log, Format format, String creator, OutputFile out, Progress progress)
            throws IOException {
        Result result;
        try (OutputFile.Sink sink = new OutputFile.Sink(out)) {
            result = write(log, format, creator, TimeRange.ALL, stream(sink), progress);
            sink.flush();
        }
        out.commit();
        return result;
    }

    /**
     * Writes the track of a log to a stream, which stays open. Writes nothing before a position is found.
     *
     * @param creator name and version of the writing program
     * @param range in times since boot
     * @throws ULogException if it is not a log, is refused, or has no position in the range
     */
    public static Result write(
            Path log, Format format, String creator, TimeRange range, OutputStream out, Progress progress)
            throws IOException {
        String name = String.valueOf(log.getFileName());
        return LogSource.readAgain(log, file -> {
            TrackExport export = new TrackExport(file, range, progress);
            String source = export.survey();
            Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
            TrackWriter writer = format.writer(new XmlText(text));
            writer.begin(creator, name);
            Result result = export.write(writer, source);
            writer.end();
            text.flush();
            return result;
        });
    }

    private static OutputStream stream(OutputFile.Sink sink) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                sink.write(ByteBuffer.wrap(bytes, offset, length));
            }
        };
    }

    /** Reads everything but the track; returns the source of its positions. */
    private String survey() throws IOException {
        read(waypoints.survey());
        waypoints.surveyed();
        String source = waypoints
                .summary()
                .way()
                .source()
                .orElseThrow(() -> new ULogException("it holds no valid position of the vehicle"));
        Positions positions = new Positions(source, (fix, isFirst) -> waypoints.onFix(fix));
        read(positions);
        if (positions.points == 0) {
            throw new ULogException("it holds no valid position of the vehicle in this time");
        }
        return source;
    }

    private boolean isInRange(long timestampUs) {
        return timestampUs >= firstUs && timestampUs <= lastUs;
    }

    private Result write(TrackWriter writer, String source) throws IOException {
        List<Waypoint> placed = waypoints.placed().stream()
                .filter(waypoint -> isInRange(waypoint.timestampUs()))
                .toList();
        writer.waypoints(placed, this::time);
        writer.beginTrack(source);
        ModeTrack mode = new ModeTrack(waypoints.modes());
        Positions positions = new Positions(
                source,
                (fix, isFirst) -> writer.point(fix, time(fix.timestampUs()), mode.at(fix.timestampUs()), isFirst));
        read(positions);
        boolean isUtc = waypoints.messages().utcAt(0).isPresent();
        return new Result(
                source,
                positions.points,
                positions.segments,
                placed.size(),
                waypoints.leftOut(),
                isUtc,
                positions.damage());
    }

    private void read(ULogHandler handler) throws IOException {
        int before = readings++;
        LogSource.read(log, handler, (done, total) -> progress.onProgress(before * total + done, READINGS * total));
    }

    private String time(long timestampUs) {
        return waypoints
                .messages()
                .utcAt(timestampUs)
                .map(instant -> instant.truncatedTo(ChronoUnit.MILLIS))
                .filter(instant -> instant.isAfter(Instant.EPOCH)
                        && instant.atOffset(ZoneOffset.UTC).getYear() <= MAX_YEAR)
                .map(Instant::toString)
                .orElse("");
    }

    /** Takes a position; {@code isFirst} if it is not connected to the previous one. */
    @FunctionalInterface
    private interface OnPosition {
        void accept(Fix fix, boolean isFirst) throws IOException;
    }

    /** Passes on the positions of one source in the order of their times, divided at gaps. */
    private final class Positions extends LogDamage.Tally {
        private final String source;
        private final OnPosition target;
        private final Fix fix = new Fix();
        private final Fix before = new Fix();
        private @Nullable Topic topic;
        private LogPositions.@Nullable Reader reader;
        private long points;
        private long segments;

        Positions(String source, OnPosition target) {
            this.source = source;
            this.target = target;
        }

        @Override
        public void onTopic(Topic announced) {
            LogPositions.Reader found = LogPositions.reader(announced);
            if (found != null && found.topic().equals(source)) {
                topic = announced;
                reader = found;
            }
        }

        @Override
        public void onSample(SampleView sample) throws IOException {
            if (sample.topic() != topic
                    || reader == null
                    || !reader.read(sample, fix)
                    || !isInRange(fix.timestampUs())) {
                return;
            }
            long sinceUs = fix.timestampUs() - before.timestampUs();
            boolean isFirst = points == 0 || Math.abs(sinceUs) >= GAP_US || fix.isJumpFrom(before);
            if (sinceUs <= 0 && !isFirst) {
                return; // late or repeated
            }
            points++;
            segments += isFirst ? 1 : 0;
            target.accept(fix, isFirst);
            before.copy(fix);
        }
    }

    /** Returns the mode at increasing times. */
    private static final class ModeTrack {
        private final List<Interval> modes;
        private int next;

        ModeTrack(List<Interval> modes) {
            this.modes = modes;
        }

        String at(long timestampUs) {
            while (next < modes.size() && modes.get(next).fromUs() <= timestampUs) {
                next++;
            }
            return next == 0 ? "" : modes.get(next - 1).name();
        }
    }
}
