package org.mavlogd.report.fields;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.mavlogd.ulog.KeyedValue;

/**
 * The factors that convert ArduPilot's fields to their units: 0.01 for a field in {@code 0.01 m}. Kept only for the
 * requested topics; a log's list of units precedes its topics.
 */
final class FieldFactors {
    private static final String UNITS = "field_units";
    private static final int MAX_FIELDS = 4096;

    private final Set<String> wanted;
    private final Map<String, Double> factors = new HashMap<>();

    FieldFactors(Set<String> wanted) {
        this.wanted = wanted;
    }

    void onMultiInfo(KeyedValue info) {
        if (!info.name().equals(UNITS)) {
            return;
        }
        String text = info.text();
        int colon = text.indexOf(':');
        if (colon > 0 && wanted.contains(text.substring(0, colon))) {
            for (String part : text.substring(colon + 1).split(",", -1)) {
                add(text.substring(0, colon), part);
            }
        }
    }

    private void add(String topic, String part) {
        int equals = part.indexOf('=');
        int end = part.indexOf(' ', equals) < 0 ? part.length() : part.indexOf(' ', equals);
        if (equals < 0 || factors.size() >= MAX_FIELDS) {
            return;
        }
        String word = part.substring(equals + 1, end);
        if (word.matches("[0-9.]{1,12}(E-?[0-9]{1,2})?")) {
            try {
                factors.put(topic + "." + part.substring(0, equals), Double.parseDouble(word));
            } catch (NumberFormatException e) {
                // A unit that starts like a number, such as "1.2.3", is not a factor.
            }
        }
    }

    double of(String topic, String field) {
        return factors.getOrDefault(topic + "." + field, 1.0);
    }
}
