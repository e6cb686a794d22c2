package org.mavlogd.local;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.ulog.Column;

/** The recorder's side of a feed: decodes samples by their formats. */
public final class TakenSamples implements LocalFeed.Handler {
    private final LocalFeed.Consumer consumer;
    private final List<Sample> samples = new ArrayList<>();
    private final List<Text> texts = new ArrayList<>();
    private String loss = "";

    /** A tagged log message. */
    public record Text(int level, int tag, long takenNs, String text) {}

    /** One sample; values are Double or Long, String for char arrays, or lists of Double or Long. */
    public record Sample(LocalTopic topic, int instance, long takenNs, Map<String, Object> values) {
        public double number(String field) {
            return ((Number) value(field)).doubleValue();
        }

        public String text(String field) {
            return (String) value(field);
        }

        @SuppressWarnings("unchecked")
        public List<Number> list(String field) {
            return (List<Number>) value(field);
        }

        private Object value(String field) {
            return Objects.requireNonNull(values.get(field), () -> topic.name() + " has no field " + field);
        }

        public String unit(String field) {
            return topic.units().getOrDefault(field, "");
        }
    }

    public TakenSamples(LocalFeed feed) {
        this.consumer = feed.consumer(this);
    }

    /** Samples published since the last call. */
    public List<Sample> take() {
        drain();
        List<Sample> taken = List.copyOf(samples);
        samples.clear();
        return taken;
    }

    /** Reads published samples, for the next {@link #take}. */
    public void drain() {
        // Repeats until the ring is empty: where it wraps, one call may find nothing and the next one something.
        int empty = 0;
        while (empty < 2) {
            empty = consumer.drain(1000) > 0 ? 0 : empty + 1;
        }
    }

    /** From now on no log records the samples, for this reason; if empty, they are recorded. */
    public void lose(String why) {
        loss = why;
    }

    /** Samples of one topic published since the last call of any take method. */
    public List<Sample> take(String topic) {
        return of(take(), topic);
    }

    /** All log messages that any call has read. */
    public List<Text> texts() {
        return List.copyOf(texts);
    }

    public static List<Sample> of(List<Sample> samples, String topic) {
        return samples.stream()
                .filter(sample -> sample.topic().name().equals(topic))
                .toList();
    }

    @Override
    public void onSample(LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length) {
        consumer.tellLoss(topic.index(), loss);
        if (length != topic.valueBytes()) {
            throw new AssertionError(topic.name() + ": " + length + " bytes");
        }
        Map<String, Object> values = new LinkedHashMap<>();
        for (Column column : topic.layout().columns()) {
            if (!column.path().equals("timestamp")) {
                values.put(column.path(), value(column, buffer, offset - Long.BYTES + column.offset()));
            }
        }
        samples.add(new Sample(topic, instance, takenNs, values));
    }

    @Override
    public void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length) {
        consumer.tellLoss(LocalFeed.TEXTS, loss);
        byte[] text = new byte[length];
        buffer.getBytes(offset, text);
        texts.add(new Text(level, tag, takenNs, new String(text, StandardCharsets.UTF_8)));
    }

    private static Object value(Column column, DirectBuffer buffer, int offset) {
        if (column.type() == org.mavlogd.ulog.FieldType.CHAR && column.isArray()) {
            byte[] text = new byte[column.count()];
            buffer.getBytes(offset, text);
            return new String(text, StandardCharsets.UTF_8).replace("\0", "");
        }
        List<Number> elements = new ArrayList<>();
        for (int i = 0; i < column.count(); i++) {
            elements.add(element(column, buffer, offset + i * column.type().length()));
        }
        return column.isArray() ? elements : elements.get(0);
    }

    private static Number element(Column column, DirectBuffer buffer, int offset) {
        return switch (column.type()) {
            case INT8 -> (long) buffer.getByte(offset);
            case UINT8, BOOL, CHAR -> buffer.getByte(offset) & 0xFFL;
            case INT16 -> (long) buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN);
            case UINT16 -> buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFFL;
            case INT32 -> (long) buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN);
            case UINT32 -> buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFFFFFFL;
            case INT64, UINT64 -> buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
            case FLOAT -> (double) buffer.getFloat(offset, ByteOrder.LITTLE_ENDIAN);
            case DOUBLE -> buffer.getDouble(offset, ByteOrder.LITTLE_ENDIAN);
        };
    }
}
