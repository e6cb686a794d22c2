package org.mavlogd.series;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;

/**
 * An index of a ULog: its topics, and {@link LogBlocks}. Built by one reading, which continues when the log has grown.
 * Samples whose time JavaScript cannot represent are ignored and counted; topics without a 64-bit time are listed with
 * the reason why they cannot be plotted.
 */
final class LogIndex {
    static final int MAX_TOPICS = 32_768;

    /** JavaScript's integers are exact up to here. */
    static final long MAX_US = 1L << 53;

    private static final int IDS = 65_536;
    private static final int MAX_UNITS = 16_384;
    private static final int MAX_UNITS_CHARACTERS = 1 << 20;
    private static final int READER_BYTES = 512 * 1024;
    private static final int MAX_UNDRAWABLE = 1000;
    private static final String FIELD_UNITS = "field_units";

    private final LogReading reading;
    private final LogBlocks blocks = new LogBlocks();
    private final List<IndexedTopic> topics = new ArrayList<>();
    private final @Nullable IndexedTopic[] byId = new IndexedTopic[IDS];
    private final BitSet subscribed = new BitSet();
    // Topics that were subscribed before their format was known.
    private final BitSet awaited = new BitSet();
    private final Map<String, StringBuilder> units = new HashMap<>();
    private int unitsCharacters;
    private final Map<String, TopicList.Undrawable> undrawable = new LinkedHashMap<>();
    private int undrawableCharacters;

    LogIndex(Path log) throws IOException {
        reading = new LogReading(log, new Indexer());
    }

    LogReading reading() {
        return reading;
    }

    LogBlocks blocks() {
        return blocks;
    }

    /** The topics in the order of their subscriptions. */
    List<IndexedTopic> topics() {
        return topics;
    }

    /** Topics without times, which cannot be plotted; the first {@link #MAX_UNDRAWABLE}. */
    List<TopicList.Undrawable> undrawable() {
        return List.copyOf(undrawable.values());
    }

    /** The log's text about the units of a topic's fields, such as {@code Alt=m,Temp=degC}; empty if there is none. */
    String units(String topic) {
        StringBuilder text = units.get(topic);
        return text == null ? "" : text.toString();
    }

    /** Approximate heap, in bytes. */
    long bytes() {
        return READER_BYTES
                + 8L * IDS
                + blocks.bytes()
                + 400L * topics.size()
                + 2L * unitsCharacters
                + 2L * undrawableCharacters
                + 200L * undrawable.size();
    }

    private final class Indexer implements ULogHandler {
        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) throws IOException {
            blocks.onMessage(reading.messagePosition(), length);
        }

        @Override
        public void onTopic(Topic topic) throws IOException {
            if (subscribed.get(topic.messageId())) {
                blocks.cut(); // within a block an id belongs to one topic
            }
            subscribed.set(topic.messageId());
            byId[topic.messageId()] = null;
            awaited.set(topic.messageId(), topic.layout().isEmpty());
            Column timestamp = timestamp(topic);
            if (timestamp != null) {
                byId[topic.messageId()] = add(topic, timestamp);
            } else if (undrawable.size() < MAX_UNDRAWABLE) {
                TopicList.Undrawable named = TopicList.Undrawable.of(topic);
                if (undrawable.putIfAbsent(named.name() + ":" + named.instance(), named) == null) {
                    undrawableCharacters +=
                            named.name().length() + named.reason().length();
                }
            }
        }

        private static @Nullable Column timestamp(Topic topic) {
            return topic.layout()
                    .flatMap(layout -> layout.timestamp())
                    .filter(column -> column.type() == FieldType.UINT64)
                    .orElse(null);
        }

        /**
         * A topic whose format came after its subscription, against the rules, and which can be plotted from now on.
         */
        private @Nullable IndexedTopic late(Topic topic) throws ULogException {
            awaited.clear(topic.messageId());
            Column timestamp = timestamp(topic);
            if (timestamp == null) {
                return null;
            }
            TopicList.Undrawable named = TopicList.Undrawable.of(topic);
            undrawable.remove(named.name() + ":" + named.instance());
            IndexedTopic added = add(topic, timestamp);
            byId[topic.messageId()] = added;
            return added;
        }

        private IndexedTopic add(Topic topic, Column timestamp) throws ULogException {
            if (topics.size() == MAX_TOPICS) {
                throw new ULogException("more than " + MAX_TOPICS + " topics");
            }
            IndexedTopic added = new IndexedTopic(topic, topic.layout().orElseThrow(), timestamp, topics.size());
            topics.add(added);
            return added;
        }

        /** Hot path. */
        @Override
        public void onSample(SampleView sample) throws ULogException {
            int id = sample.topic().messageId();
            IndexedTopic topic = awaited.get(id) ? late(sample.topic()) : byId[id];
            long timeUs = sample.timestampUs();
            if (topic == null) {
                return;
            }
            if (timeUs >= 0 && timeUs <= MAX_US) {
                blocks.onSample(topic, timeUs);
            } else {
                topic.leaveOut();
            }
        }

        @Override
        public void onInfo(KeyedValue info) {
            if (info.name().startsWith(LocalMarks.UNITS)) {
                addUnits(info.name().substring(LocalMarks.UNITS.length()), info.text());
            }
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) {
            int colon = info.name().equals(FIELD_UNITS) ? info.text().indexOf(':') : -1;
            if (colon > 0) {
                addUnits(info.text().substring(0, colon), info.text().substring(colon + 1));
            }
        }

        private void addUnits(String topic, String text) {
            unitsCharacters += topic.length() + text.length() + 1;
            if (units.size() < MAX_UNITS && unitsCharacters <= MAX_UNITS_CHARACTERS) {
                units.computeIfAbsent(topic, name -> new StringBuilder())
                        .append(text)
                        .append(',');
            }
        }
    }
}
