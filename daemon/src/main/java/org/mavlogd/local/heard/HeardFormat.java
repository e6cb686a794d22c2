package org.mavlogd.local.heard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.MessageLayout;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.TopicFormat;

/**
 * The topic of a message: after the timestamp the payload as on the wire, then its sender.
 *
 * <pre>
 * uint64_t timestamp | the fields, widest first, then extensions | uint8_t source_system | uint8_t source_component
 * </pre>
 *
 * Names that are not valid in a log are changed as little as possible.
 *
 * @param units by the fields' names in the format
 */
public record HeardFormat(TopicFormat format, Map<String, String> units) {
    static final String PREFIX = "mavlink_";
    static final String SOURCE_SYSTEM = "source_system";
    static final String SOURCE_COMPONENT = "source_component";

    /** Bytes after the payload. */
    public static final int SOURCE_BYTES = 2;

    // A reader accepts 127 characters; some are left for a suffix that makes a name unique.
    private static final int MAX_NAME = 110;
    private static final String TIMESTAMP = "timestamp";

    /** The format of a message as a topic with that name. */
    public static HeardFormat of(String topic, MessageLayout message) {
        List<Field> fields = new ArrayList<>(List.of(Field.of(FieldType.UINT64, TIMESTAMP)));
        Map<String, String> units = new HashMap<>();
        Set<String> taken = new HashSet<>(Set.of(TIMESTAMP, SOURCE_SYSTEM, SOURCE_COMPONENT));
        for (MessageLayout.Field field : message.fields()) {
            String name = free(legal(field.name(), "field"), taken);
            fields.add(new Field(field.type().text(), arrayLength(field), name));
            if (!field.unit().isEmpty()) {
                units.put(name, field.unit());
            }
        }
        fields.add(Field.of(FieldType.UINT8, SOURCE_SYSTEM));
        fields.add(Field.of(FieldType.UINT8, SOURCE_COMPONENT));
        return new HeardFormat(new TopicFormat(topic, fields), Map.copyOf(units));
    }

    /**
     * The topic name of a definition. If several messages have the same name, the first one gets it, others with a
     * number appended.
     */
    public static String topic(Dialect dialect, int definition) {
        String name = dialect.name(definition);
        String plain = PREFIX + legal(name.toLowerCase(Locale.ROOT), "message");
        int before = 0;
        for (int other = 0; other < definition; other++) {
            before += dialect.name(other).equalsIgnoreCase(name) ? 1 : 0;
        }
        return before == 0 ? plain : plain + '_' + (before + 1);
    }

    private static int arrayLength(MessageLayout.Field field) {
        return field.arrayLength() == MessageLayout.Field.SCALAR ? Field.SCALAR : field.arrayLength();
    }

    /** Makes a valid name: letters, digits and "_" only, a letter first, and not too long. */
    private static String legal(String name, String word) {
        String plain = name.replaceAll("[^A-Za-z0-9_]", "_");
        boolean startsWithLetter = !plain.isEmpty() && plain.substring(0, 1).matches("[A-Za-z]");
        String begun = startsWithLetter ? plain : word + '_' + plain;
        return begun.length() <= MAX_NAME ? begun : begun.substring(0, MAX_NAME);
    }

    private static String free(String name, Set<String> taken) {
        String free = name;
        for (int number = 2; !taken.add(free); number++) {
            free = name + '_' + number;
        }
        return free;
    }
}
