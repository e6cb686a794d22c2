package org.mavlogd.survey;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mavlogd.flight.FlightSummary;
import org.mavlogd.flight.FlightText;
import org.mavlogd.logtools.LogMessages.Kind;
import org.mavlogd.logtools.LogMessages.Message;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.LogLevel;

/** A survey for people, formatted for a terminal of 100 columns. */
public final class SurveyText {
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String TIME_REFERENCE = "time_ref_utc";
    private static final String PART = "log_part";
    private static final String PREVIOUS_PART = "log_previous";
    private static final int TEXT_WIDTH = 72;
    private static final int MAX_CHANGES_SHOWN = 10;
    private static final int ROW_WIDTH = 84;
    private static final int MAX_CRASH_LINES = 40;
    private static final int LINE_WIDTH = 96;
    private static final long MAX_OFFSET_S = 18 * 3600L;

    private static final int MAX_INTERVALS_SHOWN = 40;
    private static final String AIRFRAME = "SYS_AUTOSTART";
    private static final String GAP = ": gap, ";

    /**
     * Limits of lists; the rest is only counted.
     *
     * @param topics number of topics, the largest first
     * @param messages number of messages, the first ones; if not all are shown, those about gaps are one line
     */
    public record Shown(int topics, int messages) {
        public static final int ALL = Integer.MAX_VALUE;

        public static final Shown DEFAULT = new Shown(20, 100);
    }

    private final LogSurvey survey;
    private final Shown shown;
    private final PrintWriter out;

    private SurveyText(LogSurvey survey, Shown shown, PrintWriter out) {
        this.survey = survey;
        this.shown = shown;
        this.out = out;
    }

    /** Prints everything about a log. */
    public static void print(String file, LogSurvey survey, Shown shown, PrintWriter out) {
        SurveyText text = new SurveyText(survey, shown, out);
        out.println(Words.line(file, LINE_WIDTH));
        out.println();
        text.origin();
        text.times();
        FlightText.rows(survey.flight(), text::row);
        text.contents();
        text.modes();
        text.topics();
        text.parameterChanges();
        text.messages();
        text.crash();
    }

    private void origin() {
        VehicleText vehicle = new VehicleText(survey.infos());
        row(
                "Vehicle",
                vehicle.vehicle(
                        survey.flight().vehicleKind(), survey.parameters().value(AIRFRAME)));
        row("Vehicle id", vehicle.uuid().orElse(""));
        row("Software", vehicle.software());
        row("System", vehicle.operatingSystem());
        row("Recorded by", vehicle.recorder().orElse(""));
        row("Part", part());
    }

    /** The part of a log in several files; empty for the first or only one. */
    private String part() {
        return survey.infos()
                .integer(PART)
                .map(number -> number
                        + survey.infos()
                                .text(PREVIOUS_PART)
                                .map(name -> ", after " + name)
                                .orElse(""))
                .orElse("");
    }

    private void times() {
        long begin = survey.beginUs();
        long end = begin + survey.durationUs();
        String origin = survey.infos().text(UtcReference.TIME_ORIGIN).orElse("boot");
        String after = Words.duration(begin) + " after " + origin;
        row("Start", moment(begin).map(utc -> utc + ", " + after).orElse(after + ", UTC not known"));
        row("End", moment(end).orElse(""));
        row("Duration", Words.duration(survey.durationUs()));
    }

    private Optional<String> moment(long timestampUs) {
        return survey.utcAt(timestampUs).map(utc -> UTC.format(utc) + "Z" + localTime(utc));
    }

    /** The vehicle's local time, if its operator has configured it. */
    private String localTime(Instant utc) {
        return survey.infos()
                .integer(TIME_REFERENCE)
                .filter(offsetS -> offsetS != 0 && Math.abs(offsetS) <= MAX_OFFSET_S)
                .map(offsetS -> ", local time "
                        + UTC.format(utc.plus(Duration.ofSeconds(offsetS))).substring(11))
                .orElse("");
    }

    private void contents() {
        String rate = survey.durationUs() == 0
                ? ""
                : Words.bytes(Math.round(survey.sizeBytes() * 1e6 / survey.durationUs())) + "/s";
        row("Size", FlightText.joined(Words.bytes(survey.sizeBytes()), rate, "ULog version " + survey.version()));
        row("Parameters", parameterCounts());
        row("Topics", topicCounts());
        row("Messages", messageCounts());
        row(
                "Dropouts",
                survey.dropouts() == 0
                        ? "none"
                        : Words.number(survey.dropouts()) + ", " + Words.duration(survey.dropoutMs() * 1000));
        row("Damage", survey.damage().text());
        if (survey.unknownMessages() > 0) {
            row("Not known", Words.count(survey.unknownMessages(), "message") + " of unknown types");
        }
        if (survey.sections() > 0) {
            row("Appended", Words.count(survey.sections(), "section"));
        }
    }

    private String parameterCounts() {
        ParameterTally parameters = survey.parameters();
        int nonDefault = parameters.nonDefaultCount();
        return FlightText.joined(
                Words.number(parameters.count()),
                parameters.defaultCount() == 0 ? "" : Words.number(nonDefault) + " not default",
                parameters.changeCount() == 0 ? "" : Words.count(parameters.changeCount(), "change"));
    }

    private String messageCounts() {
        LogSurvey.TextTally texts = survey.texts();
        long errors = texts.atLeast(LogLevel.ERROR);
        long warnings = texts.atLeast(LogLevel.WARNING) - errors;
        return FlightText.joined(
                Words.number(texts.count()),
                errors == 0 ? "" : Words.count(errors, "error"),
                warnings == 0 ? "" : Words.count(warnings, "warning"),
                texts.tagged() == 0 ? "" : Words.number(texts.tagged()) + " tagged",
                survey.eventProblem()
                        .map(problem -> Words.line(problem, TEXT_WIDTH))
                        .orElse(""));
    }

    /** Armed times and modes, in chronological order. */
    private void modes() {
        List<FlightSummary.Interval> intervals = Stream.concat(
                        survey.flight().modes().stream(), survey.flight().armed().stream())
                .sorted(Comparator.comparingLong(FlightSummary.Interval::fromUs))
                .toList();
        if (intervals.isEmpty()) {
            return;
        }
        out.println();
        out.printf(Locale.US, "  %-14s %-30s %12s%n", timeTitle(), "Mode", "Lasts");
        for (FlightSummary.Interval interval : intervals.subList(0, Math.min(intervals.size(), MAX_INTERVALS_SHOWN))) {
            out.printf(
                    Locale.US,
                    "  %-14s %-30s %12s%n",
                    time(interval.fromUs()),
                    Words.line(interval.name(), 27),
                    Words.duration(interval.durationUs()));
        }
        leftOut(intervals.size() - MAX_INTERVALS_SHOWN + survey.flight().leftOut());
    }

    private String timeTitle() {
        return survey.utcAt(0).isPresent() ? "Time (UTC)" : "From start";
    }

    private List<TopicTally> usedTopics() {
        return survey.topics().inOrder().stream()
                .filter(topic -> topic.messages() > 0)
                .sorted(Comparator.comparingLong(TopicTally::bytes).reversed())
                .toList();
    }

    private String topicCounts() {
        int used = usedTopics().size();
        int silent = survey.topics().inOrder().size() - used;
        return Words.number(used) + " with " + Words.count(survey.dataMessages(), "message")
                + (silent == 0 ? "" : ", " + Words.number(silent) + " without any");
    }

    private void topics() {
        Map<Boolean, List<TopicTally>> byOrigin =
                usedTopics().stream().collect(Collectors.partitioningBy(survey::isLocal));
        TopicTable table = new TopicTable(survey.sizeBytes(), shown.topics);
        table.add("Topic", byOrigin.getOrDefault(false, List.of()));
        table.add("Topic of the companion computer", byOrigin.getOrDefault(true, List.of()));
        table.lines().forEach(out::println);
    }

    private void parameterChanges() {
        List<ParameterTally.Change> changes = survey.parameters().changes();
        if (changes.isEmpty()) {
            return;
        }
        out.println();
        out.println("  Parameter changes");
        for (ParameterTally.Change change : changes.subList(0, Math.min(changes.size(), MAX_CHANGES_SHOWN))) {
            String before = change.before().isEmpty() ? "" : change.before() + " -> ";
            out.printf(Locale.US, "  %-20s %s%s%n", Words.line(change.name(), TEXT_WIDTH), before, change.after());
        }
        leftOut(survey.parameters().changeCount() - MAX_CHANGES_SHOWN);
    }

    private void messages() {
        LogSurvey.TextTally texts = survey.texts();
        if (texts.first().isEmpty()) {
            return;
        }
        out.println();
        out.printf(Locale.US, "  %-14s %-9s %s%n", timeTitle(), "Level", "Message");
        long gaps = shown.messages == Shown.ALL
                ? 0
                : texts.first().stream().filter(SurveyText::isGap).count();
        boolean isFolded = gaps > 1;
        boolean hasGap = false;
        int count = 0;
        for (Message message : texts.first()) {
            boolean isRepeatedGap = isFolded && isGap(message) && hasGap;
            hasGap |= isGap(message);
            if (count < shown.messages && !isRepeatedGap) {
                count++;
                message(message, isFolded && isGap(message) ? gapText(gaps) : tag(message) + message.text());
            }
        }
        leftOut(texts.count() - count - (isFolded ? gaps - 1 : 0));
    }

    private void message(Message message, String text) {
        wrap(String.format(Locale.US, "  %-14s %-9s ", time(message.timestampUs()), message.level()), text);
    }

    /** Whether the recorder reports a missing part of the log, which it may do every second. */
    private static boolean isGap(Message message) {
        return message.kind() == Kind.TAGGED && message.text().contains(GAP);
    }

    private String gapText(long messages) {
        return Words.count(survey.dropouts(), "gap") + ", " + Words.duration(survey.dropoutMs() * 1000) + " ("
                + Words.number(messages) + " messages; --all-messages lists them)";
    }

    private String tag(Message message) {
        return message.kind() == Kind.TAGGED ? "[" + tagName(message.tag()) + "] " : "";
    }

    /** Name of a tag in the log, or else its number. */
    private String tagName(int tag) {
        return survey.infos().tags().name(tag).orElse(Integer.toString(tag));
    }

    private String time(long timestampUs) {
        Optional<Instant> utc = survey.utcAt(timestampUs);
        if (utc.isPresent()) {
            return TIME.format(utc.get());
        }
        long ms = (timestampUs - survey.beginUs()) / 1000;
        long size = Math.abs(ms);
        return String.format(
                Locale.US, "%s%d:%02d.%03d", ms < 0 ? "-" : "+", size / 60_000, size / 1000 % 60, size % 1000);
    }

    private void wrap(String head, String text) {
        wrap(head, text, TEXT_WIDTH);
    }

    /** Prints a text and continues it below, in the same column, if it does not fit. */
    private void wrap(String head, String text, int width) {
        String margin = head;
        String rest = text;
        while (rest.length() > width) {
            int space = rest.lastIndexOf(' ', width);
            int cut = space > width / 2 ? space : width;
            out.println(margin + rest.substring(0, cut));
            rest = rest.substring(cut).strip();
            margin = " ".repeat(head.length());
        }
        out.println(margin + rest);
    }

    private void crash() {
        String text = survey.infos().crashText();
        if (text.isEmpty()) {
            return;
        }
        out.println();
        out.println("  Crash");
        List<String> lines = text.lines().toList();
        lines.stream().limit(MAX_CRASH_LINES).forEach(line -> out.println("    " + Words.line(line, LINE_WIDTH - 7)));
        leftOut(lines.size() - MAX_CRASH_LINES);
    }

    private void leftOut(long count) {
        if (count > 0) {
            out.println("  ... and " + Words.number(count) + " more");
        }
    }

    private void row(String name, String value) {
        if (!value.isEmpty()) {
            wrap(String.format(Locale.US, "  %-12s ", name), value, ROW_WIDTH);
        }
    }
}
