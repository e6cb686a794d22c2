package org.mavlogd.tables;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.exports.ParquetTable;
import org.mavlogd.logtools.FieldUnits;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.OutputDirectory;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;

/**
 * Writes the samples of a log as Parquet, one file for each topic with samples. The files get their names when all are
 * complete; docs/log-tools.md describes their contents.
 *
 * <p>The log is read once. Its samples wait in temporary files of the output directory, about as large as the log,
 * until UTC is known and the samples of a topic can be sorted. Memory does not depend on the size of the log.
 */
public final class ParquetExport implements Closeable {
    /** Maximum number of topics that are buffered at the same time. */
    static final int MAX_TABLES = 1024;

    /**
     * Limits of memory.
     *
     * @param groupRows rows of a row group
     * @param groupBytes size of a row group, unless it is a single row
     * @param chunks column chunks of a file, which are kept until it is complete; above it another file follows
     */
    record Limits(int groupRows, int groupBytes, int chunks) {
        static final Limits DEFAULT = new Limits(100_000, 12 * 1024 * 1024, 20_000);
    }

    private static final int IDS = 65_536;

    /** Identifies a table: a topic has several if the log declares its format again. */
    private record Key(String topic, List<Column> columns) {}

    /** The rows of a table, and its first file. */
    private record Table(String topic, RowSpool rows, OutputFile file) {}

    /** The table of a message id's current topic; null if the topic is left out. */
    private record Subscribed(Topic topic, @Nullable RowSpool rows) {}

    /** The result of an export. */
    public record Result(int files, long rows, boolean isUtc, LogDamage damage) {
        public String text() {
            return Words.count(files, "file") + " with " + Words.count(rows, "row")
                    + (isUtc || files == 0 ? "" : "; the log has no UTC: the column \"time\" is empty");
        }
    }

    private final OutputDirectory directory;
    private final OutputFile.Existing existing;
    private final String library;
    private final TopicChoice topics;
    private final Limits limits;
    private final @Nullable Subscribed[] byId = new Subscribed[IDS];
    private final Map<Key, Table> tables = new LinkedHashMap<>();
    private final Map<Path, String> topicsByFile = new LinkedHashMap<>();
    private final Set<String> leftOut = new LinkedHashSet<>();
    private final List<OutputFile> files = new ArrayList<>();
    private final ParquetTable.Pages pages = new ParquetTable.Pages();
    private final Collector collector = new Collector();
    private byte[] group = {};

    /** @param library name and version of the writing program */
    public ParquetExport(Path directory, OutputFile.Existing existing, String library, TopicChoice topics) {
        this(directory, existing, library, topics, Limits.DEFAULT);
    }

    ParquetExport(Path directory, OutputFile.Existing existing, String library, TopicChoice topics, Limits limits) {
        this.directory = new OutputDirectory(directory);
        this.existing = existing;
        this.library = library;
        this.topics = topics;
        this.limits = limits;
    }

    /**
     * Exports a log; without samples it writes nothing and the result has no files.
     *
     * @throws ULogException if it is not a log, is refused, or has none of the requested topics
     */
    public Result export(Path log, Progress progress) throws IOException {
        return export(log, name(log), progress);
    }

    /** Like {@link #export(Path, Progress)}, with another name in the column {@code log}. */
    public Result export(Path log, String name, Progress progress) throws IOException {
        LogSource.read(log, collector, (done, total) -> progress.onProgress(done, 2 * total));
        topics.requireMatches();
        long total = 0;
        for (Table table : tables.values()) {
            table.rows.finish();
            total += table.rows.rows();
        }
        ParquetTable.Log facts = new ParquetTable.Log(name, library, collector.utc.bootUtcUs());
        long rows = 0;
        for (Table table : tables.values()) {
            write(table, facts);
            table.rows.close();
            rows += table.rows.rows();
            progress.onProgress(total + rows, 2 * total);
        }
        for (OutputFile file : files) {
            file.commit();
        }
        return new Result(files.size(), rows, facts.bootUtcUs() != 0, collector.damage());
    }

    /**
     * The written files, in order, with the topic of their rows; file names are only derived from the names of topics.
     */
    public Map<Path, String> topicsByFile() {
        return Collections.unmodifiableMap(topicsByFile);
    }

    /** The topics that are left out because a Parquet file cannot contain them, with the reasons. */
    public Set<String> leftOut() {
        return Collections.unmodifiableSet(leftOut);
    }

    /** Deletes incomplete files, and a directory that stayed empty. */
    @Override
    public void close() throws IOException {
        try (directory) {
            for (Table table : tables.values()) {
                table.rows.close();
            }
            for (OutputFile file : files) {
                file.close();
            }
        }
    }

    /** The log's file name without extensions, like the names of the recorder's logs. */
    static String name(Path log) {
        if (log.equals(LogSource.STANDARD_INPUT)) {
            return "stdin";
        }
        return Objects.toString(log.getFileName(), "").replaceFirst("(?i)(\\.(ulg|bin|tlog|part|gz))+$", "");
    }

    private void write(Table table, ParquetTable.Log facts) throws IOException {
        OutputFile file = table.file;
        try (RowMerge sorted = table.rows.sorted()) {
            int count = read(sorted, table.rows);
            while (count > 0) {
                count = writeFile(table, file, sorted, count, facts);
                if (count > 0) {
                    file = output(table.topic);
                }
            }
        }
    }

    /** Writes a file, whose first rows have been read; returns the number of rows read for the next file. */
    private int writeFile(Table table, OutputFile file, RowMerge sorted, int first, ParquetTable.Log facts)
            throws IOException {
        int count = first;
        try (OutputFile.Sink sink = new OutputFile.Sink(file)) {
            ParquetTable out = new ParquetTable(sink.channel(), table.rows.layout(), facts, pages);
            do {
                out.write(group, count);
                count = read(sorted, table.rows);
            } while (count > 0 && out.chunks() + out.columns() <= limits.chunks);
            out.finish(collector.units.of(table.topic));
            sink.flush();
        }
        return count;
    }

    /** Reads a row group. */
    private int read(RowMerge sorted, RowSpool rows) throws IOException {
        int rowBytes = ParquetTable.rowBytes(rows.layout());
        long most = Math.min(rows.rows(), Math.max(Math.min(limits.groupRows, limits.groupBytes / rowBytes), 1));
        int length = Math.toIntExact(most * rowBytes);
        if (group.length != length) {
            group = new byte[0]; // releases the old one before the new one is allocated
            group = new byte[length];
        }
        return sorted.read(group);
    }

    private @Nullable RowSpool open(Topic topic) throws IOException {
        TopicLayout layout = topic.layout().orElseThrow();
        Optional<String> refusal = ParquetTable.refusal(layout);
        if (refusal.isPresent()) {
            leftOut.add(refusal.get());
            return null;
        }
        Key key = new Key(topic.name(), layout.columns());
        Table table = tables.get(key);
        if (table == null) {
            if (tables.size() == MAX_TABLES) {
                throw new ULogException("more than " + MAX_TABLES + " topics with samples");
            }
            RowSpool rows =
                    new RowSpool(layout, RowSpool.Limits.beside(tables.size()), temporary("rows"), temporary("merged"));
            table = new Table(topic.name(), rows, output(topic.name()));
            tables.put(key, table);
        }
        return table.rows;
    }

    private OutputFile output(String topic) throws IOException {
        Path target = directory.file(topic, "", ".parquet");
        OutputFile file = OutputFile.at(target, existing);
        files.add(file);
        topicsByFile.put(target, topic);
        return file;
    }

    private OutputFile temporary(String name) throws IOException {
        return OutputFile.at(directory.file(name, "_" + tables.size(), ".tmp"), OutputFile.Existing.REPLACE);
    }

    private final class Collector extends LogDamage.Tally {
        private final UtcReference utc = new UtcReference();
        private final FieldUnits units = new FieldUnits();
        private long lastUs;

        @Override
        public void onStart(int version, long startUs) {
            utc.onStart(version, startUs);
            lastUs = startUs;
        }

        @Override
        public void onInfo(KeyedValue info) {
            utc.onInfo(info);
            units.onInfo(info);
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) {
            units.onMultiInfo(info);
        }

        @Override
        public void onTopic(Topic announced) {
            utc.onTopic(announced);
            topics.onTopic(announced);
        }

        @Override
        public void onSample(SampleView sample) throws IOException {
            utc.onSample(sample);
            lastUs = ChosenSamples.isTimed(sample) ? sample.timestampUs() : lastUs;
            Topic topic = sample.topic();
            if (!topics.accepts(topic)) {
                return;
            }
            Subscribed subscribed = byId[topic.messageId()];
            if (subscribed == null || subscribed.topic != topic) {
                subscribed = new Subscribed(topic, open(topic));
                byId[topic.messageId()] = subscribed;
            }
            if (subscribed.rows != null) {
                subscribed.rows.add(sample, lastUs);
            }
        }
    }
}
