package org.mavlogd.mavlink.generator;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One message of one dialect.
 *
 * @param crcExtra seed of the checksum of its frames
 * @param origin the dialect that defines it
 * @param fields in the order of the payload
 */
record Message(int id, int crcExtra, String name, String origin, List<Field> fields) {
    private static final String SEPARATOR = ";";

    Message {
        fields = List.copyOf(fields);
    }

    /**
     * Sorts fields in the order of the payload: the widest types first, extensions last and in their order.
     *
     * @param asDefined fields in the order of the definition
     * @see <a href="https://mavlink.io/en/guide/serialization.html#field_reordering">Field reordering</a>
     */
    static List<Field> ordered(List<Field> asDefined) {
        Stream<Field> core = asDefined.stream()
                .filter(field -> !field.isExtension())
                .sorted(Comparator.comparingInt(Field::unitLength).reversed());
        return Stream.concat(core, asDefined.stream().filter(Field::isExtension))
                .toList();
    }

    /** Payload length without extension fields, as in MAVLink 1. */
    int coreLength() {
        return fields.stream()
                .filter(field -> !field.isExtension())
                .mapToInt(Field::length)
                .sum();
    }

    /** Payload length including extension fields. */
    int fullLength() {
        return fields.stream().mapToInt(Field::length).sum();
    }

    /** Offset of a field of one byte in the payload; negative if there is none of this name. */
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
