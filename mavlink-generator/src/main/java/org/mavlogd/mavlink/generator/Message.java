package org.mavlogd.mavlink.generator;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One message of one dialect.
 *
 * @param crcExtra what the checksum of such a frame is completed with
 * @param origin the dialect that defines it
 * @param fields in the order of the payload
 */
record Message(int id, int crcExtra, String name, String origin, List<Field> fields) {
    private static final String SEPARATOR = ";";

    Message {
        fields = List.copyOf(fields);
    }

    /**
     * The order of the payload: the widest types first, extensions last and as they were added.
     *
     * @param asDefined in the order of the definition
     * @see <a href="https://mavlink.io/en/guide/serialization.html#field_reordering">Field reordering</a>
     */
    static List<Field> ordered(List<Field> asDefined) {
        Stream<Field> core = asDefined.stream()
                .filter(field -> !field.isExtension())
                .sorted(Comparator.comparingInt(Field::unitLength).reversed());
        return Stream.concat(core, asDefined.stream().filter(Field::isExtension))
                .toList();
    }

    /** Payload length without extension fields: what MAVLink 1 sends. */
    int coreLength() {
        return fields.stream()
                .filter(field -> !field.isExtension())
                .mapToInt(Field::length)
                .sum();
    }

    /** Payload length with them. */
    int fullLength() {
        return fields.stream().mapToInt(Field::length).sum();
    }

    /** Where a field of one byte begins in the payload; negative where there is none of that name. */
    int byteOffset(String name) {
        int offset = 0;
        for (Field field : fields) {
            if (field.name().equals(name)) {
                return field.length() == 1 ? offset : -1;
            }
            offset += field.length();
        }
        return -1;
    }

    String fieldsText() {
        return fields.stream().map(Field::text).collect(Collectors.joining(SEPARATOR));
    }

    static List<Field> fields(String text) {
        return Arrays.stream(text.split(SEPARATOR, -1)).map(Field::of).toList();
    }
}
