package org.mavlogd.mavlink.generator;

import java.util.List;
import java.util.Locale;

/**
 * Generates the Java source of a message's layout: numbers, offsets, and typed access to each field that is not an
 * array.
 */
final class LayoutSource {
    /** Code that reads and writes values of a type. */
    private record Access(String javaType, String read, String write, String note) {}

    private LayoutSource() {}

    /** The class name, such as {@code LogRequestListLayout} for LOG_REQUEST_LIST. */
    static String className(Message message) {
        return capital(camel(message.name().toLowerCase(Locale.ROOT))) + "Layout";
    }

    static String text(Message message) {
        StringBuilder text = new StringBuilder(TableProcessor.HEAD);
        head(message, text);
        constant("Number of the message.", "MESSAGE_ID", message.id(), text);
        constant("Completes the checksum of a frame.", "CRC_EXTRA", message.crcExtra(), text);
        constant(
                "Payload length without extension fields: what MAVLink 1 sends.",
                "CORE_LENGTH",
                message.coreLength(),
                text);
        constant("Payload length with all fields.", "FULL_LENGTH", message.fullLength(), text);
        offsets(message.fields(), text);
        text.append("\n    private ").append(className(message)).append("() {}\n");
        message.fields().stream().filter(field -> field.arrayLength() == 0).forEach(field -> accessors(field, text));
        return text.append("}\n").toString();
    }

    private static void head(Message message, StringBuilder text) {
        text.append("/**\n * Where the fields of ")
                .append(message.name())
                .append(" are in its payload. Little endian.\n *\n * <pre>\n");
        int offset = 0;
        for (Field field : message.fields()) {
            text.append(" * ")
                    .append(String.format(Locale.ROOT, "%3d", offset))
                    .append("  ")
                    .append(field.text())
                    .append('\n');
            offset += field.length();
        }
        text.append(" * </pre>\n *\n * @see <a href=\"https://mavlink.io/en/messages/")
                .append(message.origin())
                .append(".html#")
                .append(message.name())
                .append("\">")
                .append(message.name())
                .append("</a>\n */\n")
                .append(TableProcessor.MARK)
                .append("public final class ")
                .append(className(message))
                .append(" {\n");
    }

    private static void constant(String what, String name, int value, StringBuilder text) {
        text.append("    /** ")
                .append(what)
                .append(" */\n    public static final int ")
                .append(name)
                .append(" = ")
                .append(value)
                .append(";\n\n");
    }

    /** Generates a constant for the offset of each field and the length of each array. */
    private static void offsets(List<Field> fields, StringBuilder text) {
        int offset = 0;
        for (Field field : fields) {
            text.append("    public static final int ")
                    .append(offsetName(field))
                    .append(" = ")
                    .append(offset)
                    .append(";\n");
            if (field.arrayLength() > 0) {
                text.append("    public static final int ")
                        .append(upper(field))
                        .append("_LENGTH = ")
                        .append(field.length())
                        .append(";\n");
            }
            offset += field.length();
        }
    }

    private static void accessors(Field field, StringBuilder text) {
        Access access = access(field);
        String name = camel(field.name());
        text.append("\n    /** ")
                .append(access.note())
                .append(field.unit().isEmpty() ? "" : ", " + field.unit())
                .append(". */\n")
                .append("    public static ")
                .append(access.javaType())
                .append(' ')
                .append(name)
                .append("(FrameView frame) {\n")
                .append("        return ")
                .append(String.format(Locale.ROOT, access.read(), offsetName(field)))
                .append(";\n    }\n\n")
                .append("    public static void put")
                .append(capital(name))
                .append("(byte[] payload, ")
                .append(access.javaType())
                .append(" value) {\n        ")
                .append(String.format(Locale.ROOT, access.write(), offsetName(field)))
                .append(";\n    }\n");
    }

    private static Access access(Field field) {
        return switch (field.type()) {
            case "uint8_t" -> new Access("int", "frame.uint8(%s)", "payload[%s] = (byte) value", "Unsigned 8 bit");
            case "int8_t" -> new Access("int", "(byte) frame.uint8(%s)", "payload[%s] = (byte) value", "Signed 8 bit");
            case "uint16_t" -> new Access("int", "frame.uint16(%s)", put(16, "value"), "Unsigned 16 bit");
            case "int16_t" -> new Access("int", "(short) frame.uint16(%s)", put(16, "value"), "Signed 16 bit");
            case "uint32_t" -> new Access("long", "frame.uint32(%s)", put(32, "(int) value"), "Unsigned 32 bit");
            case "int32_t" -> new Access("int", "frame.int32(%s)", put(32, "value"), "Signed 32 bit");
            case "uint64_t" -> new Access("long", "frame.int64(%s)", put(64, "value"), "Unsigned 64 bit");
            case "int64_t" -> new Access("long", "frame.int64(%s)", put(64, "value"), "Signed 64 bit");
            case "float" ->
                new Access("float", "frame.float32(%s)", put(32, "Float.floatToRawIntBits(value)"), "IEEE 754, 32 bit");
            default -> throw new IllegalStateException("field " + field.name() + ": no accessor for " + field.type());
        };
    }

    private static String put(int bits, String value) {
        return "org.mavlogd.bytes.LittleEndian.putInt" + bits + "(payload, %s, " + value + ")";
    }

    private static String offsetName(Field field) {
        return upper(field) + "_OFFSET";
    }

    private static String upper(Field field) {
        return field.name().toUpperCase(Locale.ROOT);
    }

    private static String camel(String snake) {
        StringBuilder text = new StringBuilder();
        for (String word : snake.split("_", -1)) {
            text.append(text.length() == 0 ? word : capital(word));
        }
        return text.toString();
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
