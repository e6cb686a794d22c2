package org.mavlogd.ulog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A format as declared: a name and its fields, in order. Nested formats are given by name; {@link TopicLayout} resolves
 * them.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Format Message"</a>
 */
public record TopicFormat(String name, List<Field> fields) {
    /** Most fields that a format may have when it is parsed. */
    public static final int MAX_FIELDS = 4096;

    public TopicFormat {
        fields = List.copyOf(fields);
    }

    public static TopicFormat of(String name, Field... fields) {
        return new TopicFormat(name, List.of(fields));
    }

    /** Parses {@code name:type field;type field;}. The last semicolon may be missing, and there may be no fields. */
    public static TopicFormat parse(String text) throws ULogException {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == 0) {
            end--;
        }
        int colon = text.indexOf(':');
        if (colon <= 0 || colon >= end || colon > Names.MAX_LENGTH) {
            throw new ULogException("a format needs a name and a colon");
        }
        List<Field> fields = new ArrayList<>();
        int from = colon + 1;
        while (from < end) {
            int semicolon = text.indexOf(';', from);
            int to = semicolon < 0 || semicolon > end ? end : semicolon;
            if (!text.substring(from, to).isBlank()) {
                fields.add(Field.parse(text.substring(from, to)));
            }
            if (fields.size() > MAX_FIELDS) {
                throw new ULogException(
                        "format \"" + text.substring(0, colon) + "\" has more than " + MAX_FIELDS + " fields");
            }
            from = to + 1;
        }
        return new TopicFormat(text.substring(0, colon), fields);
    }

    /** The text of the format message: single spaces, a semicolon after each field. */
    public String text() {
        StringBuilder text = new StringBuilder(name).append(':');
        for (Field field : fields) {
            text.append(field.text()).append(';');
        }
        return text.toString();
    }

    static TopicFormat parse(byte[] buffer, int offset, int length) throws ULogException {
        return parse(new String(buffer, offset, length, StandardCharsets.UTF_8));
    }
}
