package org.mavlogd.fleet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.mavlogd.fleet.state.Version;
import org.mavlogd.fleet.targets.Digests;
import org.mavlogd.flight.FlightSummary;
import org.mavlogd.flight.FlightWay;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.Progress;
import org.mavlogd.status.StatusClient;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.survey.SurveyFacts;
import org.mavlogd.text.Words;

/**
 * The facts of one file for a manifest: its checksum, and the facts of the flight that require reading the complete
 * file.
 *
 * @param vehicleId unique id of the vehicle in the log; may be empty
 * @param json one object
 */
record FileFacts(Version version, String sha256, String vehicleId, String json) {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final int MAX_TEXT = 200;
    private static final int MAX_MODES = 32;
    private static final double MS_PER_S = 1000;
    private static final double US_PER_S = 1e6;

    /** Reads a file twice: for its checksum, and for its contents. */
    static FileFacts read(LogFile file, Path path) throws IOException {
        String sha256 = Digests.sha256(path, file.version().bytes());
        StringWriter text = new StringWriter();
        String vehicleId = "";
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("file", file.name());
            json.writeNumberField("bytes", file.version().bytes());
            json.writeNumberField("modified_ms", file.version().modifiedMs());
            json.writeStringField("sha256", sha256);
            if (!file.isToldByOther()) {
                vehicleId = flight(json, path);
            }
            json.writeEndObject();
        }
        return new FileFacts(file.version(), sha256, vehicleId, text.toString());
    }

    private static String flight(JsonGenerator json, Path path) throws IOException {
        LogSurvey survey;
        try {
            survey = LogSurvey.of(path, 1, Progress.NONE);
        } catch (IOException | RuntimeException e) {
            // The log is sent nevertheless: other programs may read more of it, and an error of ours must not keep it
            // here.
            json.writeStringField("damage", Words.line(String.valueOf(e.getMessage()), MAX_TEXT));
            return "";
        }
        SurveyFacts facts = new SurveyFacts(survey);
        String id = facts.uuid().orElse("");
        json.writeStringField("vehicle_id", Words.line(id, MAX_TEXT));
        json.writeStringField("vehicle", Words.line(facts.vehicle(), MAX_TEXT));
        json.writeStringField("software", Words.line(facts.software(), MAX_TEXT));
        json.writeStringField(
                "start_utc",
                survey.utcAt(survey.beginUs()).map(Instant::toString).orElse(null));
        json.writeNumberField("duration_s", survey.durationUs() / US_PER_S);
        way(json, survey.flight());
        losses(json, survey);
        json.writeBooleanField("crash", !facts.crashText().isEmpty());
        return id;
    }

    private static void losses(JsonGenerator json, LogSurvey survey) throws IOException {
        json.writeNumberField("dropouts", survey.dropouts());
        json.writeNumberField("lost_s", survey.dropoutMs() / MS_PER_S);
        LogDamage damage = survey.damage();
        json.writeStringField("damage", damage.isNone() ? null : Words.line(damage.text(), MAX_TEXT));
    }

    private static void way(JsonGenerator json, FlightSummary flight) throws IOException {
        json.writeArrayFieldStart("modes");
        List<String> modes = flight.modes().stream()
                .map(FlightSummary.Interval::name)
                .distinct()
                .limit(MAX_MODES)
                .toList();
        for (String mode : modes) {
            json.writeString(Words.line(mode, MAX_TEXT));
        }
        json.writeEndArray();
        if (flight.knowsArming()) {
            json.writeNumberField("armed_s", flight.armedUs() / US_PER_S);
        }
        FlightWay.Result way = flight.way();
        number(json, "distance_m", way.distanceM());
        number(json, "max_speed_m_s", way.maximumSpeedMS());
    }

    private static void number(JsonGenerator json, String name, OptionalDouble value) throws IOException {
        if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
            json.writeNumberField(name, Math.round(value.getAsDouble() * MS_PER_S) / MS_PER_S);
        } else {
            json.writeNullField(name);
        }
    }

    /** Parses stored facts; empty if they are not of this version of the file. */
    static Optional<FileFacts> parse(String text, LogFile file) {
        try {
            Map<String, @Nullable Object> values = StatusClient.parse(text);
            FileFacts facts = new FileFacts(
                    new Version(number(values, "bytes"), number(values, "modified_ms")),
                    string(values, "sha256"),
                    string(values, "vehicle_id"),
                    text);
            boolean isThis = facts.version.equals(file.version())
                    && file.name().equals(values.get("file"))
                    && !facts.sha256.isEmpty();
            return isThis ? Optional.of(facts) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static long number(Map<String, @Nullable Object> values, String name) {
        return values.get(name) instanceof Number number ? number.longValue() : -1;
    }

    private static String string(Map<String, @Nullable Object> values, String name) {
        return values.get(name) instanceof String text ? text : "";
    }
}
