package org.mavlogd.local.publish;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Reads the fields of a topic from a definition, or from its first sample: then numbers become {@code double}, true and
 * false {@code bool}, and strings {@code char} arrays. The line must have been parsed as JSON before. Owned by one
 * thread.
 */
final class DefinitionReader {
    private static final int TEXT_STEP = 64;
    private static final int MAX_TEXT = 1024;

    private final JsonLine line;

    DefinitionReader(JsonLine line) {
        this.line = line;
    }

    /** Reads a definition, a line with {@code define}. */
    TopicDefinition read(byte[] bytes, int offset, int length, String name) throws BadLineException {
        return build(bytes, offset, length, name, true);
    }

    /** Derives a definition from a sample. */
    TopicDefinition infer(byte[] bytes, int offset, int length, String name) throws BadLineException {
        return build(bytes, offset, length, name, false);
    }

    private TopicDefinition build(byte[] bytes, int offset, int length, String name, boolean defined)
            throws BadLineException {
        TopicDefinition.Builder builder = new TopicDefinition.Builder(name);
        String problem = "";
        line.begin(bytes, offset, length);
        while (line.next() == JsonToken.FIELD_NAME) {
            boolean isFields = isKey("fields");
            boolean isUnits = isKey("units");
            JsonToken value = line.next();
            if ((isFields || isUnits) && value == JsonToken.START_OBJECT) {
                String found = members(builder, isFields, defined);
                problem = problem.isEmpty() ? found : problem;
            } else {
                problem = isUnits && problem.isEmpty() ? "\"units\": expected an object" : problem;
                line.skip(value);
            }
        }
        line.end();
        if (problem.isEmpty()) {
            try {
                return builder.build();
            } catch (IllegalArgumentException e) {
                problem = String.valueOf(e.getMessage());
            }
        }
        throw new BadLineException(BadLineException.Fault.TOPIC, problem);
    }

    /** Whether the parser's current key is this one. */
    boolean isKey(String key) throws BadLineException {
        return key.equals(name());
    }

    private String name() throws BadLineException {
        try {
            return line.token().currentName();
        } catch (IOException e) {
            throw new BadLineException(BadLineException.Fault.JSON, String.valueOf(e.getMessage()));
        }
    }

    private String members(TopicDefinition.Builder builder, boolean fields, boolean defined) throws BadLineException {
        String problem = "";
        while (line.next() == JsonToken.FIELD_NAME) {
            String name = name();
            JsonToken value = line.next();
            try {
                if (fields && !defined) {
                    builder.field(inferred(name, value), name);
                } else if (fields) {
                    builder.field(text(name, value), name);
                } else {
                    builder.unit(name, text(name, value));
                }
            } catch (IllegalArgumentException e) {
                problem = problem.isEmpty() ? String.valueOf(e.getMessage()) : problem;
            }
        }
        return problem;
    }

    private String text(String name, JsonToken value) throws BadLineException {
        if (value != JsonToken.VALUE_STRING) {
            String found = FieldsReader.describe(value, line.token());
            line.skip(value);
            throw new IllegalArgumentException(
                    "field " + BadLineException.quote(name) + ": expected a string, found " + found);
        }
        try {
            return line.token().getText();
        } catch (IOException e) {
            throw new BadLineException(BadLineException.Fault.JSON, String.valueOf(e.getMessage()));
        }
    }

    private String inferred(String name, JsonToken value) throws BadLineException {
        return switch (value) {
            case START_ARRAY -> inferredArray(name);
            case VALUE_STRING -> {
                String text = text(name, value);
                int bytes = Utf8Chars.size(text);
                int steps = Math.max(1, (bytes + TEXT_STEP - 1) / TEXT_STEP);
                yield "char[" + Math.min(MAX_TEXT, steps * TEXT_STEP) + "]";
            }
            case START_OBJECT -> {
                line.skip(value);
                throw new IllegalArgumentException(
                        "field " + BadLineException.quote(name) + " is an object; allowed: numbers, true, "
                                + "false, null, strings, and arrays of numbers or of true and false");
            }
            default -> scalar(value);
        };
    }

    private static String scalar(JsonToken value) {
        // Also for integers, because the next sample may have a fraction. A double is exact up to 2^53.
        return value.isBoolean() ? "bool" : "double";
    }

    private String inferredArray(String name) throws BadLineException {
        int count = 0;
        String type = "";
        boolean alike = true;
        for (JsonToken element = line.next(); element != JsonToken.END_ARRAY; element = line.next()) {
            boolean simple = element.isNumeric() || element.isBoolean() || element == JsonToken.VALUE_NULL;
            alike &= simple && (type.isEmpty() || type.equals(scalar(element)));
            type = scalar(element);
            line.skip(element);
            count++;
        }
        if (!alike || count == 0) {
            throw new IllegalArgumentException("field " + BadLineException.quote(name)
                    + " is an array that has no type; allowed: numbers only, or true and false only, one at least");
        }
        return type + "[" + count + "]";
    }
}
