package org.mavlogd.logtools;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;

/**
 * Writes the samples of a log as tables, one file for each topic instance that has samples. The files get their names
 * when all are complete; docs/log-tools.md says what is in them.
 */
public final class CsvExport implements Closeable {
    /** So many tables are gathered in memory at once. */
    static final int MAX_TABLES = 1024;

    private static final int IDS = 65_536;

    /** One topic instance has several tables where the log declares its format anew. */
    private record Key(String instance, List<Column> columns) {}

    /** The table of a message id's present topic. */
    private record Subscribed(Topic topic, CsvTable table) {}

    /** What was written. */
    public record Result(int files, long rows, LogDamage damage) {
        public String text() {
            return Words.count(files, "file") + " with " + Words.count(rows, "row");
        }
    }

    private final OutputDirectory directory;
    private final OutputFile.Existing existing;
    private final Optional<String> wanted;
    private final CsvText row = new CsvText();
    private final @Nullable Subscribed[] byId = new Subscribed[IDS];
    private final Map<Key, CsvTable> tables = new LinkedHashMap<>();
    private final Collector collector = new Collector();

    /** @param wanted the only topic to export; empty for all */
    public CsvExport(Path directory, OutputFile.Existing existing, Optional<String> wanted) {
        this.directory = new OutputDirectory(directory);
        this.existing = existing;
        this.wanted = wanted;
    }

    /**
     * Exports a log; without samples that are wanted it writes nothing and the result has no files.
     *
     * @throws ULogException if it is no log, or refused
     */
    public Result export(Path log, Progress progress) throws IOException {
        LogSource.read(log, collector, progress);
        long rows = 0;
        for (CsvTable table : tables.values()) {
            table.flush();
            table.file().commit();
            rows += table.rows();
        }
        return new Result(tables.size(), rows, collector.damage());
    }

    /** Deletes what did not become complete, and a directory that was made for nothing. */
    @Override
    public void close() throws IOException {
        try (directory) {
            for (CsvTable table : tables.values()) {
                table.file().close();
            }
        }
    }

    private boolean isWanted(Topic topic) {
        return wanted.isEmpty() || wanted.get().equals(topic.name());
    }

    private CsvTable table(Topic topic) throws IOException {
        Subscribed subscribed = byId[topic.messageId()];
        if (subscribed == null || subscribed.topic != topic) {
            subscribed = new Subscribed(topic, open(topic));
            byId[topic.messageId()] = subscribed;
        }
        return subscribed.table;
    }

    private CsvTable open(Topic topic) throws IOException {
        TopicLayout layout = topic.layout().orElseThrow();
        Key key = new Key(topic.toString(), layout.columns());
        CsvTable table = tables.get(key);
        if (table == null) {
            if (tables.size() == MAX_TABLES) {
                throw new ULogException("more than " + MAX_TABLES + " topics with samples: export them one by one");
            }
            Path file = directory.file(topic.name(), "_" + topic.multiId(), ".csv");
            table = new CsvTable(layout, OutputFile.at(file, existing), row);
            tables.put(key, table);
            table.begin();
        }
        return table;
    }

    private final class Collector extends LogDamage.Tally {
        @Override
        public void onSample(SampleView sample) throws IOException {
            Topic topic = sample.topic();
            if (isWanted(topic)) {
                table(topic).add(sample);
            }
        }
    }
}
