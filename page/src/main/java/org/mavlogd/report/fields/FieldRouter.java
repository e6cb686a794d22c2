package org.mavlogd.report.fields;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.TopicReader;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;

/**
 * Reads the requested fields, and skips all other topics with one look-up. Memory depends on the requests and on at
 * most {@value #MAX_INSTANCES} instances of each topic, not on the log.
 */
public final class FieldRouter implements TopicReader {
    /** Instances from this number on are ignored by expressions for each instance. */
    public static final int MAX_INSTANCES = 16;

    private static final int IDS = 65_536;

    /** Creates the sink for an instance; called once for each instance with the fields. */
    @FunctionalInterface
    public interface Sinks {
        /** Creates a sink; the label is a name from the first sample, such as that of a sensor, and may be empty. */
        ValueSink of(int multiId, String label);
    }

    private record Wish(Expression expression, Sinks sinks, Map<Integer, ValueSink> made) {}

    private final Map<String, List<Wish>> wishes = new HashMap<>();
    private final Set<String> topics = new HashSet<>();
    private final FieldFactors factors = new FieldFactors(topics);
    private final @Nullable Tap[] byId = new Tap[IDS];

    /** Requests a value; called before the log is read. */
    public void want(Expression expression, Sinks sinks) {
        topics.add(expression.topic());
        wishes.computeIfAbsent(expression.topic(), name -> new ArrayList<>())
                .add(new Wish(expression, sinks, new HashMap<>()));
    }

    @Override
    public void onMultiInfo(KeyedValue info, boolean continued) {
        factors.onMultiInfo(info);
    }

    @Override
    public void onTopic(Topic topic) {
        List<Wish> here = wishes.getOrDefault(topic.name(), List.of());
        boolean isWanted = !here.isEmpty() && topic.multiId() < MAX_INSTANCES;
        byId[topic.messageId()] = isWanted
                ? topic.layout().map(layout -> new Tap(here, topic, layout)).orElse(null)
                : null;
    }

    @Override
    public boolean reads(Topic topic) {
        return byId[topic.messageId()] != null;
    }

    @Override
    public void onSample(SampleView sample) throws IOException {
        Tap tap = byId[sample.topic().messageId()];
        if (tap != null && sample.timestampUs() >= 0) {
            tap.onSample(sample);
        }
    }

    /** The requested fields of one topic. */
    private final class Tap {
        private final List<Wish> wanted;
        private final Topic topic;
        private final TopicLayout layout;
        private FieldReader[] readers = {};
        private ValueSink[] sinks = {};
        private boolean isOpen;

        Tap(List<Wish> wanted, Topic topic, TopicLayout layout) {
            this.wanted = wanted;
            this.topic = topic;
            this.layout = layout;
        }

        /** Hot path, except for the first sample. */
        void onSample(SampleView sample) {
            if (!isOpen) {
                open(sample);
            }
            for (int i = 0; i < readers.length; i++) {
                sinks[i].accept(sample.timestampUs(), readers[i].read(sample));
            }
        }

        private void open(SampleView first) {
            isOpen = true;
            List<FieldReader> reading = new ArrayList<>();
            List<ValueSink> taking = new ArrayList<>();
            for (Wish wish : wanted) {
                if (wish.expression.includes(topic.multiId())) {
                    FieldReader.of(wish.expression, layout, factors).ifPresent(reader -> {
                        reading.add(reader);
                        taking.add(wish.made.computeIfAbsent(topic.multiId(), id -> wish.sinks.of(id, label(first))));
                    });
                }
            }
            readers = reading.toArray(FieldReader[]::new);
            sinks = taking.toArray(ValueSink[]::new);
        }

        private String label(SampleView sample) {
            return layout.column("name")
                    .filter(column -> column.type() == FieldType.CHAR)
                    .map(column -> text(sample, column))
                    .orElse("");
        }

        private String text(SampleView sample, Column column) {
            return column.offset() + column.length() <= sample.length() ? sample.text(column) : "";
        }
    }
}
