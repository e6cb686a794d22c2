package org.mavlogd.series;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A field as named in a request.
 *
 * @param instance negative for the lowest existing one
 */
record FieldName(String topic, int instance, String path) {
    private static final Pattern FORM =
            Pattern.compile("([^.]{1,255})\\.(?:([0-9]{1,3})\\.)?(.{1,1000})", Pattern.DOTALL);
    private static final int ANY = -1;

    /** @throws IllegalArgumentException if it is invalid */
    static FieldName parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "field must be TOPIC.FIELD or TOPIC.INSTANCE.FIELD, such as battery_status.voltage_v");
        }
        int instance = parts.group(2) == null ? ANY : Integer.parseInt(parts.group(2));
        return new FieldName(parts.group(1), instance, parts.group(3));
    }

    /** The matching subscriptions. */
    List<IndexedTopic> among(List<IndexedTopic> topics) {
        List<IndexedTopic> named =
                topics.stream().filter(topic -> topic.name().equals(this.topic)).toList();
        int wanted = instance != ANY
                ? instance
                : named.stream().mapToInt(IndexedTopic::instance).min().orElse(0);
        return named.stream().filter(topic -> topic.instance() == wanted).toList();
    }
}
