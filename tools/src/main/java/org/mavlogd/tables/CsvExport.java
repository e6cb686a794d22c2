package org.mavlogd.tables;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.OutputDirectory;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;

/**
 * Writes the samples of a log as tables, one file for each topic instance with samples, or one table as a stream. The
 * files get their names when all are complete; docs/log-tools.md describes their contents.
 */
public final class CsvExport implements Closeable {
    /** Maximum number of tables that are buffered at the same time. */
    static final int MAX_TABLES = 1024;

    // Files are reopened for each piece, as there may be more tables than a process may have open files. All buffers
    // together take 22 MiB.
    private static final int GATHERED_BYTES = 64 * 1024;
    private static final int FEW_TABLES = 256;
    private static final int GATHERED_BYTES_OF_MANY = 8 * 1024;

    private static final int IDS = 65_536;
    private static final int MAX_LISTED = 10;

    /** The time column of a row. */
    public enum Times {
        /** {@code timestamp}: microseconds of the vehicle's clock. */
        US("timestamp"),
        /** {@code timestamp_s}: seconds of the vehicle's clock. */
        S("timestamp_s"),
        /** {@code timestamp_utc}: ISO 8601. */
        UTC("timestamp_utc");

        private final String column;

        Times(String column) {
            this.column = column;
        }

        String column() {
            return column;
        }
    }

    /** The contents of the tables. */
    public record Choice(TopicChoice topics, TimeRange range, Times times) {}

    /** Identifies a table: an instance has several if the log declares its format again. */
    private record Key(String instance, List<Column> columns) {}

    /** The table of a message id's current topic. */
    private record Subscribed(Topic topic, CsvTable table) {}

    /** The result of an export. */
    public record Result(int files, long rows, LogDamage damage) {
        public String text() {
            return Words.count(files, "file") + " with " + Words.count(rows, "row");
        }
    }

    private final Choice choice;
    private final @Nullable OutputDirectory directory;
    private final OutputFile.Existing existing;
    private final OutputStream stream;
    private final CsvText row;
    private final List<OutputFile> files = new ArrayList<>();
    private final @Nullable Subscribed[] byId = new Subscribed[IDS];
    private final Map<Key, CsvTable> tables = new LinkedHashMap<>();
    private final Collector collector;

    /** Exports to files. */
    public CsvExport(Path directory, OutputFile.Existing existing, Choice choice) {
        this.choice = choice;
        this.directory = new OutputDirectory(directory);
        this.existing = existing;
        this.stream = OutputStream.nullOutputStream();
        this.row = new CsvText(CsvText.Texts.EXACT);
        this.collector = new Collector();
    }

    /** Exports one table to a stream, with spaces in place of control characters. */
    public CsvExport(OutputStream stream, Choice choice) {
        this.choice = choice;
        this.directory = null;
        this.existing = OutputFile.Existing.REFUSE;
        this.stream = stream;
        this.row = new CsvText(CsvText.Texts.PRINTABLE);
        this.collector = new Collector();
    }

    /**
     * Exports a log; without selected samples it writes nothing and the result has no files.
     *
     * @throws ULogException if it is not a log, is refused, or lacks a requested topic or UTC
     */
    public Result export(Path log, Progress progress) throws IOException {
        if (directory == null || choice.times == Times.UTC) {
            collector.readTwice(log, progress);
        } else {
            collector.read(log, progress);
        }
        long rows = 0;
        for (CsvTable table : tables.values()) {
            table.flush();
            rows += table.rows();
        }
        for (OutputFile file : files) {
            file.commit();
        }
        return new Result(tables.size(), rows, collector.damage());
    }

    /** Deletes incomplete files, and a directory that stayed empty. */
    @Override
    public void close() throws IOException {
        try {
            for (OutputFile file : files) {
                file.close();
            }
        } finally {
            if (directory != null) {
                directory.close();
            }
        }
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
            long bootUtcUs = collector.utc().bootUtcUs();
            byte[] gathered = new byte[tables.size() < FEW_TABLES ? GATHERED_BYTES : GATHERED_BYTES_OF_MANY];
            table = new CsvTable(layout, choice.times, bootUtcUs, output(topic), gathered, row);
            tables.put(key, table);
            table.begin();
        }
        return table;
    }

    private OutputStream output(Topic topic) throws IOException {
        if (directory == null) {
            if (!tables.isEmpty()) {
                throw new ULogException(topic + " is declared again in the log, with other fields; one table cannot "
                        + "hold both: give a directory with -o");
            }
            return stream;
        }
        OutputFile file = OutputFile.at(directory.file(topic.name(), "_" + topic.multiId(), ".csv"), existing);
        files.add(file);
        return new AppendedFile(file);
    }

    private final class Collector extends ChosenSamples {
        Collector() {
            super(choice.topics, choice.range);
        }

        @Override
        void onPreview(Set<String> instances) throws ULogException {
            if (choice.times == Times.UTC && utc().bootUtcUs() == 0) {
                throw new ULogException("the log has no UTC; use --time us or --time s");
            }
            if (directory == null && instances.size() > 1) {
                throw new ULogException("standard output takes the table of one topic instance, and "
                        + Words.number(instances.size()) + " are chosen: " + listed(instances));
            }
        }

        private String listed(Set<String> instances) {
            List<String> first = instances.stream()
                    .limit(MAX_LISTED)
                    .map(name -> Words.line(name, 100))
                    .toList();
            return String.join(", ", first) + (instances.size() > MAX_LISTED ? ", ..." : "");
        }

        @Override
        void onChosen(SampleView sample, long timeUs) throws IOException {
            table(sample.topic()).add(sample);
        }
    }

    /**
     * A file that is open only while rows are written, so that any number of tables can be written at the same time.
     */
    private static final class AppendedFile extends OutputStream {
        private final OutputFile file;

        AppendedFile(OutputFile file) throws IOException {
            this.file = file;
            try {
                Files.createFile(file.temporary());
            } catch (IOException e) {
                throw file.failed(e);
            }
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer rest = ByteBuffer.wrap(bytes, offset, length);
            try (FileChannel channel = FileChannel.open(file.temporary(), StandardOpenOption.APPEND)) {
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            } catch (IOException e) {
                throw file.failed(e);
            }
        }
    }
}
