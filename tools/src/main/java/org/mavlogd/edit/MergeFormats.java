package org.mavlogd.edit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;

/** The formats of several logs, renamed so that different formats never share a name. */
final class MergeFormats {
    private static final int MAX_DEPTH = 64;

    private final Map<String, TopicFormat> formats = new LinkedHashMap<>();

    /** Adds the formats of a log; returns the name of each in the new log. */
    Map<String, String> add(Map<String, TopicFormat> ofLog) throws ULogException {
        Map<String, String> names = new HashMap<>();
        for (String name : ofLog.keySet()) {
            add(name, ofLog, names, 0);
        }
        return names;
    }

    List<TopicFormat> all() {
        return List.copyOf(formats.values());
    }

    /** Adds nested formats first: renaming one changes those that nest it. */
    private String add(String name, Map<String, TopicFormat> ofLog, Map<String, String> names, int depth)
            throws ULogException {
        String known = names.get(name);
        TopicFormat format = ofLog.get(name);
        if (known != null || format == null) {
            return known == null ? name : known;
        }
        if (depth > MAX_DEPTH) {
            throw new ULogException("format \"" + name + "\" is nested in more than " + MAX_DEPTH + " others");
        }
        names.put(name, name); // for a format that nests itself, which cannot be read
        List<Field> fields = new ArrayList<>();
        for (Field field : format.fields()) {
            fields.add(new Field(add(field.type(), ofLog, names, depth + 1), field.arrayLength(), field.name()));
        }
        String free = place(new TopicFormat(name, fields));
        names.put(name, free);
        return free;
    }

    private String place(TopicFormat format) {
        String name = format.name();
        for (int i = 2; ; i++) {
            TopicFormat candidate = new TopicFormat(name, format.fields());
            TopicFormat before = formats.putIfAbsent(name, candidate);
            if (before == null || before.equals(candidate)) {
                return name;
            }
            name = format.name() + "_" + i;
        }
    }
}
