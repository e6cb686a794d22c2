package org.mavlogd.logtools;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.LoggedText;

/** A survey for people, made for a terminal of 100 columns. */
public final class SurveyText {
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String TIME_REFERENCE = "time_ref_utc";
    private static final String PART = "log_part";
    private static final String PREVIOUS_PART = "log_previous";
    private static final int NAME_WIDTH = 46;
    private static final int TEXT_WIDTH = 76;
    private static final int MAX_CHANGES_SHOWN = 10;
    private static final int MAX_TEXTS_SHOWN = 100;
    private static final int MAX_TAGS_SHOWN = 4;
    private static final int MAX_CRASH_LINES = 40;
    private static final int LINE_WIDTH = 96;
    private static final long MAX_OFFSET_S = 18 * 3600L;

    private final LogSurvey survey;
    private final PrintWriter out;

    private SurveyText(LogSurvey survey, PrintWriter out) {
        this.survey = survey;
        this.out = out;
    }

    /**
     * Prints everything about a log.
     *
     * @param maxTopics how many topics are listed, the largest first; the others are only counted
     */
    public static void print(String file, LogSurvey survey, int maxTopics, PrintWriter out) {
        SurveyText text = new SurveyText(survey, out);
        out.println(Words.line(file, LINE_WIDTH));
        out.println();
        text.origin();
        text.times();
        text.contents();
        text.topics(maxTopics);
        text.parameterChanges();
        text.texts();
        text.crash();
    }

    private void origin() {
        VehicleText vehicle = new VehicleText(survey.infos());
        row("Vehicle", vehicle.vehicle());
        row("Vehicle id", vehicle.uuid().orElse(""));
        row("Software", vehicle.software());
        row("System", vehicle.operatingSystem());
        row("Recorded by", vehicle.recorder().orElse(""));
        row("Part", part());
    }

    /** Of a log in several files, which one this is; empty for the first or only. */
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
        row("Start", moment(begin));
        row("End", moment(end));
        String rate = survey.durationUs() == 0
                ? ""
                : ", " + Words.bytes(Math.round(survey.sizeBytes() * 1e6 / survey.durationUs())) + "/s";
        row("Duration", Words.duration(survey.durationUs()));
        row("Size", Words.bytes(survey.sizeBytes()) + rate + ", ULog version " + survey.version());
    }

    private String moment(long timestampUs) {
        String sinceBoot = Words.duration(timestampUs) + " after boot";
        Optional<Instant> utc = survey.utcAt(timestampUs);
        return utc.isEmpty()
                ? sinceBoot + ", UTC not known"
                : UTC.format(utc.get()) + " UTC" + localTime(utc.get()) + "  (" + sinceBoot + ")";
    }

    /** What the vehicle's clock on the wall shows, where its operator has told it. */
    private String localTime(Instant utc) {
        return survey.infos()
                .integer(TIME_REFERENCE)
                .filter(offsetS -> offsetS != 0 && Math.abs(offsetS) <= MAX_OFFSET_S)
                .map(offsetS -> ", local time "
                        + UTC.format(utc.plus(Duration.ofSeconds(offsetS))).substring(11, 19))
                .orElse("");
    }

    private void contents() {
        ParameterTally parameters = survey.parameters();
        row(
                "Parameters",
                Words.number(parameters.count()) + ", "
                        + (parameters.changeCount() == 0
                                ? "no change"
                                : Words.count(parameters.changeCount(), "change"))
                        + (parameters.defaultCount() == 0
                                ? ""
                                : ", defaults of " + Words.number(parameters.defaultCount())));
        row(
                "Dropouts",
                survey.dropouts() == 0
                        ? "none"
                        : Words.number(survey.dropouts()) + ", together " + Words.duration(survey.dropoutMs() * 1000));
        row("Tagged texts", tags());
        row("Damage", survey.damage().text());
        if (survey.unknownMessages() > 0) {
            row(
                    "Not known",
                    Words.count(survey.unknownMessages(), "message") + " of types that the format does not name");
        }
        if (survey.sections() > 0) {
            row("Appended", Words.count(survey.sections(), "section"));
        }
    }

    private void topics(int maxTopics) {
        List<TopicTally> used = survey.topics().inOrder().stream()
                .filter(topic -> topic.messages() > 0)
                .sorted(Comparator.comparingLong(TopicTally::bytes).reversed())
                .toList();
        int silent = survey.topics().inOrder().size() - used.size();
        row(
                "Topics",
                Words.number(used.size()) + " with " + Words.count(survey.dataMessages(), "message")
                        + (silent == 0 ? "" : ", " + Words.number(silent) + " without any"));
        Map<Boolean, List<TopicTally>> byOrigin = used.stream().collect(Collectors.partitioningBy(survey::isLocal));
        list("Topic", byOrigin.getOrDefault(false, List.of()), maxTopics);
        list("Topic of the companion computer", byOrigin.getOrDefault(true, List.of()), maxTopics);
    }

    private void list(String title, List<TopicTally> topics, int maxTopics) {
        if (topics.isEmpty()) {
            return;
        }
        out.println();
        out.println(line(title, "Messages", "Rate", "Size", "Share"));
        List<TopicTally> listed = topics.subList(0, Math.min(maxTopics, topics.size()));
        for (TopicTally topic : listed) {
            out.println(line(
                    name(topic),
                    Words.number(topic.messages()),
                    topic.rateHz() == 0 ? "-" : String.format(Locale.ROOT, "%.1f Hz", topic.rateHz()),
                    size(topic.bytes()),
                    String.format(Locale.ROOT, "%.1f %%", 100.0 * topic.bytes() / survey.sizeBytes())));
        }
        if (listed.size() < topics.size()) {
            out.println("  and " + Words.count(topics.size() - listed.size(), "smaller topic")
                    + "; --all-topics lists them");
        }
    }

    private static String name(TopicTally topic) {
        String instance = topic.multiId() == 0 ? "" : ":" + topic.multiId();
        return Words.line(topic.name(), NAME_WIDTH - 3 - instance.length()) + instance;
    }

    /** In one unit, for a column of numbers. */
    private static String size(long bytes) {
        return String.format(Locale.ROOT, "%,.1f KB", bytes / 1e3);
    }

    private static String line(String name, String messages, String rate, String size, String share) {
        return String.format(
                Locale.ROOT, "  %-" + NAME_WIDTH + "s %11s %11s %14s %8s", name, messages, rate, size, share);
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
            out.printf(Locale.ROOT, "  %-20s %s%s%n", Words.line(change.name(), TEXT_WIDTH), before, change.after());
        }
        leftOut(survey.parameters().changeCount() - MAX_CHANGES_SHOWN);
    }

    private void texts() {
        List<LoggedText> texts = survey.texts().first();
        if (texts.isEmpty()) {
            return;
        }
        out.println();
        out.println("  Texts" + (survey.utcAt(0).isPresent() ? " (UTC)" : " (time since the start)"));
        // What the vehicle and its computer say comes by different ways, and some of it late.
        List<LoggedText> shown = texts.stream()
                .limit(MAX_TEXTS_SHOWN)
                .sorted(Comparator.comparingLong(LoggedText::timestampUs))
                .toList();
        for (LoggedText text : shown) {
            String tag = text.isTagged() ? "[" + tagName(text.tag()) + "] " : "";
            wrap(
                    String.format(Locale.ROOT, "  %12s  %-9s ", time(text.timestampUs()), text.level()),
                    tag + text.text());
        }
        leftOut(survey.texts().untagged() + survey.texts().tagged() - MAX_TEXTS_SHOWN);
    }

    /** As the log itself calls it, else its number. */
    private String tagName(int tag) {
        return survey.infos().tags().name(tag).orElse(Integer.toString(tag));
    }

    /** How many texts there are of which tag, the most first. */
    private String tags() {
        List<Map.Entry<Integer, Long>> tags = survey.texts().byTag().entrySet().stream()
                .sorted(Map.Entry.<Integer, Long>comparingByValue().reversed())
                .toList();
        String listed = tags.stream()
                .limit(MAX_TAGS_SHOWN)
                .map(tag -> tagName(tag.getKey()) + " " + Words.number(tag.getValue()))
                .collect(Collectors.joining(", "));
        return tags.size() <= MAX_TAGS_SHOWN
                ? listed
                : listed + " and " + Words.count(tags.size() - MAX_TAGS_SHOWN, "other tag");
    }

    private String time(long timestampUs) {
        Optional<Instant> utc = survey.utcAt(timestampUs);
        if (utc.isPresent()) {
            String text = UTC.format(utc.get());
            return text.substring(text.indexOf(' ') + 1);
        }
        return String.format(Locale.ROOT, "%+.3f s", (timestampUs - survey.beginUs()) / 1e6);
    }

    /** What does not fit goes on below, in the same column. */
    private void wrap(String head, String text) {
        String margin = head;
        String rest = text;
        while (rest.length() > TEXT_WIDTH) {
            int space = rest.lastIndexOf(' ', TEXT_WIDTH);
            int cut = space > TEXT_WIDTH / 2 ? space : TEXT_WIDTH;
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
            out.printf(Locale.ROOT, "  %-12s %s%n", name, value);
        }
    }

    /** The infos that say which vehicle and which software a log is of, in words. */
    private static final class VehicleText {
        private static final int SHORT_HASH = 10;

        private final InfoTally infos;

        VehicleText(InfoTally infos) {
            this.infos = infos;
        }

        /** System and hardware; empty if the log does not say. */
        String vehicle() {
            List<String> parts = new ArrayList<>();
            String hardware = infos.text("ver_hw").orElse("");
            String subtype =
                    infos.text("ver_hw_subtype").map(t -> " (" + t + ")").orElse("");
            infos.text("sys_name")
                    .ifPresent(name -> parts.add(hardware.isEmpty() ? name : name + " on " + hardware + subtype));
            if (parts.isEmpty() && !hardware.isEmpty()) {
                parts.add(hardware + subtype);
            }
            infos.text("sys_mcu").ifPresent(parts::add);
            return String.join(", ", parts);
        }

        Optional<String> uuid() {
            return infos.text("sys_uuid");
        }

        /** Release, branch and commit. */
        String software() {
            List<String> parts = new ArrayList<>();
            release("ver_sw_release").ifPresent(parts::add);
            infos.text("ver_sw_branch").ifPresent(branch -> parts.add("branch " + branch));
            infos.text("ver_sw")
                    .map(hash -> hash.substring(0, Math.min(hash.length(), SHORT_HASH)))
                    .ifPresent(hash -> parts.add("commit " + hash));
            return String.join(", ", parts);
        }

        /** Name and release of the operating system. */
        String operatingSystem() {
            String release =
                    release("sys_os_ver_release").map(text -> " " + text).orElse("");
            return infos.text("sys_os_name").map(name -> name + release).orElse("");
        }

        Optional<String> recorder() {
            return infos.text("recorder");
        }

        /** From four bytes: major, minor, patch, and how mature it is. */
        private Optional<String> release(String name) {
            // Systems without releases fill in only how mature they are.
            return infos.integer(name)
                    .filter(packed -> (packed & 0xFFFF_FF00L) != 0)
                    .map(packed -> {
                        int maturity = (int) (packed & 0xFF);
                        String version = String.format(
                                Locale.ROOT, "v%d.%d.%d", packed >> 24 & 0xFF, packed >> 16 & 0xFF, packed >> 8 & 0xFF);
                        return version + maturity(maturity);
                    });
        }

        // As PX4 encodes the type of a version: 0 development, from 64 alpha, from 128 beta, from 192 candidate, 255
        // release.
        private static String maturity(int type) {
            if (type == 255) {
                return "";
            }
            if (type >= 192) {
                return " release candidate";
            }
            return type >= 128 ? " beta" : type >= 64 ? " alpha" : " development";
        }
    }
}
