package org.mavlogd.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.store.LocalMarks;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.ULogLayout;

/**
 * What this computer puts into the definitions of one file: which of its topics the file has and under which names. It goes
 * before the vehicle's first subscription, after all of the vehicle's formats. Owned by the recorder's thread.
 *
 * <p>A local topic keeps its name unless the vehicle has another format of that name; then it gets the prefix. Where a
 * local topic of another source has other fields under the name, a number goes behind. Topics of one name and equal fields,
 * the vehicle's included, are instances of one format. Who comes first keeps the name: the vehicle, then local feeds and
 * topics in their order.
 */
final class LocalHead {
    /** Of one file. Formats beyond it wait: a program that declares without end must not fill disks with definitions. */
    private static final int MAX_BYTES = 1 << 20;

    private static final int MAX_NAMESAKES = 9;
    private static final int MAX_LIST_BYTES = 16 << 10;
    private static final int MAX_UNITS_LENGTH = 16 << 10;

    /**
     * What the vehicle's part of a log says about formats.
     *
     * @param formats the fields of each by name
     * @param highestMultiIds of the subscriptions so far by name
     */
    record VehicleTopics(Map<String, String> formats, Map<String, Integer> highestMultiIds) {}

    private final String prefix;
    private final VehicleTopics vehicle;
    private final Map<String, LocalFormat> formats = new LinkedHashMap<>();
    private final ExpandableArrayBuffer bytes = new ExpandableArrayBuffer();
    private final ByteBuffer message =
            ByteBuffer.allocate(ULogLayout.MAX_MESSAGE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private int length;

    private LocalHead(String prefix, VehicleTopics vehicle) {
        this.prefix = prefix;
        this.vehicle = vehicle;
    }

    /**
     * For a file that begins, or whose definitions end.
     *
     * @param known formats of earlier files by their text; new ones are added
     */
    static LocalHead of(
            Iterable<LocalTopic> topics, VehicleTopics vehicle, String prefix, Map<String, LocalFormat> known) {
        LocalHead head = new LocalHead(prefix, vehicle);
        List<ByteBuffer> definitions = new ArrayList<>();
        int room = MAX_BYTES;
        for (LocalTopic topic : topics) {
            String fields = fields(topic);
            if (head.find(topic) == null && topic.format().text().length() < room) {
                LocalFormat format = head.add(topic, fields, known);
                room -= format == null ? 0 : head.define(format, topic, definitions);
            }
        }
        head.encode(definitions);
        return head;
    }

    /** Of a file that an earlier run wrote. */
    static LocalHead ofFile(Map<String, String> ours, List<String> names, VehicleTopics vehicle, String prefix) {
        LocalHead head = new LocalHead(prefix, vehicle);
        for (String name : names) {
            String fields = ours.get(name);
            String shared = vehicle.formats().get(name);
            if (fields != null) {
                head.formats.put(name, new LocalFormat(name, fields));
            } else if (shared != null) {
                head.formats.put(name, head.shared(new LocalFormat(name, shared)));
            }
        }
        return head;
    }

    /** A topic's format in this file; null when the file does not have it. */
    @Nullable
    LocalFormat find(LocalTopic topic) {
        String fields = fields(topic);
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

    DirectBuffer bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    private static String fields(LocalTopic topic) {
        String text = topic.format().text();
        return text.substring(topic.name().length() + 1);
    }

    private @Nullable LocalFormat add(LocalTopic topic, String fields, Map<String, LocalFormat> known) {
        for (int i = 0; i < MAX_NAMESAKES; i++) {
            String name = candidate(topic.name(), fields, i);
            if (!formats.containsKey(name) && !isOthers(name, fields)) {
                LocalFormat format = known.computeIfAbsent(name + ':' + fields, text -> new LocalFormat(name, fields));
                if (vehicle.formats().containsKey(name)) {
                    shared(format);
                }
                formats.put(name, format);
                return format;
            }
        }
        return null;
    }

    private LocalFormat shared(LocalFormat format) {
        format.share(vehicle.highestMultiIds().getOrDefault(format.name(), -1));
        return format;
    }

    private boolean isOthers(String name, String fields) {
        String others = vehicle.formats().get(name);
        return others != null && !others.equals(fields);
    }

    /** The names that a topic may have, best first. */
    private String candidate(String name, String fields, int index) {
        String base = isOthers(name, fields) ? prefix + name : name;
        return index == 0 ? base : base + '_' + (index + 1);
    }

    /** Returns the length of what defines the format. */
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
