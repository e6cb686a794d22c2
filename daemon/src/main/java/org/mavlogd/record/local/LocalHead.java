package org.mavlogd.record.local;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.ULogLayout;

/**
 * This computer's definitions in one file: its topics and their names. They are written after all of the vehicle's
 * formats, and before its first subscription. Owned by the recorder's thread.
 *
 * <p>A local topic keeps its name unless the vehicle has another format of that name; then it gets the prefix. If a
 * local topic of another source has other fields under the name, a number is appended. Topics of one name and equal
 * fields, also the vehicle's, are instances of one format. The first topic of a name keeps it: the vehicle, then local
 * feeds and topics in their order.
 */
public final class LocalHead {
    /**
     * Limit for one file. Further formats wait: a program that declares topics without end must not fill disks with
     * definitions.
     */
    private static final int MAX_BYTES = 1 << 20;

    private static final int MAX_NAMESAKES = 9;
    private static final int MAX_LIST_BYTES = 16 << 10;
    private static final int MAX_UNITS_LENGTH = 16 << 10;

    /**
     * The topics of the vehicle's part of a log.
     *
     * @param formats fields by name of the format
     * @param highestMultiIds highest multi id of the subscriptions so far, by name; -1 if there are none
     */
    record VehicleTopics(Map<String, String> formats, ToIntFunction<String> highestMultiIds) {}

    /**
     * A format by its text. The comparison is written out, because Java would generate it from method handles at the
     * first log of each run.
     */
    record FormatKey(String name, String fields) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof FormatKey key && name.equals(key.name) && fields.equals(key.fields);
        }

        @Override
        public int hashCode() {
            return 31 * name.hashCode() + fields.hashCode();
        }
    }

    // Memory for a format, its place, and their entries in lists.
    private static final int FORMAT_BYTES = 400;
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final String prefix;
    private final VehicleTopics vehicle;
    private final Map<String, LocalFormat> formats = new LinkedHashMap<>();
    private final MemoryShare share;
    // Kept only until they are in the file.
    private ExpandableArrayBuffer bytes = new ExpandableArrayBuffer();
    private ByteBuffer message = EMPTY;
    private int length;

    private LocalHead(String prefix, VehicleTopics vehicle, MemoryShare share) {
        this.prefix = prefix;
        this.vehicle = vehicle;
        this.share = share;
    }

    /**
     * The definitions for a file that begins, or whose vehicle's definitions end.
     *
     * @param known formats of earlier files; new ones are added
     * @param share memory of the log; topics without memory are not in the file
     */
    static LocalHead of(
            Iterable<LocalTopic> topics,
            VehicleTopics vehicle,
            String prefix,
            Map<FormatKey, LocalFormat> known,
            MemoryShare share) {
        LocalHead head = new LocalHead(prefix, vehicle, share);
        head.message = ByteBuffer.allocate(ULogLayout.MAX_MESSAGE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        List<ByteBuffer> definitions = new ArrayList<>();
        int room = MAX_BYTES;
        for (LocalTopic topic : topics) {
            if (head.find(topic) == null
                    && topic.fields().length() + topic.name().length() < room) {
                LocalFormat format = head.add(topic, topic.fields(), known);
                room -= format == null ? 0 : head.define(format, topic, definitions);
            }
        }
        head.encode(definitions);
        head.message = EMPTY;
        return head;
    }

    /** The definitions of a file that an earlier run wrote. */
    static LocalHead ofFile(
            Map<String, String> ours, List<String> names, VehicleTopics vehicle, String prefix, MemoryShare share) {
        LocalHead head = new LocalHead(prefix, vehicle, share);
        for (String name : names) {
            String fields = ours.get(name);
            String shared = vehicle.formats().get(name);
            String text = fields == null ? shared : fields;
            if (text != null && !head.formats.containsKey(name) && share.reserve(FORMAT_BYTES)) {
                LocalFormat format = new LocalFormat(name, text, share);
                head.formats.put(name, fields == null ? head.shared(format) : format);
            }
        }
        return head;
    }

    /** A topic's format in this file; null if the file does not have it. */
    @Nullable
    LocalFormat find(LocalTopic topic) {
        String fields = topic.fields();
        for (int i = 0; i < MAX_NAMESAKES; i++) {
            LocalFormat format = formats.get(candidate(topic.name(), fields, i));
            if (format != null && format.fields().equals(fields)) {
                return format;
            }
        }
        return null;
    }

    @Nullable
    LocalFormat byName(String name) {
        return formats.get(name);
    }

    Iterable<LocalFormat> formats() {
        return formats.values();
    }

    public DirectBuffer bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    /** Drops the bytes, which are in the file. */
    public void forgetBytes() {
        bytes = new ExpandableArrayBuffer(0);
    }

    private @Nullable LocalFormat add(LocalTopic topic, String fields, Map<FormatKey, LocalFormat> known) {
        for (int i = 0; i < MAX_NAMESAKES; i++) {
            String name = candidate(topic.name(), fields, i);
            if (!formats.containsKey(name) && !isOthers(name, fields)) {
                LocalFormat format = known(name, fields, known);
                if (format == null) {
                    return null;
                }
                if (vehicle.formats().containsKey(name)) {
                    shared(format);
                }
                formats.put(name, format);
                return format;
            }
        }
        return null;
    }

    private @Nullable LocalFormat known(String name, String fields, Map<FormatKey, LocalFormat> known) {
        FormatKey key = new FormatKey(name, fields);
        LocalFormat there = known.get(key);
        if (there != null || !share.reserve(FORMAT_BYTES)) {
            return there;
        }
        LocalFormat format = new LocalFormat(name, fields, share);
        known.put(key, format);
        return format;
    }

    private LocalFormat shared(LocalFormat format) {
        format.share(vehicle.highestMultiIds().applyAsInt(format.name()));
        return format;
    }

    private boolean isOthers(String name, String fields) {
        String others = vehicle.formats().get(name);
        return others != null && !others.equals(fields);
    }

    /** The possible names of a topic, best first. */
    private String candidate(String name, String fields, int index) {
        String base = isOthers(name, fields) ? prefix + name : name;
        return index == 0 ? base : base + '_' + (index + 1);
    }

    /** Returns the length of the format's definitions. */
    private int define(LocalFormat format, LocalTopic topic, List<ByteBuffer> definitions) {
        int before = definitions.size();
        if (!format.isShared()) {
            message.clear();
            MessageEncoder.format(message, format.name() + ':' + format.fields());
            definitions.add(copy());
        }
        String units = units(topic);
        if (!units.isEmpty() && units.length() <= MAX_UNITS_LENGTH) {
            message.clear();
            MessageEncoder.infoText(message, LocalMarks.UNITS + format.name(), units);
            definitions.add(copy());
        }
        return definitions.stream().skip(before).mapToInt(ByteBuffer::remaining).sum();
    }

    private ByteBuffer copy() {
        message.flip();
        return ByteBuffer.allocate(message.remaining()).put(message).flip();
    }

    private static String units(LocalTopic topic) {
        StringBuilder units = new StringBuilder();
        for (Field field : topic.format().fields()) {
            String unit = topic.units().get(field.name());
            if (unit != null) {
                units.append(units.length() == 0 ? "" : ",")
                        .append(field.name())
                        .append('=')
                        .append(unit);
            }
        }
        return units.toString();
    }

    private void encode(List<ByteBuffer> definitions) {
        StringBuilder names = new StringBuilder();
        for (String name : formats.keySet()) {
            if (names.length() + name.length() > MAX_LIST_BYTES) {
                list(names);
                names.setLength(0);
            }
            names.append(names.length() == 0 ? "" : ",").append(name);
        }
        if (names.length() > 0) {
            list(names);
        }
        definitions.forEach(this::put);
    }

    private void list(StringBuilder names) {
        byte[] text = names.toString().getBytes(StandardCharsets.US_ASCII);
        message.clear();
        MessageEncoder.multiInfoText(message, false, LocalMarks.TOPICS, text, 0, text.length);
        put(message.flip());
    }

    private void put(ByteBuffer from) {
        int count = from.remaining();
        bytes.putBytes(length, from, count);
        length += count;
    }
}
