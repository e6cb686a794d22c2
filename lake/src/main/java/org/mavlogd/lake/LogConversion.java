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
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.lake.SmallTables.Table;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.tables.ParquetExport;
import org.mavlogd.text.Failures;

/** Makes the files of one log after the other, in directories of the ledger. Owned by one thread. */
final class LogConversion implements Closeable {
    private static final String PARQUET = ".parquet";

    private final LakeLedger ledger;
    private final String library;
    private final Clock clock;
    private final SmallTables tables;

    LogConversion(LakeLedger ledger, String library, Clock clock) throws IOException {
        this.ledger = ledger;
        this.library = library;
        this.clock = clock;
        this.tables = new SmallTables();
    }

    /** Makes the files of a log; publishes nothing. */
    LogEntry convert(SourceLog source, String sha256) throws IOException {
        String log = source.id();
        Path staged = ledger.stage(log);
        LogRows facts = LogRows.of(source, sha256);
        List<String> files = new ArrayList<>(samples(source, facts, staged));
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

    private List<String> samples(SourceLog source, LogRows facts, Path staged) throws IOException {
        String log = source.id();
        List<String> files = new ArrayList<>();
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
        }
        return files;
    }

    /** One topic has several files where its format changes within a log. */
    private static String free(String base, List<String> taken) {
        String file = base + PARQUET;
        for (int i = 2; taken.contains(file); i++) {
            file = base + "." + i + PARQUET;
        }
        return file;
    }

    /** Makes a row of failures; whatever the lake had of this log stays. */
    LogEntry fail(SourceLog source, Exception failure) throws IOException {
        String log = source.id();
        Path staged = ledger.stage(log);
        String file = Table.FAILURES.directory() + "/" + log + PARQUET;
        String reason =
                failure instanceof IOException io ? Failures.text(source.file(), io) : "internal error: " + failure;
        long nowUs = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
        @Nullable Object[] row = {log, source.source(), source.file().toString(), reason, nowUs};
        List<@Nullable Object[]> rows = new ArrayList<>();
        rows.add(row);
        tables.write(Table.FAILURES, rows, staged.resolve(file));
        Optional<LogEntry> before = ledger.entry(log);
        List<String> files = new ArrayList<>(before.map(LogEntry::files).orElse(List.of()));
        files.remove(file);
        files.add(file);
        return before.map(
                        old -> new LogEntry(log, old.source(), old.sha256(), old.sizeBytes(), old.modifiedMs(), files))
                .orElseGet(
                        () -> new LogEntry(log, source.source(), "", source.sizeBytes(), source.modifiedMs(), files));
    }

    @Override
    public void close() throws IOException {
        tables.close();
    }
}
