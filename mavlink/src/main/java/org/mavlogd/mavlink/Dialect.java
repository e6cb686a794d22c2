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
 * The messages that frames are checked against: those that come with this program, and further ones. Each has a number, its
 * <em>definition</em>, from 0 to {@link #count} - 1; a {@link FrameView} shows which one fits it. Immutable; any thread.
 */
public final class Dialect {
    private static final Dialect STANDARD = new Dialect(MessageTable.standard(), Map.of());
    private static final String GIVEN = "given";

    /** What this program itself reads or sends, or forwards before others; another message under one of these numbers would be mistaken for it. */
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
    /** By id and CRC_EXTRA. */
    private final Map<List<Integer>, MessageLayout> given;

    private Dialect(MessageTable table, Map<List<Integer>, MessageLayout> given) {
        this.table = table;
        this.given = Map.copyOf(given);
    }

    /** The messages that come with this program. */
    public static Dialect standard() {
        return STANDARD;
    }

    /**
     * The messages that come with this program, and further ones. A further message with the number and the checksum of one
     * that is there already takes its place: it may know newer extension fields. One with the same number only is a further
     * meaning of it, and a frame's checksum shows which one is meant.
     *
     * @throws IllegalArgumentException for one that {@link #isMistakable}
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
        // Stable: of equal numbers the one that came with this program goes first.
        definitions.sort(Comparator.comparingInt(Definition::id));
        return further.isEmpty() ? STANDARD : new Dialect(new MessageTable(definitions), given);
    }

    private static Definition definition(MessageLayout message) {
        return new Definition(
                message.id(), message.crcExtra(), message.coreLength(), message.fullLength(), message.name(), GIVEN);
    }

    /** Whether a message has the number of one that this program itself reads or sends, and is another one. */
    public static boolean isMistakable(MessageLayout message) {
        return OWN.contains(message.id()) && MessageTable.standard().crcExtra(message.id()) != message.crcExtra();
    }

    /** How many definitions there are. */
    public int count() {
        return table.definitions().size();
    }

    public String name(int definition) {
        return table.definitions().get(definition).name();
    }

    /** The message's number. */
    public int id(int definition) {
        return table.definitions().get(definition).id();
    }

    /** How the message lies in its payload. Not for the hot path: made when it is asked for. */
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

    /** Where the messages say whom they are for. Made at each call. */
    public TargetTable targets() {
        return TargetTable.of(this);
    }

    MessageTable table() {
        return table;
    }

    /** The message as it was given to this dialect; null for one that comes with this program. */
    @Nullable
    MessageLayout given(Definition message) {
        return given.get(key(message.id(), message.crcExtra()));
    }

    private static List<Integer> key(int id, int crcExtra) {
        return List.of(id, crcExtra);
    }

    /**
     * The fields of the messages in {@link MessageTable}. Most are never asked for, so the text is loaded when the
     * first one is, and a line of it is parsed when its message is asked for. Any thread.
     *
     * <pre>
     * id  CRC_EXTRA  fields in the order of the payload: [+][#]type[length] name [unit];...   (+ extension, # instance)
     * </pre>
     */
    static final class FieldTable {
        private FieldTable() {}

        /** Loaded at the first use. */
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
