package org.mavlogd.ulog;

import java.util.Optional;

/**
 * A field of a format, or the key of an info or parameter: a type, optionally an array, and a name.
 *
 * @param type name of a basic type or of a nested format
 * @param arrayLength 0 to 65535, or {@link #SCALAR}
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Format Message"</a>
 */
public record Field(String type, int arrayLength, String name) {
    public static final int SCALAR = -1;

    private static final String PADDING = "_padding";

    public Field {
        if (type.isEmpty() || name.isEmpty()) {
            throw new IllegalArgumentException("a field needs a type and a name: \"" + type + " " + name + "\"");
        }
        if (arrayLength < SCALAR || arrayLength > ULogLayout.MAX_MESSAGE_SIZE) {
            throw new IllegalArgumentException("field \"" + name + "\": array length " + arrayLength);
        }
    }

    public static Field of(FieldType type, String name) {
        return new Field(type.text(), SCALAR, name);
    }

    public static Field array(FieldType type, int length, String name) {
        return new Field(type.text(), length, name);
    }

    public static Field nested(String format, String name) {
        return new Field(format, SCALAR, name);
    }

    public static Field nestedArray(String format, int length, String name) {
        return new Field(format, length, name);
    }

    /**
     * Parses {@code type name} or {@code type[length] name}. Extra spaces are accepted; a name may contain spaces, like
     * the keys of some vehicles.
     */
    public static Field parse(String text) throws ULogException {
        String trimmed = text.strip();
        int space = trimmed.indexOf(' ');
        if (space <= 0) {
            throw new ULogException("field \"" + shorten(text) + "\" has no type or no name");
        }
        String type = trimmed.substring(0, space);
        String name = trimmed.substring(space).strip();
        int bracket = type.indexOf('[');
        if (name.length() > Names.MAX_LENGTH || type.length() > Names.MAX_LENGTH) {
            throw new ULogException("field \"" + shorten(text) + "\" is too long");
        }
        if (bracket < 0) {
            return new Field(type, SCALAR, name);
        }
        if (bracket == 0 || !type.endsWith("]")) {
            throw new ULogException("field \"" + shorten(text) + "\": no array type");
        }
        return new Field(type.substring(0, bracket), arrayLength(type.substring(bracket + 1, type.length() - 1)), name);
    }

    /** The basic type; empty for a nested format. */
    public Optional<FieldType> basicType() {
        return FieldType.of(type);
    }

    public boolean isArray() {
        return arrayLength != SCALAR;
    }

    /** Number of elements; 1 for a scalar. */
    public int count() {
        return isArray() ? arrayLength : 1;
    }

    /** Whether the field only fills space. */
    public boolean isPadding() {
        return name.startsWith(PADDING);
    }

    /** The text in a format or key, without a semicolon. */
    public String text() {
        return isArray() ? type + "[" + arrayLength + "] " + name : type + " " + name;
    }

    private static int arrayLength(String digits) throws ULogException {
        if (digits.isEmpty() || digits.length() > 5 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new ULogException("array length \"" + shorten(digits) + "\"");
        }
        int length = Integer.parseInt(digits);
        if (length > ULogLayout.MAX_MESSAGE_SIZE) {
            throw new ULogException("array length " + length + " exceeds " + ULogLayout.MAX_MESSAGE_SIZE);
        }
        return length;
    }

    private static String shorten(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }
}
