package org.mavlogd.local.publish;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;

/**
 * The definition of a published topic: its name, fields and units. Immutable.
 *
 * <p>It has up to {@value #MAX_FIELDS} fields; samples and names have the limits of every {@link LocalTopic}.
 *
 * @param units units by field name, for fields that have one
 */
public record TopicDefinition(TopicFormat format, Map<String, String> units) {
    public static final int MAX_FIELDS = 256;
    public static final int MAX_UNIT_LENGTH = 32;

    // If all names had their maximum length, a format would not fit into its message.
    private static final int MAX_FORMAT_LENGTH = 16_384;

    private static final String TIMESTAMP = "timestamp";
    private static final List<String> OURS = List.of("companion_", "gpsd_", "iio_", "mavlink_", "nmea_");
    private static final Pattern UNIT = Pattern.compile("[^\\p{Cntrl}]{1," + MAX_UNIT_LENGTH + "}");

    public TopicDefinition {
        units = Map.copyOf(units);
    }

    public String name() {
        return format.name();
    }

    /** The format, as in the log. */
    public String text() {
        return format.text();
    }

    /** Collects fields in order, and checks them. */
    public static final class Builder {
        private final String name;
        private final List<Field> fields = new ArrayList<>();
        private final Map<String, String> units = new LinkedHashMap<>();

        public Builder(String name) {
            this.name = name;
            fields.add(Field.of(FieldType.UINT64, TIMESTAMP));
        }

        /**
         * Adds a field.
         *
         * @param type as in a log: {@code float}, {@code uint8_t}, {@code double[3]}, {@code char[16]}
         * @throws IllegalArgumentException with a message for people
         */
        public Builder field(String type, String field) {
            if (field.equals(TIMESTAMP)) {
                throw new IllegalArgumentException(
                        "field \"timestamp\" is there already: mavlogd fills it in from the sample's time");
            }
            if (fields.size() > MAX_FIELDS) {
                throw new IllegalArgumentException("more than " + MAX_FIELDS + " fields");
            }
            try {
                Field parsed = Field.parse(type.strip() + " " + field);
                if (parsed.basicType().isEmpty()) {
                    throw new IllegalArgumentException("field " + BadLineException.quote(field) + ": type "
                            + BadLineException.quote(type) + ", allowed: " + types() + ", and arrays such as float[3]");
                }
                fields.add(parsed);
            } catch (ULogException e) {
                throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
            }
            return this;
        }

        /** Sets a field's unit; the field may be added later. An empty unit is ignored. */
        public Builder unit(String field, String unit) {
            if (!unit.isEmpty()) {
                if (!UNIT.matcher(unit).matches()) {
                    throw new IllegalArgumentException("unit " + BadLineException.quote(unit) + " of field "
                            + BadLineException.quote(field) + ", allowed: up to " + MAX_UNIT_LENGTH + " characters");
                }
                units.put(field, unit);
            }
            return this;
        }

        /**
         * The definition so far.
         *
         * @throws IllegalArgumentException with a message for people
         */
        public TopicDefinition build() {
            TopicFormat format = new TopicFormat(name, fields);
            for (String prefix : OURS) {
                if (name.startsWith(prefix)) {
                    throw new IllegalArgumentException("topic " + BadLineException.quote(name)
                            + ": names that begin with " + prefix + " are mavlogd's own");
                }
            }
            String problem = LocalTopic.problem(format);
            if (!problem.isEmpty()) {
                throw new IllegalArgumentException("topic " + BadLineException.quote(name) + ": " + problem);
            }
            if (format.text().length() > MAX_FORMAT_LENGTH) {
                throw new IllegalArgumentException(
                        "topic " + BadLineException.quote(name) + ": all names and types together have "
                                + format.text().length() + " characters, allowed: " + MAX_FORMAT_LENGTH);
            }
            for (String field : units.keySet()) {
                if (field.equals(TIMESTAMP)
                        || fields.stream().noneMatch(known -> known.name().equals(field))) {
                    throw new IllegalArgumentException(
                            "a unit of field " + BadLineException.quote(field) + ", which is not there");
                }
            }
            return new TopicDefinition(format, units);
        }
    }

    private static String types() {
        List<String> texts = new ArrayList<>();
        for (FieldType type : FieldType.values()) {
            texts.add(type.text());
        }
        return String.join(", ", texts);
    }
}
