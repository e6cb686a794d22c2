package org.mavlogd.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A line for mavlogd's socket, built from the words of a command line. */
final class PublishedLine {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    // Values of JSON, including arrays, whose contents mavlogd checks. Everything else is a text.
    private static final Pattern RAW =
            Pattern.compile(NUMBER.pattern() + "|true|false|null|NaN|-?Infinity|\\[.*]|\".*\"");
    private static final Pattern QUOTED_LINE = Pattern.compile("[^\\n\\r]*");

    private final StringWriter out = new StringWriter();
    private final List<String> times = new ArrayList<>();

    private record Pair(String name, String value) {}

    private interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    /** @throws IllegalArgumentException with a text for the user, like the other methods */
    PublishedLine time(@Nullable String monotonic, @Nullable String utc) {
        if (monotonic != null && utc != null) {
            throw new IllegalArgumentException("--time and --utc exclude each other");
        }
        if (monotonic != null) {
            times.addAll(List.of("time", number("--time", monotonic)));
        }
        if (utc != null) {
            times.addAll(List.of("utc", number("--utc", utc)));
        }
        return this;
    }

    private static String number(String option, String value) {
        if (!NUMBER.matcher(value).matches()) {
            throw new IllegalArgumentException(option + " is '" + value + "', and must be a number of seconds");
        }
        return value;
    }

    PublishedLine sample(String topic, @Nullable Integer instance, List<String> fields) {
        return object(json -> {
            json.writeStringField("topic", topic);
            if (instance != null) {
                json.writeNumberField("instance", instance);
            }
            json.writeObjectFieldStart("fields");
            for (String field : fields) {
                Pair pair = pair(field, "VALUE");
                json.writeFieldName(pair.name());
                if (RAW.matcher(pair.value()).matches()
                        && QUOTED_LINE.matcher(pair.value()).matches()) {
                    json.writeRawValue(pair.value());
                } else {
                    json.writeString(pair.value());
                }
            }
            json.writeEndObject();
        });
    }

    PublishedLine text(String text, @Nullable String level, @Nullable String tag) {
        return object(json -> {
            json.writeStringField("text", text);
            word(json, "level", level);
            word(json, "tag", tag);
        });
    }

    private static void word(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value == null) {
            return;
        }
        json.writeFieldName(name);
        if (value.matches("0|[1-9][0-9]{0,8}")) {
            json.writeRawValue(value);
        } else {
            json.writeString(value);
        }
    }

    PublishedLine definition(String topic, List<String> fields) {
        List<Pair> pairs = fields.stream().map(field -> pair(field, "TYPE")).toList();
        return object(json -> {
            json.writeStringField("define", topic);
            json.writeObjectFieldStart("fields");
            for (Pair pair : pairs) {
                json.writeStringField(pair.name(), pair.value().split(":", 2)[0]);
            }
            json.writeEndObject();
            json.writeObjectFieldStart("units");
            for (Pair pair : pairs) {
                String[] parts = pair.value().split(":", 2);
                if (parts.length > 1) {
                    json.writeStringField(pair.name(), parts[1]);
                }
            }
            json.writeEndObject();
        });
    }

    private static Pair pair(String word, String what) {
        int equals = word.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("'" + word + "' must be FIELD=" + what);
        }
        return new Pair(word.substring(0, equals), word.substring(equals + 1));
    }

    private PublishedLine object(Content content) {
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.writeStartObject();
            content.write(json);
            for (int i = 0; i < times.size(); i += 2) {
                json.writeFieldName(times.get(i));
                json.writeRawValue(times.get(i + 1));
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory", e);
        }
        return this;
    }

    String text() {
        return out.toString();
    }
}
