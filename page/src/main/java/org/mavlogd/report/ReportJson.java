package org.mavlogd.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.mavlogd.flight.FlightSummary.Interval;
import org.mavlogd.flight.FlightTrack.Point;
import org.mavlogd.logtools.LogMessages.Message;
import org.mavlogd.report.LineTally.Found;
import org.mavlogd.report.Report.Plot;
import org.mavlogd.report.Report.SpectrumPlot;
import org.mavlogd.report.fields.Definitions.Definition;
import org.mavlogd.report.tally.ColumnSeries;
import org.mavlogd.report.tally.Spectrum;
import org.mavlogd.survey.SurveyFacts;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.Parameter;

/**
 * Writes a report as a JSON object; docs/page.md describes it.
 *
 * <p>{@code <}, {@code >} and {@code &} are written as escapes, so that the object can be part of a page: no text of a
 * log can end its element.
 */
public final class ReportJson {
    private static final int MAX_PARAMETERS = 2000;
    private static final JsonFactory FACTORY = new JsonFactory().setCharacterEscapes(new NoMarkup());

    private final Report report;
    private final JsonGenerator json;

    private ReportJson(Report report, JsonGenerator json) {
        this.report = report;
        this.json = json;
    }

    /** Writes in UTF-8; the stream stays open. */
    public static void write(Report report, OutputStream out) throws IOException {
        JsonGenerator json = FACTORY.createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        new ReportJson(report, json).write();
        json.close();
    }

    private void write() throws IOException {
        json.writeStartObject();
        head();
        figures();
        problems();
        plots();
        spectra();
        track();
        intervals();
        messages();
        parameters();
        json.writeEndObject();
    }

    private void head() throws IOException {
        long beginUs = report.survey().beginUs();
        json.writeStringField("log", report.name());
        json.writeStringField("vehicle", report.facts().vehicle());
        json.writeStringField("software", report.facts().software());
        String utc = report.survey().utcAt(beginUs).map(Instant::toString).orElse(null);
        if (utc != null) {
            json.writeStringField("start_utc", utc);
        }
        json.writeNumberField("duration_s", report.survey().durationUs() / 1e6);
        json.writeNumberField("from_us", beginUs);
        json.writeNumberField("to_us", Math.max(beginUs, report.survey().endUs()));
    }

    private void figures() throws IOException {
        json.writeArrayFieldStart("figures");
        for (Figure figure : report.figures()) {
            json.writeStartObject();
            json.writeStringField("id", figure.id());
            json.writeStringField("group", figure.group());
            json.writeStringField("name", figure.name());
            number("value", figure.value());
            optional("unit", figure.unit());
            json.writeStringField("text", figure.text());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void problems() throws IOException {
        json.writeArrayFieldStart("problems");
        for (Problem problem : report.problems()) {
            json.writeStartObject();
            json.writeNumberField("t_us", problem.fromUs());
            if (problem.toUs().isPresent()) {
                json.writeNumberField("to_us", problem.toUs().getAsLong());
            }
            json.writeStringField("severity", problem.severity().text());
            json.writeStringField("kind", problem.kind());
            json.writeStringField("text", problem.text());
            number("value", problem.value());
            number("limit", problem.limit());
            optional("unit", problem.unit());
            optional("source", problem.source());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void plots() throws IOException {
        json.writeArrayFieldStart("plots");
        for (Plot plot : report.plots()) {
            json.writeStartObject();
            about(plot.definition());
            limits(plot.definition().textOr("limit", ""));
            json.writeArrayFieldStart("series");
            for (Found<ColumnSeries> series : plot.series()) {
                series(series);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void about(Definition definition) throws IOException {
        json.writeStringField("id", definition.id());
        json.writeStringField("group", definition.text("group"));
        json.writeStringField("title", definition.text("title"));
        json.writeStringField("unit", definition.textOr("unit", ""));
        json.writeStringField("explain", definition.text("explain"));
    }

    private void limits(String limits) throws IOException {
        if (!limits.isEmpty()) {
            json.writeArrayFieldStart("limits");
            for (String limit : limits.split(" ", -1)) {
                json.writeNumber(limit);
            }
            json.writeEndArray();
        }
    }

    private void series(Found<ColumnSeries> found) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", found.name());
        json.writeStringField("field", found.field());
        json.writeNumberField("samples", found.sink().values());
        new ColumnJson(found.sink(), json).write();
        json.writeEndObject();
    }

    private void spectra() throws IOException {
        json.writeArrayFieldStart("spectra");
        for (SpectrumPlot plot : report.spectra()) {
            json.writeStartObject();
            about(plot.definition());
            json.writeArrayFieldStart("series");
            for (Found<Spectrum> series : plot.series()) {
                spectrum(series);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void spectrum(Found<Spectrum> found) throws IOException {
        Spectrum spectrum = found.sink();
        json.writeStartObject();
        json.writeStringField("name", found.name());
        json.writeStringField("field", found.field());
        json.writeNumberField("windows", spectrum.windows());
        plotted("rate_hz", spectrum.rateHz());
        plotted("resolution_hz", spectrum.hertz(1));
        json.writeArrayFieldStart("density");
        for (int bin = 0; bin < Spectrum.BINS; bin++) {
            json.writeNumber(Numbers.plotted(spectrum.density(bin)));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void track() throws IOException {
        List<Point> points = report.track();
        if (points.size() < 2) {
            return;
        }
        json.writeObjectFieldStart("track");
        json.writeStringField("source", report.survey().flight().way().source().orElse("local position"));
        json.writeArrayFieldStart("t_us");
        for (Point point : points) {
            json.writeNumber(point.timestampUs());
        }
        json.writeEndArray();
        coordinates("east_m", points.stream().mapToDouble(Point::eastM).toArray());
        coordinates("north_m", points.stream().mapToDouble(Point::northM).toArray());
        coordinates("speed_m_s", points.stream().mapToDouble(Point::speedMS).toArray());
        json.writeEndObject();
    }

    private void coordinates(String field, double[] values) throws IOException {
        json.writeArrayFieldStart(field);
        for (double value : values) {
            if (Double.isFinite(value)) {
                json.writeNumber(Numbers.plotted(value));
            } else {
                json.writeNull();
            }
        }
        json.writeEndArray();
    }

    private void intervals() throws IOException {
        json.writeArrayFieldStart("modes");
        for (Interval mode : report.survey().flight().modes()) {
            json.writeStartObject();
            json.writeNumberField("from_us", mode.fromUs());
            json.writeNumberField("to_us", mode.toUs());
            json.writeStringField("mode", mode.name());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("armed");
        for (Interval armed : report.survey().flight().armed()) {
            json.writeStartArray();
            json.writeNumber(armed.fromUs());
            json.writeNumber(armed.toUs());
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    private void messages() throws IOException {
        SurveyFacts facts = report.facts();
        json.writeArrayFieldStart("messages");
        for (Message message : facts.messages()) {
            json.writeStartObject();
            json.writeNumberField("t_us", message.timestampUs());
            json.writeStringField("level", level(message.level()));
            json.writeStringField("kind", message.kind().text());
            json.writeStringField("message", message.text());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberField("message_count", facts.messageCount());
    }

    private static String level(LogLevel level) {
        return level.name().toLowerCase(Locale.ROOT);
    }

    private void parameters() throws IOException {
        json.writeObjectFieldStart("parameters");
        json.writeArrayFieldStart("changed");
        for (SurveyFacts.Change change : report.facts().changedParameters(MAX_PARAMETERS)) {
            json.writeStartObject();
            json.writeStringField("name", change.name());
            json.writeNumberField("t_us", change.timestampUs());
            parameter("before", change.before());
            parameter("value", change.value());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("non_default");
        for (SurveyFacts.NonDefault parameter : report.facts().nonDefaultParameters()) {
            json.writeStartObject();
            json.writeStringField("name", parameter.name());
            parameter("value", parameter.value());
            parameter("default", parameter.defaultValue());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void parameter(String field, Parameter parameter) throws IOException {
        json.writeFieldName(field);
        if (Double.isFinite(parameter.value())) {
            json.writeNumber(SurveyFacts.text(parameter));
        } else {
            json.writeNull();
        }
    }

    private void number(String field, OptionalDouble value) throws IOException {
        if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
            json.writeNumberField(field, value.getAsDouble());
        }
    }

    private void plotted(String field, double value) throws IOException {
        json.writeFieldName(field);
        json.writeNumber(Numbers.plotted(value));
    }

    private void optional(String field, String text) throws IOException {
        if (!text.isEmpty()) {
            json.writeStringField(field, text);
        }
    }

    /** Escapes characters that could be markup, and line ends of JavaScript that are not line ends in JSON. */
    private static final class NoMarkup extends CharacterEscapes {
        private static final long serialVersionUID = 1;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            for (char c : new char[] {'<', '>', '&', '\''}) {
                codes[c] = ESCAPE_STANDARD;
            }
            return codes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            boolean isLineEnd = character == 0x2028 || character == 0x2029;
            return isLineEnd ? new SerializedString(String.format(Locale.ROOT, "\\u%04x", character)) : null;
        }
    }
}
