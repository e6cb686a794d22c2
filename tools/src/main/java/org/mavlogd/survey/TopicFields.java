package org.mavlogd.survey;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.mavlogd.logtools.FieldUnits;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.Progress;
import org.mavlogd.text.SimilarWord;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;

/** The fields of a topic, with the units in the log: those of ArduPilot and of this computer's topics. */
public final class TopicFields {
    /** A basic field, with nested formats flattened; the unit may be empty. */
    public record FieldLine(String name, String type, String unit) {}

    private final SortedSet<String> names = new TreeSet<>();
    private final SortedMap<Integer, TopicLayout> instances = new TreeMap<>();
    private final FieldUnits units = new FieldUnits();
    private final String wanted;

    private TopicFields(String wanted) {
        this.wanted = wanted;
    }

    /**
     * Reads a log.
     *
     * @param topic name, with or without an instance: {@code battery_status:1}
     * @throws ULogException if it is not a log, is refused, or lacks the topic; then it names a similar one
     */
    public static TopicFields of(Path log, String topic, Progress progress) throws IOException {
        TopicFields fields = new TopicFields(topic);
        LogSource.read(log, fields.new Collector(), progress);
        if (fields.instances.isEmpty()) {
            throw new ULogException("no topic \"" + topic + "\"" + SimilarWord.hint(topic, fields.names)
                    + "; 'mavlogd info --all-topics' lists the topics");
        }
        return fields;
    }

    /** The instances of the topic. */
    public List<Integer> instances() {
        return List.copyOf(instances.keySet());
    }

    /** The fields in the order of a sample. */
    public List<FieldLine> fields() {
        Map<String, String> known = units.of(wanted.replaceFirst(":[0-9]+$", ""));
        List<FieldLine> lines = new ArrayList<>();
        for (Column column : instances.values().iterator().next().columns()) {
            String type = column.type().text() + (column.isArray() ? "[" + column.count() + "]" : "");
            lines.add(new FieldLine(column.path(), type, unit(column.path(), known)));
        }
        return lines;
    }

    private static String unit(String field, Map<String, String> known) {
        String unit = known.get(field);
        return unit != null ? unit : field.equals("timestamp") ? "us" : "";
    }

    private final class Collector implements ULogHandler {
        @Override
        public void onTopic(Topic topic) {
            names.add(topic.name());
            Optional<TopicLayout> layout = topic.layout();
            boolean isWanted = topic.name().equals(wanted) || topic.toString().equals(wanted);
            if (isWanted && layout.isPresent()) {
                instances.putIfAbsent(topic.multiId(), layout.get());
            }
        }

        @Override
        public void onInfo(KeyedValue info) {
            units.onInfo(info);
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) {
            units.onMultiInfo(info);
        }
    }
}
