package org.mavlogd.survey;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mavlogd.survey.ParameterTally.Entry;
import org.mavlogd.survey.ParameterTally.TimedValue;
import org.mavlogd.tables.CsvText;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.Parameter;

/**
 * Prints the parameters of a log. Names come from the log, so they are made harmless for terminals, tables and files.
 */
public final class ParameterOutput {
    /** The output formats. */
    public enum Format {
        TABLE,
        CSV,
        JSON,
        /** The file that QGroundControl saves and loads. */
        QGC,
        /** The file that MAVProxy saves, and that Mission Planner also loads. */
        MAVPROXY
    }

    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final int MAX_NAME = 100;
    // MAV_PARAM_TYPE of MAVLink's common.xml.
    private static final int MAV_INT32 = 6;
    private static final int MAV_REAL32 = 9;
    private static final int MAX_SYSTEM_ID = 255;

    private final LogParameters log;
    private final PrintWriter out;

    public ParameterOutput(LogParameters log, PrintWriter out) {
        this.log = log;
        this.out = out;
    }

    /** Prints each parameter with its value at the start of the log. */
    public void print(Format format) {
        switch (format) {
            case TABLE -> values();
            case CSV -> valuesCsv();
            case JSON -> json(Optional.empty());
            case QGC -> qgc();
            case MAVPROXY -> mavProxy();
        }
    }

    /** Prints each change in chronological order, as a table; in the other formats the parameters that change. */
    public void printChanges(Format format) {
        switch (format) {
            case TABLE -> changes();
            case CSV -> changesCsv();
            default -> print(format);
        }
    }

    /** Prints the parameters with the values of both logs; as a parameter file those of the first log. */
    public void printDifferences(LogParameters other, Format format) {
        switch (format) {
            case TABLE -> differences(other);
            case CSV -> differencesCsv(other);
            case JSON -> json(Optional.of(other));
            default -> print(format);
        }
    }

    private void values() {
        row("NAME", "VALUE", "DEFAULT", "CHANGES");
        log.entries()
                .forEach((name, entry) -> row(
                        word(name),
                        ParameterTally.text(entry.value()),
                        entry.defaultValue().map(ParameterTally::text).orElse(""),
                        entry.changes().isEmpty()
                                ? ""
                                : Words.number(entry.changes().size())));
    }

    private void differences(LogParameters other) {
        row("NAME", "VALUE", "OTHER", "");
        for (String name : names(other)) {
            row(word(name), text(log.entries().get(name)), text(other.entries().get(name)), "");
        }
    }

    private Set<String> names(LogParameters other) {
        Set<String> names = new TreeSet<>(log.entries().keySet());
        names.addAll(other.entries().keySet());
        return names;
    }

    private static String text(@Nullable Entry entry) {
        return entry == null ? "" : ParameterTally.text(entry.value());
    }

    private void row(String name, String value, String second, String third) {
        out.println(String.format(Locale.ROOT, "%-20s %-16s %-16s %s", name, value, second, third)
                .stripTrailing());
    }

    /** Receives each change. */
    private interface Changes {
        void onChange(long timestampUs, String name, Parameter before, Parameter after);
    }

    private record Change(String name, Parameter before, TimedValue after) {}

    private void forEachChange(Changes to) {
        log.entries().entrySet().stream()
                .flatMap(entry -> changes(entry).stream())
                .sorted(Comparator.comparingLong(change -> change.after.timestampUs()))
                .forEach(change ->
                        to.onChange(change.after.timestampUs(), change.name, change.before, change.after.parameter()));
    }

    private static List<Change> changes(Map.Entry<String, Entry> entry) {
        List<Change> changes = new ArrayList<>();
        Parameter before = entry.getValue().value();
        for (TimedValue after : entry.getValue().changes()) {
            changes.add(new Change(entry.getKey(), before, after));
            before = after.parameter();
        }
        return changes;
    }

    private void changes() {
        out.println(String.format(Locale.ROOT, "%-24s %-20s %s", "TIME", "NAME", "CHANGE"));
        forEachChange((timestampUs, name, before, after) -> out.println(String.format(
                Locale.ROOT,
                "%-24s %-20s %s -> %s",
                log.utc().text(timestampUs),
                word(name),
                ParameterTally.text(before),
                ParameterTally.text(after))));
    }

    private void changesCsv() {
        CsvText csv = header("t_us", "utc", "name", "before", "value");
        forEachChange((timestampUs, name, before, after) -> {
            csv.unsigned(timestampUs);
            csv.text(log.utc().at(timestampUs).map(Object::toString).orElse(""));
            csv.text(cell(name));
            number(csv, before);
            number(csv, after);
            csv.endRow();
        });
        print(csv);
    }

    private void valuesCsv() {
        CsvText csv = header("name", "value", "type", "default");
        log.entries().forEach((name, entry) -> {
            csv.text(cell(name));
            number(csv, entry.value());
            csv.text(entry.value().type().text());
            number(csv, entry.defaultValue().orElse(null));
            csv.endRow();
        });
        print(csv);
    }

    private void differencesCsv(LogParameters other) {
        CsvText csv = header("name", "value", "other");
        for (String name : names(other)) {
            csv.text(cell(name));
            for (LogParameters each : List.of(log, other)) {
                Entry entry = each.entries().get(name);
                number(csv, entry == null ? null : entry.value());
            }
            csv.endRow();
        }
        print(csv);
    }

    private static CsvText header(String... names) {
        CsvText csv = new CsvText(CsvText.Texts.PRINTABLE);
        for (String name : names) {
            csv.text(name);
        }
        csv.endRow();
        return csv;
    }

    private static void number(CsvText csv, @Nullable Parameter parameter) {
        if (parameter == null) {
            csv.text("");
        } else if (parameter.type() == FieldType.INT32) {
            csv.integer(parameter.bits());
        } else {
            csv.number(Float.intBitsToFloat(parameter.bits()));
        }
    }

    private void print(CsvText csv) {
        out.print(new String(csv.bytes(), 0, csv.length(), StandardCharsets.UTF_8));
        out.flush();
    }

    private void json(Optional<LogParameters> other) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeArrayFieldStart("parameters");
            for (String name : other.map(this::names)
                    .orElseGet(() -> new TreeSet<>(log.entries().keySet()))) {
                json.writeStartObject();
                json.writeStringField("name", name);
                jsonEntry(json, log.entries().get(name));
                if (other.isPresent()) {
                    Entry entry = other.get().entries().get(name);
                    jsonNumber(json, "other", entry == null ? null : entry.value());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter does not fail
        }
        out.println(text);
    }

    private static void jsonEntry(JsonGenerator json, @Nullable Entry entry) throws IOException {
        jsonNumber(json, "value", entry == null ? null : entry.value());
        json.writeStringField(
                "type", entry == null ? null : entry.value().type().text());
        if (entry != null && entry.defaultValue().isPresent()) {
            jsonNumber(json, "default", entry.defaultValue().get());
        }
        json.writeArrayFieldStart("changes");
        for (TimedValue change : entry == null ? List.<TimedValue>of() : entry.changes()) {
            json.writeStartObject();
            json.writeFieldName("t_us");
            json.writeNumber(Long.toUnsignedString(change.timestampUs()));
            jsonNumber(json, "value", change.parameter());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** JSON has no infinite numbers and no NaN: writes null. */
    private static void jsonNumber(JsonGenerator json, String field, @Nullable Parameter parameter) throws IOException {
        if (parameter == null || !Double.isFinite(parameter.value())) {
            json.writeNullField(field);
        } else if (parameter.type() == FieldType.INT32) {
            json.writeNumberField(field, parameter.bits());
        } else {
            // All digits of the float: programs compare it with the result of other readers.
            json.writeNumberField(field, parameter.value());
        }
    }

    private void qgc() {
        int system = systemId();
        out.println("# Onboard parameters for Vehicle " + system);
        out.println("#");
        out.println("# Vehicle-Id Component-Id Name Value Type");
        log.entries()
                .forEach((name, entry) -> out.println(String.join(
                        "\t",
                        Integer.toString(system),
                        "1",
                        word(name),
                        plain(entry.value(), "%.18f"),
                        Integer.toString(entry.value().type() == FieldType.INT32 ? MAV_INT32 : MAV_REAL32))));
    }

    private void mavProxy() {
        log.entries()
                .forEach((name, entry) ->
                        out.println(String.format(Locale.ROOT, "%-16s %s", word(name), plain(entry.value(), "%f"))));
    }

    /** The vehicle's own system id, from its parameters. */
    private int systemId() {
        return Stream.of("MAV_SYS_ID", "MAV_SYSID", "SYSID_THISMAV")
                .flatMap(name -> Optional.ofNullable(log.entries().get(name)).stream())
                .map(entry -> (int) entry.value().value())
                .filter(id -> id >= 1 && id <= MAX_SYSTEM_ID)
                .findFirst()
                .orElse(1);
    }

    /** A value in the form of these programs, unless that would lose digits. */
    private static String plain(Parameter parameter, String format) {
        if (parameter.type() == FieldType.INT32) {
            return Integer.toString(parameter.bits());
        }
        double value = parameter.value();
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        String text = String.format(Locale.ROOT, format, value);
        return Float.parseFloat(text) == (float) value ? text : Float.toString((float) value);
    }

    /** A name as a single word. */
    private static String word(String name) {
        return Words.line(name, MAX_NAME).replace(' ', '_');
    }

    private static String cell(String name) {
        return Words.line(name, MAX_NAME);
    }
}
