package org.mavlogd.lake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds past days and merges the small files in each of their directories: first those of a vehicle's day, table by
 * table, then the rows of {@code logs} of all vehicles. Large files are kept.
 */
final class LakeCompaction {
    /** Files of at least this size are kept, and merged ones are about as large. */
    static final long LARGE_BYTES = 256L << 20;

    private static final String LOGS = "logs/";

    /** A vehicle's day, or a day of {@code logs}: its files by directory, and the last day on which it changed. */
    static final class Day {
        private final String name;
        private final Map<String, Set<String>> byDirectory = new TreeMap<>();
        private final Map<String, LogEntry> entries = new TreeMap<>();
        private LocalDate last = LocalDate.MIN;

        Day(String name) {
            this.name = name;
        }

        private void add(String directory, String file, LogEntry entry, LocalDate day) {
            byDirectory.computeIfAbsent(directory, none -> new TreeSet<>()).add(file);
            entries.put(entry.log(), entry);
            last = day.isAfter(last) ? day : last;
        }
    }

    private final Path lake;
    private final LakeLedger ledger;
    private final LocalDate lastQuiet;

    /** @param quietDays number of days without changes */
    LakeCompaction(Path lake, LakeLedger ledger, Clock clock, int quietDays) {
        this.lake = lake;
        this.ledger = ledger;
        this.lastQuiet = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).minusDays(quietDays);
    }

    /**
     * Days with more than one file in a directory. No two days of vehicles, and no two of {@code logs}, have a log in
     * common.
     */
    List<Day> days(boolean ofLogs) {
        Map<String, Day> days = new HashMap<>();
        for (LogEntry entry : ledger.entries()) {
            for (String file : entry.files()) {
                String directory = file.substring(0, file.lastIndexOf('/'));
                boolean isLogs = file.startsWith(LOGS);
                int partition = isLogs ? 0 : directory.indexOf("/vehicle=");
                if (isLogs == ofLogs && partition >= 0) {
                    String name = directory.substring(partition);
                    days.computeIfAbsent(name, Day::new).add(directory, file, entry, day(directory, entry));
                }
            }
        }
        return days.values().stream()
                .filter(day -> !day.last.isAfter(lastQuiet)
                        && day.byDirectory.values().stream().anyMatch(files -> files.size() > 1))
                .toList();
    }

    /** The day of a log; if unknown, the day on which its file was changed. */
    private static LocalDate day(String directory, LogEntry entry) {
        String date = directory.substring(directory.lastIndexOf('=') + 1);
        return date.equals(LakeFiles.NO_VALUE)
                ? LocalDate.ofInstant(Instant.ofEpochMilli(entry.modifiedMs()), ZoneOffset.UTC)
                : LocalDate.parse(date);
    }

    /** A change that merges files, which are all staged. */
    record Merge(LakeChange change, int fewerFiles) {}

    /** Merges the files of a day without publishing them; empty if there is nothing to merge. */
    Optional<Merge> merge(Day day, DayFiles files) throws IOException {
        String staging = "day-" + LakeFiles.code(day.name);
        Path staged = ledger.stage(staging);
        Map<String, String> replaced = new TreeMap<>();
        for (Map.Entry<String, Set<String>> directory : day.byDirectory.entrySet()) {
            for (List<String> batch : batches(directory.getValue(), day, files)) {
                String merged = directory.getKey() + "/" + LakeFiles.dayFile(batch);
                files.merge(batch, staged.resolve(merged));
                batch.forEach(file -> replaced.put(file, merged));
            }
        }
        if (replaced.isEmpty()) {
            LakeFiles.deleteAll(staged);
            return Optional.empty();
        }
        List<LogEntry> entries = day.entries.values().stream()
                .map(entry -> entry.withFiles(replaced))
                .toList();
        int fewer = replaced.size() - Set.copyOf(replaced.values()).size();
        return Optional.of(new Merge(new LakeChange(staging, entries, List.copyOf(replaced.keySet())), fewer));
    }

    /** Groups of files that become one file each: at least two files, and not only merged ones. */
    private List<List<String>> batches(Set<String> all, Day day, DayFiles files) throws IOException {
        List<String> small = new ArrayList<>();
        for (String file : all) {
            Path path = lake.resolve(file);
            // Users may have deleted directories of old days.
            if (Files.exists(path) && Files.size(path) < LARGE_BYTES) {
                small.add(file);
            }
        }
        if (!isWorthwhile(small, day)) {
            return List.of();
        }
        List<List<String>> batches = new ArrayList<>();
        for (List<String> alike : files.alike(small)) {
            batches.addAll(bySize(alike));
        }
        batches.removeIf(batch -> !isWorthwhile(batch, day));
        return batches;
    }

    /** Splits files into batches, in order. Each has just enough files for a large one; the last takes the rest. */
    private List<List<String>> bySize(List<String> files) throws IOException {
        List<List<String>> batches = new ArrayList<>();
        List<String> batch = new ArrayList<>();
        long bytes = 0;
        for (String file : files) {
            batch.add(file);
            bytes += Files.size(lake.resolve(file));
            if (bytes >= LARGE_BYTES) {
                batches.add(List.copyOf(batch));
                batch.clear();
                bytes = 0;
            }
        }
        batches.add(batch);
        return batches;
    }

    private static boolean isWorthwhile(List<String> files, Day day) {
        return files.size() > 1 && files.stream().anyMatch(file -> isOfOneLog(file, day));
    }

    private static boolean isOfOneLog(String file, Day day) {
        String name = file.substring(file.lastIndexOf('/') + 1);
        return day.entries.values().stream().anyMatch(entry -> name.startsWith(entry.log() + "."));
    }
}
