package org.mavlogd.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.Progress;

/** Reports as JSON text, or parsed into maps, lists, texts and numbers. */
final class ReportJsonText {
    private ReportJsonText() {}

    static String of(Path log) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ReportJson.write(Report.of(log, log.getFileName().toString(), Progress.NONE), out);
        return out.toString(StandardCharsets.UTF_8);
    }

    static Map<String, Object> parsed(Path log) throws IOException {
        return object(parse(of(log)));
    }

    static Object parse(String json) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            Object value = value(parser);
            if (value == null || parser.nextToken() != null) {
                throw new IOException("more or less than one value");
            }
            return value;
        }
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                return object;
            }
            case START_ARRAY -> {
                List<@Nullable Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                return array;
            }
            case VALUE_STRING -> {
                return parser.getText();
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                return parser.getDoubleValue();
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                return parser.getBooleanValue();
            }
            default -> {
                return null;
            }
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> objects(@Nullable Object value) {
        return (List<Map<String, Object>>) Objects.requireNonNull(value);
    }

    static double number(Map<String, Object> object, String field) {
        return (Double) Objects.requireNonNull(object.get(field), field);
    }

    static String text(Map<String, Object> object, String field) {
        return (String) Objects.requireNonNull(object.get(field), field);
    }

    /** The numbers of a list; null becomes NaN. */
    static double[] numbers(@Nullable Object value) {
        return ((List<?>) Objects.requireNonNull(value))
                .stream()
                        .mapToDouble(number -> number == null ? Double.NaN : (Double) number)
                        .toArray();
    }

    /** The objects of a list whose field has this text. */
    static List<Map<String, Object>> with(@Nullable Object list, String field, String value) {
        return objects(list).stream()
                .filter(object -> value.equals(object.get(field)))
                .toList();
    }

    static Map<String, Object> parsedUnchecked(Path log) {
        try {
            return parsed(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
