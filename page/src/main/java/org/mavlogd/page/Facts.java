package org.mavlogd.page;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.mavlogd.flight.FlightSummary;
import org.mavlogd.flight.FlightTrack;
import org.mavlogd.flight.FlightWay;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.series.LogReading;
import org.mavlogd.series.SeriesStore.Wanted;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogAppender;
import org.mavlogd.ulog.ULogException;

/** Facts in the list of logs that require reading the log. */
final class Facts extends LogDamage.Tally {
    static final int TRACK_POINTS = 40;

    private static final Logger LOG = Logger.getLogger(Facts.class.getName());

    /** The beginning of the damage of a log that may be readable later. */
    static final String UNREADABLE = "cannot be read: ";

    private static final int MAX_MODES = 12;
    private static final int MAX_TEXT = 300;
    private static final double TENTHS_BELOW_M = 100;

    private final FlightSummary flight = new FlightSummary();
    private final FlightTrack track = new FlightTrack();
    private final UtcReference utc = new UtcReference();
    private final Wanted wanted;
    private String system = "";
    private String remark = "";
    private long startUs;
    private long firstUs = Long.MAX_VALUE;
    private long lastUs;
    private long lostMs;
    private boolean hasCrash;
    private boolean isAppended;

    private Facts(Wanted wanted) {
        this.wanted = wanted;
    }

    /**
     * The facts as a JSON object.
     *
     * @param isLasting false if the log may be readable later: its disk was removed, or memory was short
     */
    @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
    record Found(byte[] json, boolean isLasting) {}

    /** Reads a log. Empty if its facts are no longer wanted. */
    static Optional<Found> read(Path log, Wanted wanted) {
        Facts facts = new Facts(wanted);
        return facts.found(log, () -> LogSource.read(log, facts, (done, total) -> {}));
    }

    /** Reads. */
    @FunctionalInterface
    private interface Reading {
        void run() throws IOException;
    }

    /** Reads a log; returns the facts, or the reason for having none. */
    private Optional<Found> found(Path log, Reading reading) {
        try {
            reading.run();
            return Optional.of(new Found(json(""), true));
        } catch (ULogException e) {
            return Optional.of(new Found(json(String.valueOf(e.getMessage())), true));
        } catch (IOException e) {
            return wanted.isWanted() ? Optional.of(unread(String.valueOf(e.getMessage()))) : Optional.empty();
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.log(Level.SEVERE, "internal error with " + log + ", please report this", e);
            return Optional.of(unread("internal error"));
        }
    }

    /** Facts of a log that is being written: each call reads only new data. */
    static final class OfGrowing {
        private final Path log;
        private final Facts facts;
        private final LogReading reading;
        private Optional<Found> found = Optional.empty();
        // Permanently: its reader cannot continue after that.
        private boolean isRefused;

        /** @param log a ULog, not compressed */
        OfGrowing(Path log, Wanted wanted) throws IOException {
            this.log = log;
            this.facts = new Facts(wanted);
            this.reading = new LogReading(log, facts);
        }

        /** Whether the file still is the one that was read. */
        boolean isSame() throws IOException {
            return reading.isOf(log);
        }

        /** The current facts as a JSON object. */
        Optional<byte[]> read() {
            if (!isRefused) {
                isRefused = true;
                found = facts.found(log, () -> {
                    reading.extend(log, true, facts.wanted::check);
                    isRefused = false;
                });
            }
            return found.map(Found::json);
        }
    }

    private static Found unread(String why) {
        byte[] facts = Json.object(json -> {
            writeUnread(json);
            json.writeStringField("damage", UNREADABLE + why);
        });
        return new Found(facts, false);
    }

    /** Writes the members that each log has in the list, for one that is unreadable or not read yet. */
    static void writeUnread(JsonGenerator json) throws IOException {
        json.writeNullField("start_utc");
        json.writeNullField("duration_s");
        json.writeNullField("vehicle");
    }

    @Override
    public void onStart(int version, long timestampUs) {
        startUs = timestampUs;
        utc.onStart(version, timestampUs);
    }

    @Override
    public void onInfo(KeyedValue info) {
        utc.onInfo(info);
        flight.onInfo(info);
        if (info.name().equals("sys_name") && info.isText()) {
            system = info.text();
        }
    }

    @Override
    public void onMultiInfo(KeyedValue info, boolean continued) {
        hasCrash |= info.name().equals(ULogAppender.CRASH_TEXT_NAME);
    }

    @Override
    public void onTopic(Topic topic) {
        utc.onTopic(topic);
        flight.onTopic(topic);
        track.onTopic(topic);
    }

    @Override
    public void onSample(SampleView sample) throws IOException {
        if (sample.timestampUs() > 0) {
            firstUs = Math.min(firstUs, sample.timestampUs());
            lastUs = Math.max(lastUs, sample.timestampUs());
        }
        utc.onSample(sample);
        flight.onSample(sample);
        track.onSample(sample);
    }

    @Override
    public void onLoggedText(LoggedText text) {
        if (isAppended) {
            remark = text.text();
        }
    }

    @Override
    public void onDropout(int durationMs) throws IOException {
        lostMs += durationMs;
        wanted.check();
    }

    @Override
    public void onAppendedSection(long position) {
        isAppended = true;
    }

    private byte[] json(String refused) {
        return Json.object(json -> {
            time(json);
            String vehicle = (system + " " + flight.vehicleKind()).strip();
            json.writeStringField("vehicle", vehicle.isEmpty() ? null : line(vehicle));
            json.writeBooleanField("crash", hasCrash);
            json.writeNumberField("lost_ms", lostMs);
            String damage = refused.isEmpty() ? damage().withoutCut().text() : refused;
            text(json, "damage", damage.equals("none") ? "" : damage);
            text(json, "remark", remark);
            FlightWay.Result way = flight.way();
            number(json, "distance_m", way.distanceM());
            number(json, "max_speed_m_s", way.maximumSpeedMS());
            modes(json);
            track(json);
        });
    }

    private void time(JsonGenerator json) throws IOException {
        long begin = startUs > 0 ? startUs : firstUs;
        json.writeStringField(
                "start_utc", utc.at(Math.min(begin, lastUs)).map(Facts::seconds).orElse(null));
        if (firstUs <= lastUs) {
            long tenths = Math.round(Math.max(0, lastUs - begin) / 1e5); // rounded as by the log tools
            json.writeNumberField("duration_s", tenths / 10.0);
        } else {
            json.writeNullField("duration_s");
        }
    }

    private void modes(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("modes");
        List<String> modes = flight.modes().stream()
                .map(FlightSummary.Interval::name)
                .distinct()
                .limit(MAX_MODES)
                .toList();
        for (String mode : modes) {
            json.writeString(line(mode));
        }
        json.writeEndArray();
    }

    private static void text(JsonGenerator json, String name, String text) throws IOException {
        if (!text.isEmpty()) {
            json.writeStringField(name, line(text));
        }
    }

    private void track(JsonGenerator json) throws IOException {
        List<FlightTrack.Point> points = track.points(flight.way().source());
        double extent = points.stream()
                .mapToDouble(point -> Math.max(Math.abs(point.eastM()), Math.abs(point.northM())))
                .max()
                .orElse(0);
        double step = extent < TENTHS_BELOW_M ? 0.1 : 1;
        int every = Math.max(1, (points.size() + TRACK_POINTS - 2) / (TRACK_POINTS - 1));
        json.writeArrayFieldStart("track");
        for (int i = 0; i < points.size(); i++) {
            if (i % every == 0 || i == points.size() - 1) {
                FlightTrack.Point point = points.get(i);
                json.writeRawValue("[" + rounded(point.eastM(), step) + "," + rounded(point.northM(), step) + "]");
            }
        }
        json.writeEndArray();
    }

    private static String rounded(double metres, double step) {
        return step == 1 ? Long.toString(Math.round(metres)) : String.format(Locale.ROOT, "%.1f", metres);
    }

    private static void number(JsonGenerator json, String name, OptionalDouble value) throws IOException {
        if (value.isPresent()) {
            json.writeNumberField(name, Math.round(value.getAsDouble() * 10) / 10.0);
        }
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String line(String text) {
        return Words.line(text, MAX_TEXT);
    }
}
