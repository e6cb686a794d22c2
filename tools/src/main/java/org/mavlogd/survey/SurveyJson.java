package org.mavlogd.survey;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.mavlogd.flight.FlightBatteries;
import org.mavlogd.flight.FlightSummary;
import org.mavlogd.flight.FlightWay;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogMessages.Kind;
import org.mavlogd.logtools.LogMessages.Message;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;

/** A survey as a JSON object in ASCII, for any terminal; docs/log-tools.md lists the fields. */
public final class SurveyJson {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final int DECIMALS = 3;

    private final LogSurvey survey;
    private final JsonGenerator json;

    private SurveyJson(LogSurvey survey, JsonGenerator json) {
        this.survey = survey;
        this.json = json;
    }

    /** Prints the survey in several lines. */
    public static void print(LogSurvey survey, PrintWriter out) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            SurveyJson whole = new SurveyJson(survey, json);
            whole.fields();
            whole.flight();
            whole.texts();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter does not fail
        }
        out.println(text);
    }

    /** Prints the survey in one line, preceded by the file and the result of the check. */
    public static void printChecked(String file, LogSurvey survey, PrintWriter out) {
        printLine(file, survey.damage().isNone() ? "intact" : "damaged", Optional.of(survey), "", out);
    }

    /** Prints a line for a refused file. */
    public static void printRefused(String file, String error, PrintWriter out) {
        printLine(file, "refused", Optional.empty(), error, out);
    }

    private static void printLine(
            String file, String result, Optional<LogSurvey> survey, String error, PrintWriter out) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("file", file);
            json.writeStringField("result", result);
            if (survey.isPresent()) {
                new SurveyJson(survey.get(), json).fields();
            } else {
                json.writeStringField("error", error);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter does not fail
        }
        out.println(text);
    }

    private void fields() throws IOException {
        json.writeNumberField("version", survey.version());
        unsigned("start_us", survey.startUs());
        unsigned("end_us", survey.endUs());
        json.writeNumberField("duration_us", survey.durationUs());
        utc("start_utc", survey.beginUs());
        json.writeNumberField("size", survey.sizeBytes());
        json.writeNumberField("formats", survey.formats());
        topics();
        infos();
        parameters();
        json.writeObjectFieldStart("dropouts");
        json.writeNumberField("count", survey.dropouts());
        json.writeNumberField("total_ms", survey.dropoutMs());
        json.writeEndObject();
        json.writeNumberField("logged_strings", survey.texts().untagged());
        json.writeNumberField("tagged_strings", survey.texts().tagged());
        json.writeNumberField("events", survey.texts().events());
        tags();
        json.writeNumberField("sync", survey.syncs());
        json.writeNumberField("appended_sections", survey.sections());
        damage(survey.damage());
        json.writeNumberField("unknown_messages", survey.unknownMessages());
    }

    /** The number of messages of each tag, and its name in the log. */
    private void tags() throws IOException {
        TagMap names = survey.infos().tags();
        json.writeArrayFieldStart("tags");
        for (Map.Entry<Integer, Long> tag : survey.texts().byTag().entrySet()) {
            json.writeStartObject();
            json.writeNumberField("tag", tag.getKey());
            json.writeStringField("name", names.name(tag.getKey()).orElse(null));
            json.writeNumberField("texts", tag.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The first messages, in chronological order. */
    private void texts() throws IOException {
        TagMap names = survey.infos().tags();
        json.writeArrayFieldStart("texts");
        for (Message text : survey.texts().first()) {
            json.writeStartObject();
            unsigned("timestamp_us", text.timestampUs());
            json.writeStringField("level", text.level().name().toLowerCase(Locale.ROOT));
            json.writeStringField("kind", text.kind().text());
            if (text.kind() == Kind.TAGGED) {
                json.writeNumberField("tag", text.tag());
                json.writeStringField("tag_name", names.name(text.tag()).orElse(null));
            }
            json.writeStringField("text", text.text());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Modes, armed times, distance and batteries. */
    private void flight() throws IOException {
        FlightSummary flight = survey.flight();
        FlightWay.Result way = flight.way();
        json.writeObjectFieldStart("flight");
        json.writeStringField("vehicle", flight.vehicleKind().isEmpty() ? null : flight.vehicleKind());
        if (flight.knowsArming()) {
            json.writeNumberField("armed_us", flight.armedUs());
        } else {
            json.writeNullField("armed_us");
        }
        intervals("armed", flight.armed());
        intervals("modes", flight.modes());
        json.writeStringField("position_source", way.source().orElse(null));
        number("distance_m", way.distanceM());
        number("max_speed_m_s", way.maximumSpeedMS());
        number("max_height_m", way.maximumHeightM());
        number("max_altitude_m", way.maximumAltitudeM());
        batteries(flight.batteries());
        json.writeEndObject();
    }

    private void batteries(List<FlightBatteries.Battery> batteries) throws IOException {
        json.writeArrayFieldStart("batteries");
        for (FlightBatteries.Battery battery : batteries) {
            json.writeStartObject();
            json.writeStringField("topic", battery.topic());
            number("used_mah", battery.usedMah());
            number("used_percent", battery.usedPercent());
            number("min_voltage_v", battery.minimumVolts());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void intervals(String field, List<FlightSummary.Interval> intervals) throws IOException {
        json.writeArrayFieldStart(field);
        for (FlightSummary.Interval interval : intervals) {
            json.writeStartObject();
            unsigned("from_us", interval.fromUs());
            unsigned("to_us", interval.toUs());
            json.writeStringField("name", interval.name());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** A number with three decimals, or null. */
    private void number(String field, OptionalDouble value) throws IOException {
        json.writeFieldName(field);
        if (value.isPresent()) {
            json.writeNumber(BigDecimal.valueOf(value.getAsDouble())
                    .setScale(DECIMALS, RoundingMode.HALF_UP)
                    .doubleValue());
        } else {
            json.writeNull();
        }
    }

    private void topics() throws IOException {
        json.writeNumberField("data_messages", survey.dataMessages());
        json.writeArrayFieldStart("topics");
        for (TopicTally topic : survey.topics().inOrder()) {
            if (topic.messages() > 0) {
                json.writeStartObject();
                identity(topic);
                json.writeNumberField("messages", topic.messages());
                json.writeNumberField("bytes", topic.bytes());
                unsigned("first_us", topic.firstUs());
                unsigned("last_us", topic.lastUs());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart("topics_without_messages");
        for (TopicTally topic : survey.topics().inOrder()) {
            if (topic.messages() == 0) {
                json.writeStartObject();
                identity(topic);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private void identity(TopicTally topic) throws IOException {
        json.writeStringField("name", topic.name());
        json.writeNumberField("multi_id", topic.multiId());
        json.writeNumberField("msg_id", topic.messageId());
        json.writeBooleanField("companion", survey.isLocal(topic));
    }

    private void infos() throws IOException {
        json.writeObjectFieldStart("info");
        for (KeyedValue info : survey.infos().infos().values()) {
            json.writeFieldName(info.name());
            value(info);
        }
        json.writeEndObject();
        json.writeObjectFieldStart("multi_info");
        for (Map.Entry<String, InfoTally.MultiInfo> entry :
                survey.infos().multiInfos().entrySet()) {
            json.writeObjectFieldStart(entry.getKey());
            json.writeNumberField("lists", entry.getValue().lists());
            json.writeNumberField("pieces", entry.getValue().pieces());
            json.writeNumberField("bytes", entry.getValue().bytes());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** A text, a number, true or false; bytes of other types in hexadecimal. */
    private void value(KeyedValue info) throws IOException {
        Optional<FieldType> type =
                info.key().basicType().filter(t -> !info.key().isArray());
        if (info.isText()) {
            json.writeString(info.text());
        } else if (type.isEmpty()) {
            json.writeString(HexFormat.of().formatHex(info.bytes()));
        } else {
            switch (type.get()) {
                case BOOL -> json.writeBoolean(info.integer() != 0);
                case CHAR -> json.writeString(info.text());
                case UINT64 -> json.writeNumber(Long.toUnsignedString(info.integer()));
                case FLOAT -> json.writeNumber((float) info.number());
                case DOUBLE -> json.writeNumber(info.number());
                default -> json.writeNumber(info.integer());
            }
        }
    }

    private void parameters() throws IOException {
        ParameterTally parameters = survey.parameters();
        json.writeNumberField("parameters", parameters.count());
        json.writeNumberField("parameter_changes", parameters.changeCount());
        json.writeNumberField("non_default_parameters", parameters.nonDefaultCount());
        json.writeNumberField("default_parameters", parameters.defaultCount());
        json.writeNumberField("default_parameters_system", parameters.systemDefaultCount());
        json.writeNumberField("default_parameters_setup", parameters.setupDefaultCount());
    }

    private void damage(LogDamage damage) throws IOException {
        json.writeNumberField("truncated_bytes", damage.truncatedBytes());
        json.writeNumberField("damaged_spans", damage.spans());
        json.writeNumberField("damaged_bytes", damage.spanBytes());
        json.writeNumberField("orphan_messages", damage.orphanMessages());
        json.writeNumberField("flawed_messages", damage.flawedMessages());
        if (damage.firstPosition() == LogDamage.NOWHERE) {
            json.writeNullField("first_damage_at");
        } else {
            json.writeNumberField("first_damage_at", damage.firstPosition());
        }
    }

    private void unsigned(String field, long value) throws IOException {
        json.writeFieldName(field);
        json.writeNumber(Long.toUnsignedString(value));
    }

    /** A time in ISO 8601, or null. */
    private void utc(String field, long timestampUs) throws IOException {
        Optional<Instant> instant = survey.utcAt(timestampUs);
        json.writeFieldName(field);
        if (instant.isPresent()) {
            json.writeString(instant.get().toString());
        } else {
            json.writeNull();
        }
    }
}
