package org.mavlogd.mavlink;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.MessageTable.Definition;
import org.mavlogd.ulog.FieldType;

/**
 * The messages against which frames are checked: those of this program and additional ones. Each message has an index,
 * its <em>definition</em>, from 0 to {@link #count} - 1; {@link FrameView#definition} returns that of a frame.
 * Immutable; any thread.
 */
public final class Dialect {
    private static final Dialect STANDARD = new Dialect(MessageTable.standard(), Map.of());
    private static final String GIVEN = "given";

    /**
     * Ids of messages that this program reads, sends or forwards with priority; another message with such an id would
     * be mistaken for one of them.
     */
    private static final Set<Integer> OWN = Set.of(
            MessageIds.HEARTBEAT,
            MessageIds.SYSTEM_TIME,
            MessageIds.PARAM_VALUE,
            MessageIds.PARAM_EXT_VALUE,
            MessageIds.PARAM_EXT_ACK,
            MessageIds.FILE_TRANSFER_PROTOCOL,
            MessageIds.TIMESYNC,
            MessageIds.LOG_REQUEST_LIST,
            MessageIds.LOG_ENTRY,
            MessageIds.LOG_REQUEST_DATA,
            MessageIds.LOG_DATA,
            MessageIds.LOG_REQUEST_END,
            MessageIds.REMOTE_LOG_DATA_BLOCK,
            MessageIds.REMOTE_LOG_BLOCK_STATUS,
            MessageIds.COMMAND_INT,
            MessageIds.COMMAND_LONG,
            MessageIds.COMMAND_ACK,
            MessageIds.STATUSTEXT,
            MessageIds.SETUP_SIGNING,
            MessageIds.LOGGING_DATA,
            MessageIds.LOGGING_DATA_ACKED,
            MessageIds.LOGGING_ACK);

    private final MessageTable table;
    /** The additional messages, by id and CRC_EXTRA. */
    private final Map<List<Integer>, MessageLayout> given;

    private Dialect(MessageTable table, Map<List<Integer>, MessageLayout> given) {
        this.table = table;
        this.given = Map.copyOf(given);
    }

    /** The messages of this program. */
    public static Dialect standard() {
        return STANDARD;
    }

    /**
     * The messages of this program and additional ones. An additional message with the id and CRC_EXTRA of an existing
     * one replaces it: it may have newer extension fields. If only the id is equal, both are kept, and the checksum of
     * a frame decides between them.
     *
     * @throws IllegalArgumentException if {@link #isMistakable} is true for a message
     */
    public static Dialect with(List<MessageLayout> further) {
        Map<List<Integer>, MessageLayout> given = new HashMap<>();
        List<Definition> definitions = new ArrayList<>(MessageTable.standard().definitions());
        for (MessageLayout message : further) {
            if (isMistakable(message)) {
                throw new IllegalArgumentException("message " + message.id() + " is not " + message.name());
            }
            given.put(key(message.id(), message.crcExtra()), message);
            definitions.removeIf(old -> old.id() == message.id() && old.crcExtra() == message.crcExtra());
            definitions.add(definition(message));
        }
        // Stable: of equal ids the one of this program comes first.
        definitions.sort(Comparator.comparingInt(Definition::id));
        return further.isEmpty() ? STANDARD : new Dialect(new MessageTable(definitions), given);
    }

    private static Definition definition(MessageLayout message) {
        return new Definition(
                message.id(), message.crcExtra(), message.coreLength(), message.fullLength(), message.name(), GIVEN);
    }

    /** Whether a message has the id of one that this program reads or sends, but is a different one. */
    public static boolean isMistakable(MessageLayout message) {
        return OWN.contains(message.id()) && MessageTable.standard().crcExtra(message.id()) != message.crcExtra();
    }

    /** Number of definitions. */
    public int count() {
        return table.definitions().size();
    }

    public String name(int definition) {
        return table.definitions().get(definition).name();
    }

    /** Id of the message. */
    public int id(int definition) {
        return table.definitions().get(definition).id();
    }

    /** Layout of the message in a payload. Created by each call, so not for the hot path. */
    public MessageLayout layout(int definition) {
        Definition message = table.definitions().get(definition);
        MessageLayout layout = given(message);
        return layout != null
                ? layout
                : new MessageLayout(
                        message.id(),
                        message.name(),
                        message.crcExtra(),
                        FieldTable.fields(message.id(), message.crcExtra()));
    }

    /** The target fields of the messages. Created by each call. */
    public TargetTable targets() {
        return TargetTable.of(this);
    }

    MessageTable table() {
        return table;
    }

    /** The additional message with this id and CRC_EXTRA; null for a message of this program. */
    @Nullable
    MessageLayout given(Definition message) {
        return given.get(key(message.id(), message.crcExtra()));
    }

    private static List<Integer> key(int id, int crcExtra) {
        return List.of(id, crcExtra);
    }

    /**
     * The fields of the messages in {@link MessageTable}. Most are never used, so the text is loaded with the first
     * request, and a line is parsed when its message is requested. Any thread.
     *
     * <pre>
     * id  CRC_EXTRA  fields in the order of the payload: [+][#]type[length] name [unit];...   (+ extension, # instance)
     * </pre>
     */
    static final class FieldTable {
        private FieldTable() {}

        /** Loaded with the first use. */
        private static final class Text {
            private static final String LINES = '\n' + FieldRows.text();
        }

        /** The fields in the order of the payload. */
        static List<MessageLayout.Field> fields(int id, int crcExtra) {
            String key = "\n" + id + '\t' + crcExtra + '\t';
            int at = Text.LINES.indexOf(key);
            if (at < 0) {
                throw new IllegalStateException("no fields of message " + id + " with CRC_EXTRA " + crcExtra);
            }
            int from = at + key.length();
            return parse(Text.LINES.substring(from, Text.LINES.indexOf('\n', from)));
        }

        static List<MessageLayout.Field> parse(String line) {
            List<MessageLayout.Field> fields = new ArrayList<>();
            for (String text : line.split(";", -1)) {
                fields.add(field(text));
            }
            return fields;
        }

        private static MessageLayout.Field field(String text) {
            boolean isExtension = text.startsWith("+");
            int marks = isExtension ? 1 : 0;
            boolean isInstance = text.startsWith("#", marks);
            String[] words = text.substring(isInstance ? marks + 1 : marks).split(" ", -1);
            int bracket = words[0].indexOf('[');
            String type = bracket < 0 ? words[0] : words[0].substring(0, bracket);
            int length = bracket < 0
                    ? MessageLayout.Field.SCALAR
                    : Integer.parseInt(words[0].substring(bracket + 1, words[0].length() - 1));
            return new MessageLayout.Field(
                    FieldType.of(type).orElseThrow(),
                    length,
                    words[1],
                    isExtension,
                    isInstance,
                    words.length > 2 ? words[2] : "");
        }
    }
}
