package org.mavlogd.series;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.series.BlockReader.Range;
import org.mavlogd.series.LogReading.Patience;

/** All samples of a field of one log, reduced to a limited size; continues when the log has grown. */
final class FieldSpans {
    /** Number of samples that are kept individually. */
    static final int CAPACITY = 32_768;

    private final Spans spans = new Spans(CAPACITY);
    private final Map<Integer, Long> readTo = new HashMap<>();

    /** The place of a field in the samples of a subscription. */
    record Place(IndexedTopic topic, FieldReader field) {}

    /** Reads data that is in the index but was not read yet. */
    void extend(FileChannel log, LogBlocks blocks, List<Place> places, Lanes lanes, Patience patience)
            throws IOException {
        long end = blocks.end();
        for (Place place : places) {
            long from = readTo.getOrDefault(place.topic.number(), 0L);
            Range range = new Range(from, 0, Long.MAX_VALUE);
            lanes.read(log, blocks, place, range, spans, patience);
            readTo.put(place.topic.number(), end);
        }
    }

    /** The samples of a time range: individually if there are not too many, otherwise reduced. */
    Spans within(
            SeriesRequest request,
            FileChannel log,
            LogBlocks blocks,
            List<Place> places,
            Lanes lanes,
            Patience patience)
            throws IOException {
        if (spans.isExact() || count(request) > CAPACITY) {
            return spans;
        }
        Spans exact = new Spans(CAPACITY);
        Range range = new Range(0, request.fromUs(), request.toUs());
        for (Place place : places) {
            lanes.read(log, blocks, place, range, exact, patience);
        }
        return exact;
    }

    private long count(SeriesRequest request) {
        long count = 0;
        for (int i = 0; i < spans.size(); i++) {
            if (spans.firstUs(i) <= request.toUs() && spans.lastUs(i) >= request.fromUs()) {
                count += spans.count(i);
            }
        }
        return count;
    }

    long bytes() {
        return spans.bytes();
    }
}
