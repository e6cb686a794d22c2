package org.mavlogd.feed;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;

/**
 * A topic that this computer publishes. Immutable.
 *
 * <p>Its first field is {@code uint64_t timestamp}, which the recorder fills in; no field is nested; a sample has at most
 * {@value #MAX_SAMPLE_BYTES} bytes.
 *
 * @param index of the topic within its feed, from 0 in the order of declaration
 * @param fields as after the colon of a format message
 * @param units units by field name, for fields that have one
 */
public record LocalTopic(int index, TopicFormat format, String fields, TopicLayout layout, Map<String, String> units) {
    /** Far more than any source needs, and small enough to wait in a small ring. */
    public static final int MAX_SAMPLE_BYTES = 4096;

    /** Longest format, as text: it is one message of a log, and each file contains it. */
    public static final int MAX_FORMAT_LENGTH = 32_768;

    private static final int TOPIC_BYTES = 2048;
    private static final int FIELD_BYTES = 450;
    private static final int NAME_COPIES = 6;

    // Names that every reader accepts. A name with another first character could be a reader's own mark.
    private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9_]{0,126}");

    public LocalTopic {
        units = Map.copyOf(units);
    }

    /** @throws IllegalArgumentException if the format breaks one of the rules above */
    static LocalTopic of(int index, TopicFormat format, Map<String, String> units) {
        String problem = problem(format);
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException("topic \"" + format.name() + "\": " + problem);
        }
        Set<String> names = format.fields().stream().map(Field::name).collect(Collectors.toSet());
        if (!names.containsAll(units.keySet())) {
            throw new IllegalArgumentException("topic \"" + format.name() + "\": units of unknown fields: " + units);
        }
        try {
            String fields = format.text().substring(format.name().length() + 1);
            return new LocalTopic(index, format, fields, TopicLayout.of(format, Map.of()), units);
        } catch (ULogException e) {
            throw new IllegalArgumentException("topic \"" + format.name() + "\": " + e.getMessage(), e);
        }
    }

    /** Why a format cannot be a local topic; empty if it can. For formats from outside. */
    public static String problem(TopicFormat format) {
        if (format.fields().isEmpty() || !format.fields().get(0).text().equals("uint64_t timestamp")) {
            return "the first field must be \"uint64_t timestamp\"";
        }
        if (format.fields().size() < 2) {
            return "it has no field but the timestamp";
        }
        if (!NAME.matcher(format.name()).matches()) {
            return "the name may hold letters, digits and \"_\" only, and begins with a letter";
        }
        Set<String> names = new HashSet<>();
        for (Field field : format.fields()) {
            String problem = names.add(field.name()) ? problem(field) : " is listed twice";
            if (!problem.isEmpty()) {
                return "field \"" + field.name() + "\"" + problem;
            }
        }
        int length = format.text().length();
        if (length > MAX_FORMAT_LENGTH) {
            return "its format has " + length + " characters, allowed: " + MAX_FORMAT_LENGTH;
        }
        try {
            int bytes = TopicLayout.of(format, Map.of()).size();
            return bytes <= MAX_SAMPLE_BYTES ? "" : "a sample has " + bytes + " bytes, allowed: " + MAX_SAMPLE_BYTES;
        } catch (ULogException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String problem(Field field) {
        if (!NAME.matcher(field.name()).matches() || field.isPadding()) {
            return ": names may hold letters, digits and \"_\" only, and begin with a letter";
        }
        if (field.isArray() && field.arrayLength() == 0) {
            return " is an array of no length";
        }
        return field.basicType().isEmpty() ? " has the unknown type \"" + field.type() + "\"" : "";
    }

    /** Heap that a topic takes in bytes, in its source and in the recorder; measured. */
    static long footprint(TopicFormat format) {
        long bytes = TOPIC_BYTES;
        for (Field field : format.fields()) {
            bytes += FIELD_BYTES + (long) NAME_COPIES * field.name().length();
        }
        return bytes;
    }

    public String name() {
        return format.name();
    }

    /** Bytes of a sample after its timestamp. */
    public int valueBytes() {
        return layout.size() - Long.BYTES;
    }

    /** The fields after the timestamp, in order. */
    Column[] valueColumns() {
        return layout.columns().stream().skip(1).toArray(Column[]::new);
    }
}
