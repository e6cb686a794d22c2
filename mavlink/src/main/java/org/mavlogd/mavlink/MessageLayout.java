package org.mavlogd.mavlink;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.mavlogd.ulog.FieldType;

/**
 * The layout of one message in a payload. Immutable.
 *
 * @param id 0 to 16777215
 * @param name as in the definition, such as {@code GPS_RAW_INT}
 * @param crcExtra seed of the checksum of its frames
 * @param fields in the order of the payload: the widest types first, then the extensions in their order
 * @see <a href="https://mavlink.io/en/guide/serialization.html">Packet serialization</a>
 */
public record MessageLayout(int id, String name, int crcExtra, List<Field> fields) {
    public static final int MAX_PAYLOAD_LENGTH = FrameLayout.MAX_PAYLOAD_LENGTH;
    public static final int MAX_ID = 0xFF_FFFF;

    public MessageLayout {
        fields = List.copyOf(fields);
    }

    /** A message of fields in the order of its definition. */
    public static MessageLayout of(int id, String name, List<Field> asDefined) {
        List<Field> ordered = new ArrayList<>(
                asDefined.stream().filter(field -> !field.isExtension()).toList());
        ordered.sort(
                Comparator.comparingInt((Field field) -> field.type().length()).reversed());
        int crcExtra = crcExtra(name, ordered);
        ordered.addAll(asDefined.stream().filter(Field::isExtension).toList());
        return new MessageLayout(id, name, crcExtra, ordered);
    }

    /** Payload length without extension fields, as in MAVLink 1. */
    public int coreLength() {
        return fields.stream()
                .filter(field -> !field.isExtension())
                .mapToInt(Field::length)
                .sum();
    }

    /** Payload length of all defined fields; later definitions may add some. */
    public int fullLength() {
        return fields.stream().mapToInt(Field::length).sum();
    }

    /**
     * Computes CRC_EXTRA over the name and the fields except extensions, in the order of the payload ("CRC_EXTRA
     * calculation").
     */
    private static int crcExtra(String name, List<Field> fields) {
        int crc = update(Crc16.START, name + ' ');
        for (Field field : fields) {
            crc = update(crc, field.type().text() + ' ' + field.name() + ' ');
            if (field.arrayLength() != Field.SCALAR) {
                crc = Crc16.update(crc, (byte) field.arrayLength());
            }
        }
        return (crc & 0xFF) ^ (crc >>> 8);
    }

    private static int update(int crc, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return Crc16.update(crc, bytes, 0, bytes.length);
    }

    /**
     * A field of a message's payload. MAVLink uses the same type names as ULog.
     *
     * @param arrayLength 1 to 255, or {@link #SCALAR}
     * @param name as in the definition
     * @param isExtension whether it follows the fields of MAVLink 1 and is not part of CRC_EXTRA
     * @param isInstance whether it is the number of one of several instances, such as of a battery
     * @param unit as in the definition, such as {@code degE7}; empty if there is none
     */
    public record Field(
            FieldType type, int arrayLength, String name, boolean isExtension, boolean isInstance, String unit) {
        public static final int SCALAR = 0;

        /** Length in the payload, in bytes. */
        public int length() {
            return type.length() * Math.max(1, arrayLength);
        }
    }
}
