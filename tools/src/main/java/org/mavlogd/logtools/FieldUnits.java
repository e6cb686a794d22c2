package org.mavlogd.logtools;

import java.util.HashMap;
import java.util.Map;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.ulog.KeyedValue;

/**
 * The units of a log's fields: those of ArduPilot's topics are in one list of infos, those of this computer's topics in
 * one info each. PX4 logs none. Keeps texts of up to 1 Mi characters.
 */
public final class FieldUnits {
    /** Each piece is about one topic: {@code BARO:Alt=m,Temp=0.01 degC}. */
    private static final String LIST = "field_units";

    private static final int MAX_TOPICS = 16_384;
    private static final int MAX_CHARACTERS = 1 << 20;

    private final Map<String, StringBuilder> byTopic = new HashMap<>();
    private int characters;

    public void onInfo(KeyedValue info) {
        if (info.name().startsWith(LocalMarks.UNITS) && info.isText()) {
            add(info.name().substring(LocalMarks.UNITS.length()), info.text());
        }
    }

    public void onMultiInfo(KeyedValue info) {
        int colon = info.name().equals(LIST) && info.isText() ? info.text().indexOf(':') : -1;
        if (colon > 0) {
            add(info.text().substring(0, colon), info.text().substring(colon + 1));
        }
    }

    private void add(String topic, String text) {
        int more = topic.length() + text.length() + 1;
        if (byTopic.size() < MAX_TOPICS && more <= MAX_CHARACTERS - characters) {
            characters += more;
            byTopic.computeIfAbsent(topic, name -> new StringBuilder())
                    .append(text)
                    .append(',');
        }
    }

    /** The units of a topic by field name; empty if the log has none. */
    public Map<String, String> of(String topic) {
        Map<String, String> units = new HashMap<>();
        StringBuilder text = byTopic.get(topic);
        for (String field : text == null ? new String[0] : text.toString().split(",", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                units.put(field.substring(0, equals), field.substring(equals + 1));
            }
        }
        return units;
    }
}
