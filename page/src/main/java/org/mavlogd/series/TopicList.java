package org.mavlogd.series;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;

/**
 * The topics of a log that can be plotted, and those that cannot.
 *
 * @param fromUs time of the first sample; 0 without samples
 * @param undrawable topics without times
 * @param isWhole false if some fields are not listed
 */
public record TopicList(List<TopicLine> topics, List<Undrawable> undrawable, long fromUs, long toUs, boolean isWhole) {
    private static final int MAX_FIELDS = 100_000;
    private static final int MAX_ELEMENTS = 256;
    private static final int MAX_NAME = 255;

    /**
     * A topic instance.
     *
     * @param leftOut additional samples with a time below 0 or above 2^53 microseconds
     */
    public record TopicLine(String name, int instance, long samples, long leftOut, List<FieldLine> fields) {}

    /** A topic that cannot be plotted, and the reason, for people. */
    public record Undrawable(String name, int instance, String reason) {
        static Undrawable of(Topic topic) {
            Optional<Column> timestamp = topic.layout().flatMap(TopicLayout::timestamp);
            String reason = topic.layout().isEmpty()
                    ? Words.line(topic.problem(), MAX_NAME)
                    : timestamp
                            .map(column -> "its field \"timestamp\" is "
                                    + column.type().text() + (column.isArray() ? "[" + column.count() + "]" : "")
                                    + ", not uint64_t")
                            .orElse("it has no field \"timestamp\" with the times of samples");
            return new Undrawable(Words.line(topic.name(), MAX_NAME), topic.multiId(), reason);
        }
    }

    /** A numeric field; the unit may be empty. */
    public record FieldLine(String name, String type, String unit) {}

    static TopicList of(LogIndex index) {
        Map<String, List<IndexedTopic>> instances = new LinkedHashMap<>();
        long from = Long.MAX_VALUE;
        long to = 0;
        for (IndexedTopic topic : index.topics()) {
            instances
                    .computeIfAbsent(topic.name() + ":" + topic.instance(), key -> new ArrayList<>())
                    .add(topic);
            if (topic.samples() > 0) {
                from = Math.min(from, topic.firstUs());
                to = Math.max(to, topic.lastUs());
            }
        }
        List<TopicLine> lines = new ArrayList<>();
        int room = MAX_FIELDS;
        for (List<IndexedTopic> same : instances.values()) {
            TopicLine line = line(same, index, room);
            room -= line.fields.size();
            lines.add(line);
        }
        return new TopicList(lines, index.undrawable(), from == Long.MAX_VALUE ? 0 : from, to, room > 0);
    }

    private static TopicLine line(List<IndexedTopic> same, LogIndex index, int room) {
        IndexedTopic first = same.get(0);
        long samples = same.stream().mapToLong(IndexedTopic::samples).sum();
        long leftOut = same.stream().mapToLong(IndexedTopic::leftOut).sum();
        String units = index.units(first.name());
        List<FieldLine> fields = new ArrayList<>();
        for (Column column : first.layout().columns()) {
            if (column.type() != FieldType.CHAR || !column.isArray()) {
                add(fields, column, units, first.name(), room);
            }
        }
        return new TopicLine(first.name(), first.instance(), samples, leftOut, fields);
    }

    private static void add(List<FieldLine> fields, Column column, String units, String topic, int room) {
        int elements = Math.min(column.count(), MAX_ELEMENTS);
        for (int i = 0; i < elements && fields.size() < room; i++) {
            String path = column.isArray() ? column.path() + "[" + i + "]" : column.path();
            fields.add(new FieldLine(path, column.type().text(), FieldUnits.of(units, topic, path)));
        }
    }
}
