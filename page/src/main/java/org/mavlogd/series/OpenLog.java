package org.mavlogd.series;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mavlogd.series.FieldSpans.Place;
import org.mavlogd.series.LogReading.Patience;
import org.mavlogd.text.SimilarWord;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.ULogException;

/** Data of a log that is kept between requests: its index, and the most recently plotted fields. */
final class OpenLog {
    private static final int MAX_NAME = 100;

    private final LogIndex index;
    // Least recently used first.
    private final Map<String, FieldSpans> fields = new LinkedHashMap<>();

    OpenLog(Path log) throws IOException {
        index = new LogIndex(log);
    }

    LogIndex index() {
        return index;
    }

    Series series(SeriesRequest request, FileChannel log, Lanes lanes, Patience patience) throws IOException {
        FieldName name = FieldName.parse(request.field());
        List<Place> places = places(name);
        FieldSpans field = field(key(places.get(0).topic(), name), places, log, lanes, patience);
        Spans spans = field.within(request, log, index.blocks(), places, lanes, patience);
        boolean isFloat = places.get(0).field().type() == FieldType.FLOAT;
        Series.Label label = new Series.Label(request.field(), unit(name), isFloat);
        return Columns.of(spans, request.fromUs(), request.toUs(), request.points(), label);
    }

    private FieldSpans field(String key, List<Place> places, FileChannel log, Lanes lanes, Patience patience)
            throws IOException {
        FieldSpans kept = fields.remove(key);
        FieldSpans field = kept == null ? new FieldSpans() : kept;
        field.extend(log, index.blocks(), places, lanes, patience);
        fields.put(key, field); // not if it was left incomplete
        return field;
    }

    private static String key(IndexedTopic topic, FieldName name) {
        return topic.name() + "." + topic.instance() + "." + name.path();
    }

    private String unit(FieldName name) {
        return FieldUnits.of(index.units(name.topic()), name.topic(), name.path());
    }

    private List<Place> places(FieldName name) throws IOException {
        List<IndexedTopic> topics = name.among(index.topics());
        if (topics.isEmpty()) {
            refuseIfUndrawable(name);
            List<String> known = index.topics().stream()
                    .map(IndexedTopic::name)
                    .distinct()
                    .map(OpenLog::line)
                    .toList();
            throw new NoSuchFieldInLog("no topic \"" + line(name.topic()) + "\""
                    + (name.instance() > 0 ? " with instance " + name.instance() : "")
                    + SimilarWord.hint(name.topic(), known));
        }
        List<Place> places =
                topics.stream().flatMap(topic -> place(topic, name).stream()).toList();
        if (places.isEmpty()) {
            List<String> known = topics.get(0).layout().columns().stream()
                    .map(column -> line(column.path()))
                    .toList();
            throw new NoSuchFieldInLog("no number \"" + line(name.path()) + "\" in topic \"" + line(name.topic()) + "\""
                    + SimilarWord.hint(name.path(), known));
        }
        return places;
    }

    private void refuseIfUndrawable(FieldName name) throws ULogException {
        for (TopicList.Undrawable topic : index.undrawable()) {
            if (topic.name().equals(line(name.topic()))) {
                throw new ULogException("topic \"" + topic.name() + "\" cannot be drawn: " + topic.reason());
            }
        }
    }

    private static Optional<Place> place(IndexedTopic topic, FieldName name) {
        return FieldReader.find(topic.layout(), name.path()).map(field -> new Place(topic, field));
    }

    private static String line(String text) {
        return Words.line(text, MAX_NAME);
    }

    /** Removes the least recently plotted field; false if there is none. */
    boolean forgetField() {
        Iterator<FieldSpans> eldest = fields.values().iterator();
        if (!eldest.hasNext()) {
            return false;
        }
        eldest.next();
        eldest.remove();
        return true;
    }

    long bytes() {
        return index.bytes()
                + fields.values().stream().mapToLong(FieldSpans::bytes).sum();
    }
}
