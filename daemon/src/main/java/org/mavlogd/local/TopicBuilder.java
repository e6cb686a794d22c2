package org.mavlogd.local;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.TopicFormat;

/**
 * Builds a topic: its fields in order, each with its unit, after the timestamp with which every topic begins.
 *
 * <pre>{@code
 * LocalSample sample = TopicBuilder.of("companion_cpu")
 *         .field(FieldType.FLOAT, "load", "1")
 *         .array(FieldType.FLOAT, 4, "core_load", "1")
 *         .declare(outlet);
 * }</pre>
 */
public final class TopicBuilder {
    private final String name;
    private final List<Field> fields = new ArrayList<>();
    private final Map<String, String> units = new HashMap<>();

    private TopicBuilder(String name) {
        this.name = name;
        fields.add(Field.of(FieldType.UINT64, "timestamp"));
    }

    /** A topic without fields, except for the timestamp. */
    public static TopicBuilder of(String name) {
        return new TopicBuilder(name);
    }

    /** Adds a field without unit. */
    public TopicBuilder field(FieldType type, String field) {
        return field(type, field, "");
    }

    /** Adds a field; {@code unit} is empty if there is none. */
    public TopicBuilder field(FieldType type, String field, String unit) {
        return add(Field.of(type, field), unit);
    }

    /** Adds an array; {@code unit} is that of each element. */
    public TopicBuilder array(FieldType type, int length, String field, String unit) {
        return add(Field.array(type, length, field), unit);
    }

    /** Adds a char array. */
    public TopicBuilder text(int length, String field) {
        return array(FieldType.CHAR, length, field, "");
    }

    private TopicBuilder add(Field field, String unit) {
        fields.add(field);
        if (!unit.isEmpty()) {
            units.put(field.name(), unit);
        }
        return this;
    }

    /** The format so far. */
    public TopicFormat format() {
        return new TopicFormat(name, fields);
    }

    /** Declares the topic before its samples are published. */
    public LocalSample declare(Outlet outlet) {
        return outlet.declare(format(), units);
    }
}
