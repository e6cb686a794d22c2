package org.mavlogd.lake;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.mavlogd.flight.FlightBatteries;
import org.mavlogd.flight.FlightSummary;
import org.mavlogd.flight.FlightWay;
import org.mavlogd.lake.SmallTables.Table;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogMessages.Kind;
import org.mavlogd.logtools.LogMessages.Message;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TopicReader;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.survey.SurveyFacts;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.Topic;

/**
 * The rows of a log in the tables other than samples. Messages, changes of parameters and dropouts are limited to the
 * first ones; {@code logs} counts all.
 */
final class LogRows {
    private static final int MAX_MESSAGES = 20_000;
    private static final int MAX_CHANGES = 20_000;
    private static final int MAX_DROPOUTS = 100_000;

    /** Earlier and later times, which only a wrong clock has, are not timestamps in DuckDB. */
    private static final long MAX_UTC_S = 9_000_000_000_000L;

    private final String log;
    private final LogSurvey survey;
    private final SurveyFacts facts;
    private final Optional<String> vehicle;
    private final Map<Table, List<@Nullable Object[]>> rows = new EnumMap<>(Table.class);

    private LogRows(SourceLog source, LogSurvey survey, List<long[]> dropouts, String sha256) {
        this.log = source.id();
        this.survey = survey;
        this.facts = new SurveyFacts(survey);
        this.vehicle = facts.uuid().or(source::folder);
        for (long[] dropout : dropouts) {
            add(Table.DROPOUTS, log, dropout[0], utcUs(dropout[0]), dropout[1]);
        }
        addParameters();
        addMessages();
        addFlight();
        addLog(source, sha256);
    }

    /** Reads a log. */
    static LogRows of(SourceLog source, String sha256) throws IOException {
        List<long[]> dropouts = new ArrayList<>();
        LogSurvey survey =
                LogSurvey.of(source.file(), MAX_MESSAGES, whole -> new Dropouts(whole, dropouts), Progress.NONE);
        return new LogRows(source, survey, dropouts, sha256);
    }

    /** The rows by table. */
    Map<Table, List<@Nullable Object[]>> rows() {
        return rows;
    }

    Optional<String> vehicle() {
        return vehicle;
    }

    /** The day in UTC on which the log starts, such as 2026-03-20. */
    Optional<String> date() {
        return survey.utcAt(survey.beginUs())
                .map(at -> at.atZone(ZoneOffset.UTC).toLocalDate().toString());
    }

    private void addParameters() {
        facts.parameters().forEach((name, value) -> addParameter(survey.startUs(), name, value, false));
        for (SurveyFacts.Change change : facts.changedParameters(MAX_CHANGES)) {
            addParameter(change.timestampUs(), change.name(), change.value(), true);
        }
    }

    private void addParameter(long us, String name, Parameter value, boolean isChange) {
        add(Table.PARAMS, log, us, utcUs(us), name, value.value(), value.type().text(), isChange);
    }

    private void addMessages() {
        for (Message message : facts.messages()) {
            long us = message.timestampUs();
            String level = message.level().name().toLowerCase(Locale.ROOT);
            Integer tag = message.kind() == Kind.TAGGED ? message.tag() : null;
            add(Table.MESSAGES, log, us, utcUs(us), level, message.kind().text(), tag, message.text());
        }
    }

    private void addFlight() {
        survey.flight().modes().forEach(mode -> addInterval("mode", mode));
        survey.flight().armed().forEach(armed -> addInterval("armed", armed));
        for (FlightBatteries.Battery battery : survey.flight().batteries()) {
            add(
                    Table.BATTERIES,
                    log,
                    battery.topic(),
                    orNull(battery.usedMah()),
                    orNull(battery.usedPercent()),
                    orNull(battery.minimumVolts()));
        }
    }

    private void addInterval(String kind, FlightSummary.Interval interval) {
        long us = interval.fromUs();
        add(Table.MODES, log, us, utcUs(us), interval.durationUs(), kind, interval.name());
    }

    private void addLog(SourceLog source, String sha256) {
        FlightSummary flight = survey.flight();
        FlightWay.Result way = flight.way();
        LogDamage damage = survey.damage();
        add(
                Table.LOGS,
                log,
                vehicle.map(LakeFiles::name).orElse(null),
                source.source(),
                sha256,
                source.sizeBytes(),
                facts.info("sys_name").orElse(null),
                orNull(flight.vehicleKind()),
                orNull(facts.vehicle()),
                orNull(facts.software()),
                facts.recorder().orElse(null),
                survey.beginUs(),
                survey.durationUs(),
                utcUs(survey.beginUs()),
                flight.knowsArming() ? flight.armedUs() : null,
                orNull(way.distanceM()),
                orNull(way.maximumSpeedMS()),
                orNull(way.maximumHeightM()),
                survey.dataMessages(),
                (long) facts.parameterCount(),
                facts.messageCount(),
                survey.dropouts(),
                survey.dropoutMs(),
                damage.spans(),
                damage.spanBytes(),
                damage.text());
    }

    private void add(Table table, @Nullable Object... row) {
        rows.computeIfAbsent(table, none -> new ArrayList<>()).add(row);
    }

    private @Nullable Long utcUs(long us) {
        return survey.utcAt(us)
                .filter(at -> Math.abs(at.getEpochSecond()) < MAX_UTC_S)
                .map(at -> ChronoUnit.MICROS.between(Instant.EPOCH, at))
                .orElse(null);
    }

    private static @Nullable Double orNull(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Records the times of gaps. */
    private record Dropouts(LogSurvey survey, List<long[]> found) implements TopicReader {
        @Override
        public boolean reads(Topic topic) {
            return false;
        }

        @Override
        public void onDropout(int durationMs) {
            if (found.size() < MAX_DROPOUTS) {
                found.add(new long[] {Math.max(survey.startUs(), survey.latestUs()), durationMs});
            }
        }
    }
}
