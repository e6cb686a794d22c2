package org.mavlogd.logtools;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private final CsvNames names = new CsvNames();
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
            directory.make();
            Path file = directory.path().resolve(names.name(topic));
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

    /**
     * Gives each topic instance a file name of its own: letters, digits, {@code _} and {@code -} of its name, its instance,
     * and a number where that is taken. Names are told apart without regard to case, as some file systems do.
     */
    private static final class CsvNames {
        private static final int MAX_LENGTH = 100;

        private final Set<String> taken = new HashSet<>();

        String name(Topic topic) {
            String safe = topic.name().replaceAll("[^A-Za-z0-9_-]", "_");
            String base = safe.substring(0, Math.min(safe.length(), MAX_LENGTH)) + "_" + topic.multiId();
            String name = base;
            for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
                name = base + "-" + i;
            }
            return name + ".csv";
        }
    }

    /** A directory that is made when needed, and goes again if nothing was put into it; so do those above it. */
    private static final class OutputDirectory implements Closeable {
        private final Path path;

        /** Made by us, the innermost first. */
        private final Deque<Path> made = new ArrayDeque<>();

        OutputDirectory(Path path) {
            this.path = path;
        }

        Path path() {
            return path;
        }

        void make() throws IOException {
            if (Files.isDirectory(path)) {
                return;
            }
            Deque<Path> missing = new ArrayDeque<>();
            for (Path at = path.toAbsolutePath(); at != null && !Files.exists(at); at = at.getParent()) {
                missing.push(at);
            }
            try {
                for (Path directory : missing) {
                    makeOne(directory);
                }
            } catch (FileAlreadyExistsException e) {
                throw new NotDirectoryException(path.toString());
            }
            if (!Files.isDirectory(path)) {
                throw new NotDirectoryException(path.toString());
            }
        }

        private void makeOne(Path directory) throws IOException {
            try {
                Files.createDirectory(directory);
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(directory)) {
                    throw e;
                }
                return; // by somebody else, meanwhile: not ours to delete
            }
            made.push(directory);
            // If the process is told to end. The files in it, registered later, are deleted before.
            directory.toFile().deleteOnExit();
        }

        /** Deletes what was made, as far as it is empty. */
        @Override
        public void close() throws IOException {
            while (!made.isEmpty()) {
                try {
                    Files.deleteIfExists(made.pop());
                } catch (DirectoryNotEmptyException inUse) {
                    made.clear();
                }
            }
        }
    }
}
