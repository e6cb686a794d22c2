package org.mavlogd.flight;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.mavlogd.flight.FlightSummary.Interval;
import org.mavlogd.flight.LogPositions.Fix;
import org.mavlogd.logtools.LogMessages;
import org.mavlogd.logtools.LogMessages.Message;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;

/**
 * Places the modes and messages of a log on its track. Read the log once with {@link #survey}; then pass all positions
 * of the track, in order, to {@link #onFix}. Memory: {@value #MAX_MESSAGES} messages and that of {@link LogMessages}.
 */
final class TrackWaypoints {
    static final int MAX_MESSAGES = 10_000;

    private static final int MAX_NAME = 80;
    private static final int MAX_TEXT = 500;

    /** The kind of a waypoint. */
    enum Kind {
        MODE,
        MESSAGE;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The place of a mode or message; {@code detail} is the level of a message. */
    record Waypoint(long timestampUs, Kind kind, String detail, String text, Fix place) {
        private Waypoint(long timestampUs, Kind kind, String detail, String text) {
            this(timestampUs, kind, detail, Words.line(text, MAX_TEXT), new Fix());
        }

        /** The text in a few words. */
        String name() {
            return Words.line(text, MAX_NAME);
        }
    }

    private final FlightSummary summary = new FlightSummary();
    private final LogMessages messages = new LogMessages(LogMessages.Filter.NONE, (message, log) -> onMessage(message));
    private final List<Waypoint> waypoints = new ArrayList<>();
    private final Fix before = new Fix();
    private List<Interval> modes = List.of();
    private long leftOut;
    private int placed;
    private boolean hasFix;

    /** The handler for the first reading of the log. */
    ULogHandler survey() {
        return new Survey();
    }

    /** Called when the log has been read. */
    void surveyed() throws ULogException {
        modes = summary.modes();
        messages.finish();
        for (Interval mode : modes) {
            waypoints.add(new Waypoint(mode.fromUs(), Kind.MODE, "", mode.name()));
        }
        if (summary.isArduPilot()) {
            dropRepeatedModes();
        }
        waypoints.sort(Comparator.comparingLong(Waypoint::timestampUs));
    }

    /** Removes modes that are messages, too, as in logs mapped from ArduPilot's. */
    private void dropRepeatedModes() {
        Set<Long> times = new HashSet<>();
        modes.forEach(mode -> times.add(mode.fromUs()));
        waypoints.removeIf(waypoint -> waypoint.kind == Kind.MESSAGE
                && waypoint.text.startsWith("Mode ")
                && times.contains(waypoint.timestampUs));
    }

    private void onMessage(Message message) {
        if (waypoints.size() == MAX_MESSAGES) {
            leftOut++;
            return;
        }
        String level = message.level().name().toLowerCase(Locale.ROOT);
        String tag = message.tag() == LoggedText.NO_TAG
                ? ""
                : "[" + messages.tagName(message.tag()).orElse(Integer.toString(message.tag())) + "] ";
        waypoints.add(new Waypoint(message.timestampUs(), Kind.MESSAGE, level, tag + message.text()));
    }

    /** Places everything up to the time of this position; waypoints before the first position are placed there. */
    void onFix(Fix fix) {
        if (!hasFix) {
            hasFix = true;
            before.copy(fix);
        }
        while (placed < waypoints.size() && waypoints.get(placed).timestampUs < fix.timestampUs()) {
            waypoints.get(placed++).place.copy(before);
        }
        before.copy(fix);
    }

    /** All waypoints in the order of their times; those after the last position are placed there. */
    List<Waypoint> placed() {
        while (placed < waypoints.size()) {
            waypoints.get(placed++).place.copy(before);
        }
        return waypoints;
    }

    FlightSummary summary() {
        return summary;
    }

    List<Interval> modes() {
        return modes;
    }

    LogMessages messages() {
        return messages;
    }

    /** Number of messages omitted because there are too many. */
    long leftOut() {
        return leftOut;
    }

    /** Passes everything on to both readers. */
    private final class Survey implements ULogHandler {
        private final ULogHandler toMessages = messages.handler();

        @Override
        public void onStart(int version, long startUs) throws IOException {
            toMessages.onStart(version, startUs);
        }

        @Override
        public void onInfo(KeyedValue info) throws IOException {
            summary.onInfo(info);
            toMessages.onInfo(info);
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) throws IOException {
            toMessages.onMultiInfo(info, continued);
        }

        @Override
        public void onTopic(Topic topic) throws IOException {
            summary.onTopic(topic);
            toMessages.onTopic(topic);
        }

        @Override
        public void onSample(SampleView sample) throws IOException {
            summary.onSample(sample);
            toMessages.onSample(sample);
        }

        @Override
        public void onLoggedText(LoggedText text) throws IOException {
            toMessages.onLoggedText(text);
        }
    }
}
