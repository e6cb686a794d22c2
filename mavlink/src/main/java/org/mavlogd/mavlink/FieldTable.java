package org.mavlogd.mavlink;

import java.util.ArrayList;
import java.util.List;
import org.mavlogd.ulog.FieldType;

/**
 * The fields of the messages in {@link MessageTable}. Most are never asked for, so the text is loaded when the first one is, and
 * a line of it is parsed when its message is asked for. Any thread.
 *
 * <pre>
 * id  CRC_EXTRA  fields in the order of the payload: [+][#]type[length] name [unit];...   (+ extension, # instance)
 * </pre>
 */
final class FieldTable {
    private FieldTable() {}

    /** Loaded at the first use. */
    private static final class Text {
        private static final String LINES = '\n' + FieldRows.text();
    }

    /** The fields in the order of the payload. */
    static List<MessageField> fields(int id, int crcExtra) {
        String key = "\n" + id + '\t' + crcExtra + '\t';
        int at = Text.LINES.indexOf(key);
        if (at < 0) {
            throw new IllegalStateException("no fields of message " + id + " with CRC_EXTRA " + crcExtra);
        }
        int from = at + key.length();
        return parse(Text.LINES.substring(from, Text.LINES.indexOf('\n', from)));
    }

    static List<MessageField> parse(String line) {
        List<MessageField> fields = new ArrayList<>();
        for (String text : line.split(";", -1)) {
            fields.add(field(text));
        }
        return fields;
    }

    private static MessageField field(String text) {
        boolean isExtension = text.startsWith("+");
        int marks = isExtension ? 1 : 0;
        boolean isInstance = text.startsWith("#", marks);
        String[] words = text.substring(isInstance ? marks + 1 : marks).split(" ", -1);
        int bracket = words[0].indexOf('[');
        String type = bracket < 0 ? words[0] : words[0].substring(0, bracket);
        int length = bracket < 0
                ? MessageField.SCALAR
                : Integer.parseInt(words[0].substring(bracket + 1, words[0].length() - 1));
        return new MessageField(
                FieldType.of(type).orElseThrow(),
                length,
                words[1],
                isExtension,
                isInstance,
                words.length > 2 ? words[2] : "");
    }
}
