package org.mavlogd.tables;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.logtools.TopicChoice.Glob;
import org.mavlogd.text.SimilarWord;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;

/**
 * Writes samples of a log as lines of text, in the order of the log, even while the log is being written.
 * docs/log-tools.md describes the lines. Memory does not depend on the size of the log.
 */
public final class SampleStream {
    private static final int IDS = 65_536;
    private static final int GATHERED_BYTES = 32 * 1024;
    private static final int MAX_NAMES = 10_000;
    private static final int MAX_NAME = 100;
    private static final String TIME = "t_us";
    private static final String INSTANCE = "instance";
    private static final String TOPIC = "topic";
    private static final String TIMESTAMP = "timestamp";

    /** The output formats. */
    public enum Format {
        /** Rows of one table. */
        CSV,
        /** JSON objects. */
        NDJSON
    }

    /**
     * The selected samples, and the selected parts of them.
     *
     * @param fields names, arrays without index for all elements, with wildcards; none for all fields
     * @param everyUs keeps the first sample of each topic instance in each such interval; 0 for all
     */
    public record Choice(TopicChoice topics, List<String> fields, TimeRange time, long everyUs) {}

    /** A topic instance in the stream. */
    private static final class Series {
        private final Topic topic;
        private final SampleColumns columns;
        private final boolean isWanted;
        private final boolean hasTimestamp;
        private boolean isBegun;
        private long nextUs;

        /** @param isWanted whether it has any of the fields */
        Series(Topic topic, SampleColumns columns, boolean isWanted) {
            this.topic = topic;
            this.columns = columns;
            this.isWanted = isWanted;
            this.hasTimestamp = ChosenSamples.hasTimestamp(topic);
        }

        /** Whether a sample is the first in its interval; a clock that was set back starts again. */
        boolean isDue(long timeUs, long everyUs) {
            long lateUs = timeUs - nextUs;
            if (!isBegun || lateUs < -2 * everyUs) {
                isBegun = true;
                nextUs = timeUs + everyUs;
                return true;
            }
            if (lateUs < 0) {
                return false;
            }
            nextUs += (lateUs / everyUs + 1) * everyUs;
            return true;
        }
    }

    private final Choice choice;
    private final Format format;
    private final OutputStream output;
    private final Fields fields;
    private final Collector collector;
    private final CsvText text = new CsvText(CsvText.Texts.PRINTABLE);
    private final @Nullable Series[] byId = new Series[IDS];
    private List<String> header = List.of();

    /** @throws IllegalArgumentException if a table is requested and more than one topic may be selected */
    public SampleStream(Choice choice, Format format, OutputStream output) {
        if (format == Format.CSV && !choice.topics.isOneName()) {
            throw new IllegalArgumentException("a table holds one topic: name one, or use --format ndjson");
        }
        this.choice = choice;
        this.format = format;
        this.output = output;
        this.fields = new Fields(choice.fields);
        this.collector = new Collector();
    }

    /**
     * Writes a log's samples.
     *
     * @throws ULogException if it is not a log, is refused, or lacks a requested topic, field or UTC; samples before
     *     that is known are written
     */
    public void read(Path log, Progress progress) throws IOException {
        try {
            collector.read(log, progress);
        } finally {
            flush();
        }
        fields.requireMatches();
    }

    /**
     * Writes the samples of a log that may still be written, until it is finished.
     *
     * @param remark receives a topic that is still missing after the existing part was read for the first time
     */
    public void follow(Path log, Consumer<String> remark) throws IOException {
        boolean[] isRemarked = new boolean[1];
        try {
            collector.follow(log, () -> {
                flush();
                if (!isRemarked[0]) {
                    isRemarked[0] = true;
                    missing().ifPresent(remark);
                }
            });
        } finally {
            flush();
        }
        fields.requireMatches();
    }

    private Optional<String> missing() {
        try {
            choice.topics.requireMatches();
            return Optional.empty();
        } catch (ULogException e) {
            return Optional.of(e.getMessage() + "; waiting for it");
        }
    }

    public LogDamage damage() {
        return collector.damage();
    }

    private void flush() throws IOException {
        if (text.length() > 0) {
            output.write(text.bytes(), 0, text.length());
            text.clear();
        }
        output.flush();
    }

    private Series series(Topic topic) throws ULogException {
        Series series = byId[topic.messageId()];
        if (series == null || series.topic != topic) {
            List<Column> chosen = fields.of(topic.layout().orElseThrow());
            series = new Series(topic, columns(topic, chosen), !chosen.isEmpty() || fields.isTimeWanted());
            byId[topic.messageId()] = series;
        }
        return series;
    }

    private SampleColumns columns(Topic topic, List<Column> chosen) throws ULogException {
        if (choice.topics.isOneName()) {
            fields.requireMatches();
        }
        Set<String> reserved = choice.topics.isOneName() ? Set.of(TIME, INSTANCE) : Set.of(TIME, INSTANCE, TOPIC);
        SampleColumns columns = new SampleColumns(chosen, reserved);
        if (format == Format.CSV) {
            header(topic, columns.names());
        }
        return columns;
    }

    private void header(Topic topic, List<String> names) throws ULogException {
        List<String> all = new ArrayList<>(List.of(TIME, INSTANCE));
        all.addAll(names);
        if (header.isEmpty()) {
            header = all;
            all.forEach(text::text);
            text.endRow();
        } else if (!header.equals(all)) {
            throw new ULogException(topic + " is declared again in the log, with other fields; one table cannot hold "
                    + "both: use --format ndjson, or 'mavlogd export csv'");
        }
    }

    private void row(SampleView sample, Series series) {
        if (series.hasTimestamp) {
            text.unsigned(sample.timestampUs());
        } else {
            text.text("");
        }
        text.integer(series.topic.multiId());
        series.columns.cells(sample, text);
        text.endRow();
    }

    private void object(SampleView sample, Series series) {
        text.putAscii("{\"t_us\":");
        if (series.hasTimestamp) {
            text.putUnsigned(sample.timestampUs());
        } else {
            text.putAscii("null");
        }
        if (!choice.topics.isOneName()) {
            text.putAscii(",\"topic\":");
            SampleColumns.string(series.topic.name(), text);
        }
        text.putAscii(",\"instance\":");
        text.putInteger(series.topic.multiId());
        series.columns.members(sample, text);
        text.putAscii("}\n");
    }

    private final class Collector extends ChosenSamples {
        Collector() {
            super(choice.topics, choice.time);
        }

        @Override
        void onChosen(SampleView sample, long timeUs) throws IOException {
            Series series = series(sample.topic());
            if (!series.isWanted || (choice.everyUs > 0 && !series.isDue(timeUs, choice.everyUs))) {
                return;
            }
            if (format == Format.CSV) {
                row(sample, series);
            } else {
                object(sample, series);
            }
            if (text.length() >= GATHERED_BYTES) {
                flush();
            }
        }
    }

    /** The fields selected by the words of the command line. */
    private static final class Fields {
        private final List<Glob> words;
        private final Set<Glob> matched = new HashSet<>();
        private final Set<String> known = new TreeSet<>(Set.of(TIMESTAMP));

        Fields(List<String> words) {
            this.words = words.stream()
                    .filter(word -> !word.isBlank())
                    .map(Glob::new)
                    .toList();
            // The timestamp comes first in every line anyway.
            this.words.stream().filter(word -> word.matches(TIMESTAMP)).forEach(matched::add);
        }

        /** Whether a topic without any of the fields is wanted nevertheless. */
        boolean isTimeWanted() {
            return words.isEmpty() || words.stream().anyMatch(word -> word.matches(TIMESTAMP));
        }

        /** The selected columns of a topic; if only some elements of an array are selected, these elements. */
        List<Column> of(TopicLayout layout) {
            List<Column> columns = SampleColumns.withoutTimestamp(layout);
            if (words.isEmpty()) {
                return columns;
            }
            List<Column> chosen = new ArrayList<>();
            for (Column column : columns) {
                if (isPicked(column.path())) {
                    chosen.add(column);
                } else if (column.isArray() && column.type() != FieldType.CHAR) {
                    chosen.addAll(elements(column));
                }
                remember(column);
            }
            return chosen;
        }

        private List<Column> elements(Column array) {
            List<Column> chosen = new ArrayList<>();
            List<String> names = SampleColumns.names(array);
            for (int i = 0; i < names.size(); i++) {
                if (isPicked(names.get(i))) {
                    int offset = array.offset() + i * array.type().length();
                    chosen.add(new Column(names.get(i), array.type(), offset, 1, false));
                }
            }
            return chosen;
        }

        /** Whether a field is selected by its name, or by that of a nested field that contains it. */
        private boolean isPicked(String path) {
            boolean isPicked = false;
            for (Glob word : words) {
                if (word.matches(path) || isPartOf(path, word)) {
                    matched.add(word);
                    isPicked = true;
                }
            }
            return isPicked;
        }

        private static boolean isPartOf(String path, Glob word) {
            for (int i = 1; i < path.length(); i++) {
                boolean isEnd = path.charAt(i) == '.' || path.charAt(i) == '[';
                if (isEnd && word.matches(path.substring(0, i))) {
                    return true;
                }
            }
            return false;
        }

        private void remember(Column column) {
            if (known.size() < MAX_NAMES) {
                known.add(column.path());
                known.add(column.path().replaceFirst("[.\\[].*", ""));
            }
        }

        void requireMatches() throws ULogException {
            // Without samples the fields are unknown.
            if (known.size() == 1) {
                return;
            }
            for (Glob word : words) {
                if (!matched.contains(word)) {
                    throw new ULogException("no field \"" + word.text() + "\""
                            + SimilarWord.hint(
                                    word.text(),
                                    known.stream()
                                            .map(name -> Words.line(name, MAX_NAME))
                                            .toList())
                            + "; 'mavlogd info --fields TOPIC' lists the fields");
                }
            }
        }
    }
}
