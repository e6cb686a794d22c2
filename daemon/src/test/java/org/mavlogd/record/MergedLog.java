package org.mavlogd.record;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes a merged log apart without the code under test: this computer's part, and the rest without it. It uses only
 * what the documents state: formats listed in {@code local_topics}, and high ids.
 */
public final class MergedLog {
    private static final int HEADER = 16;
    private static final int LOWEST_ID = 32768;
    private static final int FIRST_SHARED = 10;

    /** A local sample; {@code firstInt} is the first 32 bits after the time. */
    public record Sample(String topic, int multiId, int messageId, long timeUs, int firstInt) {}

    /** A tagged log message. */
    public record Text(char level, int tag, long timeUs, String text) {}

    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private final List<String> names = new ArrayList<>();
    private final Map<String, String> formats = new LinkedHashMap<>();
    private final Map<String, String> units = new LinkedHashMap<>();
    private final List<Sample> samples = new ArrayList<>();
    private final List<Text> texts = new ArrayList<>();
    private final Set<Integer> localIds = new HashSet<>();
    private final Set<Integer> vehicleIds = new HashSet<>();
    private final StringBuilder types = new StringBuilder();

    private MergedLog() {}

    public static MergedLog of(byte[] log) {
        MergedLog merged = new MergedLog();
        merged.read(log);
        return merged;
    }

    /** The file as it would be if this computer had published nothing. */
    public static byte[] withoutLocal(byte[] log) {
        return of(log).rest.toByteArray();
    }

    /** All topics that are listed as local. */
    public List<String> names() {
        return names;
    }

    /** This computer's formats: the fields by name. */
    public Map<String, String> formats() {
        return formats;
    }

    public Map<String, String> units() {
        return units;
    }

    public List<Sample> samples() {
        return samples;
    }

    public List<Sample> samples(String topic) {
        return samples.stream().filter(sample -> sample.topic().equals(topic)).toList();
    }

    public List<Text> texts() {
        return texts;
    }

    public Set<Integer> localIds() {
        return localIds;
    }

    public Set<Integer> vehicleIds() {
        return vehicleIds;
    }

    /** Types of all messages as one string, this computer's in lower case. */
    public String types() {
        return types.toString();
    }

    private void read(byte[] log) {
        ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        Set<String> vehicleFormats = new HashSet<>();
        Map<Integer, String> topics = new HashMap<>();
        Map<Integer, Integer> multiIds = new HashMap<>();
        rest.write(log, 0, HEADER);
        int offset = HEADER;
        while (log.length - offset >= 3) {
            int end = offset + 3 + (buffer.getShort(offset) & 0xFFFF);
            if (end > log.length) {
                break;
            }
            int payload = offset + 3;
            char type = (char) log[offset + 2];
            boolean local = false;
            switch (type) {
                case 'M' -> {
                    String key = text(log, payload + 2, payload + 2 + (log[payload + 1] & 0xFF));
                    local = key.endsWith("] local_topics");
                    if (local) {
                        names.addAll(List.of(
                                text(log, payload + 2 + key.length(), end).split(",")));
                    }
                }
                case 'I' -> {
                    String key = text(log, payload + 1, payload + 1 + (log[payload] & 0xFF));
                    int at = key.indexOf("] field_units_");
                    local = at > 0 && names.contains(key.substring(at + 14));
                    if (local) {
                        units.put(key.substring(at + 14), text(log, payload + 1 + key.length(), end));
                    }
                }
                case 'F' -> {
                    String[] format = text(log, payload, end).split(":", 2);
                    local = names.contains(format[0])
                            && !vehicleFormats.contains(format[0])
                            && !formats.containsKey(format[0]);
                    if (local) {
                        formats.put(format[0], format[1]);
                    } else {
                        vehicleFormats.add(format[0]);
                    }
                }
                case 'A' -> {
                    int multiId = log[payload] & 0xFF;
                    int id = buffer.getShort(payload + 1) & 0xFFFF;
                    String topic = text(log, payload + 3, end);
                    local = names.contains(topic)
                            && (formats.containsKey(topic) || (id >= LOWEST_ID && multiId >= FIRST_SHARED));
                    topics.remove(id);
                    if (local) {
                        topics.put(id, topic);
                        multiIds.put(id, multiId);
                    }
                    (local ? localIds : vehicleIds).add(id);
                }
                case 'D' -> {
                    int id = buffer.getShort(payload) & 0xFFFF;
                    String topic = topics.getOrDefault(id, "");
                    local = !topic.isEmpty();
                    if (local) {
                        samples.add(new Sample(
                                topic,
                                multiIds.getOrDefault(id, -1),
                                id,
                                buffer.getLong(payload + 2),
                                buffer.getInt(payload + 2 + Long.BYTES)));
                    }
                }
                case 'C' -> {
                    local = true;
                    texts.add(new Text(
                            (char) log[payload],
                            buffer.getShort(payload + 1) & 0xFFFF,
                            buffer.getLong(payload + 3),
                            new String(log, payload + 11, end - payload - 11, StandardCharsets.UTF_8)));
                }
                default -> {
                    // the vehicle's, or an info of the recorder
                }
            }
            types.append(local ? Character.toLowerCase(type) : type);
            if (!local) {
                rest.write(log, offset, end - offset);
            }
            offset = end;
        }
        rest.write(log, offset, log.length - offset);
    }

    private static String text(byte[] log, int begin, int end) {
        return new String(log, begin, end - begin, StandardCharsets.ISO_8859_1);
    }
}
