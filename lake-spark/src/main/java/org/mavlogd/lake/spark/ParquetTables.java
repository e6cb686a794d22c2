package org.mavlogd.lake.spark;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.mavlogd.lake.LogEntry;

/**
 * Plain directories of Parquet files, as {@code mavlogd lake build} creates them: a log's row of {@code logs} is
 * deleted first and added last. Each step may be repeated.
 */
final class ParquetTables implements Tables {
    private static final String LOGS = "logs/";

    private final FileSystem files;
    private final Path lake;
    private final Ledger ledger;

    ParquetTables(FileSystem files, Path lake, Ledger ledger) {
        this.files = files;
        this.lake = lake;
        this.ledger = ledger;
    }

    @Override
    public void complete(Map<String, LogEntry> unfinished) throws IOException {
        for (Map.Entry<String, LogEntry> next : unfinished.entrySet()) {
            carryOut(next.getValue(), next.getKey());
        }
    }

    @Override
    public void publish(LogEntry entry, String staged) throws IOException {
        ledger.begin(entry, staged);
        carryOut(entry, staged);
    }

    private void carryOut(LogEntry entry, String stagedName) throws IOException {
        Path staged = ledger.staged(stagedName);
        Set<String> former = new LinkedHashSet<>(
                ledger.entry(entry.log()).map(LogEntry::files).orElse(List.of()));
        for (String file : former) {
            // A new row of logs that is already in place is kept.
            boolean isNew = entry.files().contains(file) && !files.exists(new Path(staged, file));
            if (file.startsWith(LOGS) && !isNew) {
                files.delete(new Path(lake, file), false);
            }
        }
        move(
                staged,
                entry.files().stream().filter(file -> !file.startsWith(LOGS)).toList());
        former.removeAll(entry.files());
        for (String file : former) {
            files.delete(new Path(lake, file), false);
        }
        move(
                staged,
                entry.files().stream().filter(file -> file.startsWith(LOGS)).toList());
        ledger.finish(entry, stagedName);
    }

    private void move(Path staged, List<String> names) throws IOException {
        for (String name : names) {
            Path from = new Path(staged, name);
            if (files.exists(from)) {
                Stores.move(files, from, new Path(lake, name));
            }
        }
    }

    @Override
    public void flush() {
        // All rows are visible.
    }
}
