package org.mavlogd.local.publish;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.NumberInput;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.metrics.Counter;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;

/**
 * Reads the object {@code fields} of a sample into its topic. Every field must be there once and match its type; texts
 * that are too long are truncated. Owned by one thread. Hot path.
 */
final class FieldsReader {

    private static final BigInteger MAX_UINT64 = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    private static final double MAX_EXACT = 1L << 53;

    private final JsonLine line;
    private final Counter cut;

    FieldsReader(JsonLine line, Counter cut) {
        this.line = line;
        this.cut = cut;
    }

    /**
     * Reads from after the opening brace to the closing one, even after an error, unless the JSON itself is invalid.
     *
     * @return the first error; empty if the sample is complete
     */
    String read(PublishedTopic topic) throws BadLineException {
        topic.begin();
        String problem = "";
        while (line.next() == JsonToken.FIELD_NAME) {
            String name = currentName();
            JsonToken value = line.next();
            int index = topic.indexOf(name);
            String found;
            if (index < 0) {
                line.skip(value);
                found = problem.isEmpty() ? unknown(topic, name) : problem;
            } else if (!topic.fill(index)) {
                line.skip(value);
                found = "field " + BadLineException.quote(name) + " is listed twice";
            } else {
                found = value(topic, index, value);
            }
            problem = problem.isEmpty() ? found : problem;
        }
        if (problem.isEmpty() && !topic.isComplete()) {
            return "topic " + BadLineException.quote(topic.name()) + ": missing " + String.join(", ", topic.missing());
        }
        return problem;
    }

    private static String unknown(PublishedTopic topic, String name) {
        return "topic " + BadLineException.quote(topic.name()) + " has no field " + BadLineException.quote(name)
                + ", it has: " + String.join(", ", topic.fieldNames());
    }

    private String currentName() throws BadLineException {
        try {
            return line.token().currentName();
        } catch (IOException e) {
            throw new BadLineException(BadLineException.Fault.JSON, String.valueOf(e.getMessage()));
        }
    }

    private String value(PublishedTopic topic, int index, JsonToken value) throws BadLineException {
        Column column = topic.column(index);
        int at = topic.offset(index);
        if (column.type() == FieldType.CHAR) {
            return text(topic, column, at, value);
        }
        if (!column.isArray()) {
            return element(topic, column, at, value);
        }
        if (value != JsonToken.START_ARRAY) {
            line.skip(value);
            return wrong(topic, column, "an array of " + column.count(), describe(value));
        }
        return array(topic, column, at);
    }

    private String array(PublishedTopic topic, Column column, int from) throws BadLineException {
        String problem = "";
        int count = 0;
        for (JsonToken element = line.next(); element != JsonToken.END_ARRAY; element = line.next()) {
            if (count < column.count()) {
                String found =
                        element(topic, column, from + count * column.type().length(), element);
                problem = problem.isEmpty() ? found : problem;
            } else {
                line.skip(element);
            }
            count++;
        }
        return !problem.isEmpty() || count == column.count()
                ? problem
                : wrong(topic, column, "an array of " + column.count(), "an array of " + count);
    }

    private String element(PublishedTopic topic, Column column, int at, JsonToken value) throws BadLineException {
        try {
            return switch (column.type()) {
                case BOOL -> bool(topic, column, at, value);
                case FLOAT, DOUBLE -> decimal(topic, column, at, value);
                default -> whole(topic, column, at, value);
            };
        } catch (IOException e) {
            // For numbers beyond all types.
            return wrong(topic, column, "a number", "one beyond all limits");
        }
    }

    private String bool(PublishedTopic topic, Column column, int at, JsonToken value) throws BadLineException {
        if (!value.isBoolean()) {
            return mismatch(topic, column, "true or false", value);
        }
        topic.values()[at] = (byte) (value == JsonToken.VALUE_TRUE ? 1 : 0);
        return "";
    }

    private String decimal(PublishedTopic topic, Column column, int at, JsonToken value)
            throws BadLineException, IOException {
        if (!value.isNumeric() && value != JsonToken.VALUE_NULL) {
            return mismatch(topic, column, "a number or null", value);
        }
        double number = value == JsonToken.VALUE_NULL ? Double.NaN : number(line.token());
        if (column.type() == FieldType.FLOAT) {
            LittleEndian.putInt32(topic.values(), at, Float.floatToRawIntBits((float) number));
        } else {
            LittleEndian.putInt64(topic.values(), at, Double.doubleToRawLongBits(number));
        }
        return "";
    }

    /** The number at the parser's position. */
    static double number(JsonParser json) throws IOException {
        char[] text = json.getTextCharacters();
        int offset = json.getTextOffset();
        int length = json.getTextLength();
        return switch (text[offset + length - 1]) {
            case 'N' -> Double.NaN;
            case 'y' -> text[offset] == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            default -> NumberInput.parseDouble(text, offset, length, true);
        };
    }

    private String whole(PublishedTopic topic, Column column, int at, JsonToken value)
            throws BadLineException, IOException {
        if (!value.isNumeric()) {
            return mismatch(topic, column, "a whole number", value);
        }
        JsonParser json = line.token();
        long number;
        if (value == JsonToken.VALUE_NUMBER_FLOAT) {
            double decimal = number(json);
            if (decimal != Math.rint(decimal) || Math.abs(decimal) > MAX_EXACT) {
                return wrong(topic, column, "a whole number", json.getText());
            }
            number = (long) decimal;
        } else if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            BigInteger big = json.getBigIntegerValue();
            if (column.type() != FieldType.UINT64 || big.signum() < 0 || big.compareTo(MAX_UINT64) > 0) {
                return wrong(topic, column, range(column.type()), json.getText());
            }
            LittleEndian.putInt64(topic.values(), at, big.longValue());
            return "";
        } else {
            number = json.getLongValue();
        }
        return put(topic, column, at, number);
    }

    private String put(PublishedTopic topic, Column column, int at, long number) {
        FieldType type = column.type();
        if (number < min(type) || number > max(type)) {
            return wrong(topic, column, range(type), Long.toString(number));
        }
        switch (type.length()) {
            case 1 -> topic.values()[at] = (byte) number;
            case 2 -> LittleEndian.putInt16(topic.values(), at, (int) number);
            case 4 -> LittleEndian.putInt32(topic.values(), at, (int) number);
            default -> LittleEndian.putInt64(topic.values(), at, number);
        }
        return "";
    }

    private static long min(FieldType type) {
        return switch (type) {
            case INT8, INT16, INT32, INT64 -> -1L << (8 * type.length() - 1);
            default -> 0;
        };
    }

    private static long max(FieldType type) {
        return switch (type) {
            case UINT8, UINT16, UINT32 -> (1L << (8 * type.length())) - 1;
            case UINT64 -> Long.MAX_VALUE; // larger values are read separately
            default -> -1 - min(type);
        };
    }

    private static String range(FieldType type) {
        return "a whole number from " + min(type) + " to " + (type == FieldType.UINT64 ? MAX_UINT64 : max(type));
    }

    private String text(PublishedTopic topic, Column column, int at, JsonToken value) throws BadLineException {
        if (value != JsonToken.VALUE_STRING) {
            return mismatch(topic, column, "a text", value);
        }
        try {
            JsonParser json = line.token();
            int room = column.count();
            int length = json.getTextLength();
            int written =
                    Utf8Chars.put(json.getTextCharacters(), json.getTextOffset(), length, topic.values(), at, room);
            Arrays.fill(topic.values(), at + written, at + room, (byte) 0);
            if (Utf8Chars.size(json.getTextCharacters(), json.getTextOffset(), length) > room) {
                cut.increment();
            }
            return "";
        } catch (IOException e) {
            throw new BadLineException(BadLineException.Fault.JSON, String.valueOf(e.getMessage()));
        }
    }

    private String mismatch(PublishedTopic topic, Column column, String wanted, JsonToken value)
            throws BadLineException {
        String found = describe(value);
        line.skip(value);
        return wrong(topic, column, wanted, found);
    }

    private static String wrong(PublishedTopic topic, Column column, String wanted, String found) {
        return "topic " + BadLineException.quote(topic.name()) + ", field \"" + column.path() + "\" ("
                + column.type().text() + (column.isArray() ? "[" + column.count() + "]" : "") + "): expected " + wanted
                + ", found " + found;
    }

    private String describe(JsonToken value) {
        return describe(value, line.token());
    }

    /** Describes a value, for messages. */
    static String describe(JsonToken value, JsonParser json) {
        try {
            return switch (value) {
                case START_OBJECT -> "an object";
                case START_ARRAY -> "an array";
                case VALUE_STRING -> "the string " + BadLineException.quote(json.getText());
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "the number " + json.getText();
                case VALUE_NULL -> "null";
                default -> json.getText();
            };
        } catch (IOException e) {
            return "something else";
        }
    }
}
