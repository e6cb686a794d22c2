package org.mavlogd.page;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.series.Series;
import org.mavlogd.series.SeriesRequest;
import org.mavlogd.series.SeriesStore;
import org.mavlogd.series.SeriesStore.Wanted;
import org.mavlogd.series.TopicList;
import org.mavlogd.ulog.LogLevel;

/**
 * The contents of logs for the API, as JSON. Keeps what it has read for later requests. Owned by the plotting thread.
 */
final class LogReader {
    private static final int MAX_STORIES = 3;

    private final PlainLogs logs;
    private final SeriesStore series;
    // Least recently used first.
    private final Map<Path, Story> stories = new LinkedHashMap<>(16, 0.75f, true);

    LogReader(PlainLogs logs, SeriesStore series) {
        this.logs = logs;
        this.series = series;
    }

    /** The log as a ULog, or a converted copy. */
    SeriesStore.Source plain(Entry log, Wanted wanted) throws IOException {
        return logs.plain(log, wanted);
    }

    byte[] topics(Entry log, Wanted wanted) throws IOException {
        TopicList topics = series.topics(logs.plain(log, wanted), wanted);
        return Json.object(json -> {
            json.writeArrayFieldStart("topics");
            for (TopicList.TopicLine topic : topics.topics()) {
                write(json, topic);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("undrawable");
            for (TopicList.Undrawable topic : topics.undrawable()) {
                json.writeStartObject();
                json.writeStringField("name", topic.name());
                json.writeNumberField("instance", topic.instance());
                json.writeStringField("reason", topic.reason());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeNumberField("from_us", topics.fromUs());
            json.writeNumberField("to_us", topics.toUs());
            if (!topics.isWhole()) {
                json.writeBooleanField("more", true);
            }
        });
    }

    private static void write(JsonGenerator json, TopicList.TopicLine topic) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", topic.name());
        json.writeNumberField("instance", topic.instance());
        json.writeNumberField("samples", topic.samples());
        if (topic.leftOut() > 0) {
            json.writeNumberField("left_out", topic.leftOut());
        }
        json.writeArrayFieldStart("fields");
        for (TopicList.FieldLine field : topic.fields()) {
            json.writeStartObject();
            json.writeStringField("name", field.name());
            json.writeStringField("type", field.type());
            if (!field.unit().isEmpty()) {
                json.writeStringField("unit", field.unit());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    byte[] series(Entry log, SeriesRequest request, Wanted wanted) throws IOException {
        Series plot = series.series(logs.plain(log, wanted), request, wanted);
        return Json.object(json -> {
            json.writeStringField("field", plot.label().field());
            if (!plot.label().unit().isEmpty()) {
                json.writeStringField("unit", plot.label().unit());
            }
            json.writeFieldName("t_us");
            json.writeArray(plot.timesUs(), 0, plot.timesUs().length);
            values(json, "min", plot.min(), plot.label().isFloat());
            values(json, "max", plot.max(), plot.label().isFloat());
            Series.Totals totals = plot.totals();
            json.writeNumberField("samples", totals.samples());
            finite(json, "mean", totals.mean());
            finite(json, "deviation", totals.deviation());
        });
    }

    /** Hostile values are so large that their sums are infinite. */
    private static void finite(JsonGenerator json, String name, double value) throws IOException {
        if (Math.abs(value) <= Double.MAX_VALUE) {
            json.writeNumberField(name, value);
        }
    }

    private static void values(JsonGenerator json, String name, double[] values, boolean isFloat) throws IOException {
        json.writeArrayFieldStart(name);
        for (double value : values) {
            if (Double.isNaN(value)) {
                json.writeNull();
            } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
                json.writeNumber((long) value);
            } else if (isFloat) {
                json.writeNumber((float) value);
            } else {
                json.writeNumber(value);
            }
        }
        json.writeEndArray();
    }

    byte[] messages(Entry log, long fromUs, long toUs, LogLevel level, Wanted wanted) throws IOException {
        Story story = story(log, wanted);
        return Json.object(json -> story.writeMessages(json, fromUs, toUs, level));
    }

    byte[] modes(Entry log, Wanted wanted) throws IOException {
        return Json.object(story(log, wanted)::writeModes);
    }

    private Story story(Entry log, Wanted wanted) throws IOException {
        SeriesStore.Source source = logs.plain(log, wanted);
        Story kept = stories.remove(source.file());
        Story story = kept != null && kept.isOf(source.file()) ? kept : new Story(source.file());
        story.extend(source, wanted);
        stories.put(source.file(), story);
        if (stories.size() > MAX_STORIES) {
            Iterator<Story> eldest = stories.values().iterator();
            eldest.next();
            eldest.remove();
        }
        return story;
    }
}
