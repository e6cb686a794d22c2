package org.mavlogd.lake;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.lake.SmallTables.Table;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.tables.ParquetExport;

/**
 * Creates the files of one log after the other, in directories in which paths are those in the lake. Owned by one
 * thread.
 */
public final class LogConversion implements Closeable {
    private static final String PARQUET = ".parquet";

    private final String library;
    private final Clock clock;
    private final SmallTables tables;

    /**
     * Starts DuckDB, which writes the small tables.
     *
     * @param library name and version of the writing program
     * @param spill directory for rows that do not fit in memory
     */
    public LogConversion(String library, Clock clock, Path spill) throws IOException {
        this.library = library;
        this.clock = clock;
        this.tables = new SmallTables(spill);
    }

    /**
     * Creates the files of a log; publishes nothing.
     *
     * @param staged an empty directory
     * @throws IOException if the log is refused or was changed meanwhile, or if the directory cannot be written: then
     *     it is a {@link java.nio.file.FileSystemException} that names a file in it
     */
    public LogEntry convert(SourceLog source, String sha256, Path staged) throws IOException {
        String log = source.id();
        LogRows facts = LogRows.of(source, sha256);
        List<String> files = new ArrayList<>();
        Set<String> leftOut = samples(source, facts, staged, files);
        if (!leftOut.isEmpty()) {
            files.add(LogEntry.leftOutFile(log));
            failures(source, source.place(), leftOut, staged.resolve(LogEntry.leftOutFile(log)));
        }
        for (Map.Entry<Table, List<@Nullable Object[]>> table : facts.rows().entrySet()) {
            String directory = directory(table.getKey(), facts);
            String file = directory + "/" + log + PARQUET;
            tables.write(table.getKey(), table.getValue(), staged.resolve(file));
            files.add(file);
        }
        source.requireUnchanged();
        return new LogEntry(log, source.source(), sha256, source.sizeBytes(), source.modifiedMs(), files);
    }

    private static String directory(Table table, LogRows facts) {
        return table == Table.LOGS
                ? table.directory() + "/date=" + facts.date().orElse(LakeFiles.NO_VALUE)
                : LakeFiles.partition(table.directory(), facts.vehicle(), facts.date());
    }

    /** Writes the samples, and adds their files to the list; returns the topics that are left out, with the reasons. */
    private Set<String> samples(SourceLog source, LogRows facts, Path staged, List<String> files) throws IOException {
        String log = source.id();
        Path unsorted = staged.resolve("samples");
        try (ParquetExport export =
                new ParquetExport(unsorted, OutputFile.Existing.REFUSE_UNFORCED, library, TopicChoice.all())) {
            export.export(source.file(), log, Progress.NONE);
            for (Map.Entry<Path, String> written : export.topicsByFile().entrySet()) {
                String directory =
                        LakeFiles.partition(LakeFiles.topic(written.getValue()), facts.vehicle(), facts.date());
                String file = free(directory + "/" + log, files);
                Files.createDirectories(LakeFiles.parent(staged.resolve(file)));
                Files.move(written.getKey(), staged.resolve(file));
                files.add(file);
            }
            return Set.copyOf(export.leftOut());
        }
    }

    /** A free file name: a topic has several files if its format changes within a log. */
    private static String free(String base, List<String> taken) {
        String file = base + PARQUET;
        for (int i = 2; taken.contains(file); i++) {
            file = base + "." + i + PARQUET;
        }
        return file;
    }

    /**
     * Creates a row of failures.
     *
     * @param place of the log
     * @param staged an empty directory
     * @return entry of a log of which the lake has nothing else
     */
    public LogEntry fail(SourceLog source, String place, String reason, Path staged) throws IOException {
        String log = source.id();
        String file = LogEntry.refusedFile(log);
        failures(source, place, Set.of(reason), staged.resolve(file));
        return new LogEntry(log, source.source(), "", source.sizeBytes(), source.modifiedMs(), List.of(file));
    }

    private void failures(SourceLog source, String place, Set<String> reasons, Path file) throws IOException {
        long nowUs = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (String reason : reasons) {
            @Nullable Object[] row = {source.id(), source.source(), place, reason, nowUs};
            rows.add(row);
        }
        tables.write(Table.FAILURES, rows, file);
    }

    @Override
    public void close() throws IOException {
        tables.close();
    }
}
