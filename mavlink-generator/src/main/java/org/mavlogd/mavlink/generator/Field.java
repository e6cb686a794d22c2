package org.mavlogd.mavlink.generator;

import java.util.Map;

/**
 * One field of a message's payload.
 *
 * @param type as in the definition, such as {@code uint16_t}
 * @param arrayLength 1 to 255, or 0 for a single value
 * @param name as in the definition, such as {@code target_system}
 * @param isExtension whether MAVLink 1 omits the field
 * @param isInstance whether the field is the number of one of several instances, such as of a battery
 * @param unit such as {@code degE7}; empty if there is none
 */
record Field(String type, int arrayLength, String name, boolean isExtension, boolean isInstance, String unit) {
    private static final Map<String, Integer> LENGTHS = Map.ofEntries(
            Map.entry("char", 1),
            Map.entry("int8_t", 1),
            Map.entry("uint8_t", 1),
            Map.entry("int16_t", 2),
            Map.entry("uint16_t", 2),
            Map.entry("int32_t", 4),
            Map.entry("uint32_t", 4),
            Map.entry("float", 4),
            Map.entry("int64_t", 8),
            Map.entry("uint64_t", 8),
            Map.entry("double", 8));

    Field {
        if (!LENGTHS.containsKey(type) || arrayLength < 0 || arrayLength > 255) {
            throw new IllegalArgumentException("field " + name + ": type " + type + '[' + arrayLength + ']');
        }
    }

    /** Parses the form that {@link #text} writes. */
    static Field of(String text) {
        boolean isExtension = text.startsWith("+");
        boolean isInstance = text.startsWith("#", isExtension ? 1 : 0);
        String[] words =
                text.substring((isExtension ? 1 : 0) + (isInstance ? 1 : 0)).split(" ", -1);
        if (words.length < 2 || words.length > 3) {
            throw new IllegalArgumentException("field \"" + text + "\": not a type, a name and perhaps a unit");
        }
        int bracket = words[0].indexOf('[');
        String type = bracket < 0 ? words[0] : words[0].substring(0, bracket);
        int length = bracket < 0 ? 0 : Integer.parseInt(words[0].substring(bracket + 1, words[0].length() - 1));
        return new Field(type, length, words[1], isExtension, isInstance, words.length == 3 ? words[2] : "");
    }

    /** The form {@code [+][#]type[length] name [unit]}, with + for an extension and # for an instance. */
    String text() {
        return (isExtension ? "+" : "")
                + (isInstance ? "#" : "")
                + type
                + (arrayLength == 0 ? "" : "[" + arrayLength + ']')
                + ' '
                + name
                + (unit.isEmpty() ? "" : ' ' + unit);
    }

    /** Length of one element, in bytes. */
    int unitLength() {
        return LENGTHS.getOrDefault(type, 0);
    }

    /** Length in the payload, in bytes. */
    int length() {
        return unitLength() * Math.max(1, arrayLength);
    }
}
