package org.mavlogd.lake;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The list of all files of a lake, and the only class that adds and removes them.
 *
 * <p>The files of a {@link LakeChange} are first staged, complete and forced, in a directory of the same file system.
 * Then the change is written to a file and forced, and from then on it belongs to the lake: rows of {@code logs} are
 * deleted first, then files that no longer belong to the lake; the staged ones are renamed to their places, rows of
 * {@code logs} last; and the entries are written. If the process ends meanwhile, the next one completes the change;
 * changes that were not written down are discarded. One process at a time may change a lake; its threads publish one
 * after the other. Changes and the queries of {@code lake query} wait for each other.
 */
final class LakeLedger implements Closeable {
    private static final String NEXT = ".next";
    private static final String LOGS = "logs/";

    private final Path lake;
    private final Path entries;
    private final Path staging;
    private final Path change;
    private final FileChannel lockFile;
    private final Map<String, LogEntry> byLog = new ConcurrentHashMap<>();
    private final Map<String, String> logBySha256 = new ConcurrentHashMap<>();

    private LakeLedger(Path lake, FileChannel lockFile) {
        this.lake = lake;
        this.entries = lake.resolve(LakeFiles.OWN).resolve("ledger");
        this.staging = lake.resolve(LakeFiles.OWN).resolve("staging");
        this.change = lake.resolve(LakeFiles.OWN).resolve("change");
        this.lockFile = lockFile;
    }

    /**
     * Opens a lake for changes, creates it if needed, and completes the unfinished change of an earlier process.
     *
     * @throws IOException also if another process changes it now, or if a directory with other contents is not a lake
     */
    static LakeLedger open(Path lake) throws IOException {
        LakeFiles.requireReadable(lake);
        requireLakeOrEmpty(lake);
        Path own = lake.resolve(LakeFiles.OWN);
        Files.createDirectories(own.resolve("ledger"));
        FileChannel lockFile =
                FileChannel.open(own.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            requireLock(lake, lockFile);
            LakeLedger ledger = new LakeLedger(lake, lockFile);
            ledger.recover();
            return ledger;
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    private static void requireLakeOrEmpty(Path lake) throws IOException {
        if (!Files.exists(lake) || Files.isDirectory(lake.resolve(LakeFiles.OWN))) {
            return;
        }
        try (Stream<Path> inside = Files.list(lake)) {
            if (inside.findAny().isPresent()) {
                throw new IOException(lake + ": not a lake and not empty; name a new directory");
            }
        }
    }

    private static void requireLock(Path lake, FileChannel lockFile) throws IOException {
        FileLock lock;
        try {
            lock = lockFile.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw new IOException(lake + ": another process is changing it; wait until that has ended");
        }
    }

    private void recover() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(entries)) {
            files = all.sorted().toList();
        }
        List<Path> unfinished = new ArrayList<>();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            if (name.startsWith(".")) {
                Files.delete(file); // incomplete
            } else if (name.endsWith(NEXT)) {
                unfinished.add(file);
            } else {
                remember(LogEntry.read(file));
            }
        }
        if (Files.exists(change)) {
            carryOut(LakeChange.read(change));
        }
        for (Path file : unfinished) {
            carryOut(of(file));
            Files.delete(file);
        }
        LakeFiles.deleteAll(staging);
    }

    /**
     * The change that a job of a cluster started: a log's entry, whose file name without extension is that of the
     * staging directory.
     */
    private LakeChange of(Path file) throws IOException {
        LogEntry entry = LogEntry.read(file);
        List<String> former =
                new ArrayList<>(entry(entry.log()).map(LogEntry::files).orElse(List.of()));
        former.removeAll(entry.files());
        String name = String.valueOf(file.getFileName());
        return new LakeChange(name.substring(0, name.length() - NEXT.length()), List.of(entry), former);
    }

    private void remember(LogEntry entry) {
        LogEntry before = byLog.put(entry.log(), entry);
        if (before != null) {
            logBySha256.remove(before.sha256(), before.log());
        }
        if (!entry.sha256().isEmpty()) {
            logBySha256.put(entry.sha256(), entry.log());
        }
    }

    Optional<LogEntry> entry(String log) {
        return Optional.ofNullable(byLog.get(log));
    }

    /**
     * Makes a log the owner of these bytes, so that they are converted once.
     *
     * @return false if another log owns them, in the lake or in progress
     */
    boolean claim(String sha256, String log) {
        String first = logBySha256.putIfAbsent(sha256, log);
        return first == null || first.equals(log);
    }

    /** Releases these bytes: the log that claimed them was not converted. */
    void giveUp(String sha256, String log) {
        if (!byLog.containsKey(log) || !sha256.equals(byLog.get(log).sha256())) {
            logBySha256.remove(sha256, log);
        }
    }

    /** Creates an empty directory for the files of a log, in which paths are those in the lake. */
    Path stage(String log) throws IOException {
        Path directory = staging.resolve(log);
        LakeFiles.deleteAll(directory);
        return Files.createDirectories(directory);
    }

    /** The entries of all logs, in no order. */
    List<LogEntry> entries() {
        return List.copyOf(byLog.values());
    }

    /**
     * Replaces the rows of a log by its staged files; other files of the entry are in their places already.
     *
     * @param days removes the log's former rows from files that it shares with others
     */
    synchronized void publish(LogEntry entry, DayFiles days) throws IOException {
        Set<String> former = new LinkedHashSet<>(
                Optional.ofNullable(byLog.get(entry.log())).map(LogEntry::files).orElse(List.of()));
        former.removeAll(entry.files());
        // Users may have deleted directories of old days.
        former.removeIf(file -> !Files.exists(lake.resolve(file)));
        List<LogEntry> sharing = former.isEmpty()
                ? List.of()
                : byLog.values().stream()
                        .filter(other -> !other.log().equals(entry.log())
                                && other.files().stream().anyMatch(former::contains))
                        .toList();
        Map<String, String> without = new HashMap<>();
        for (String file : former) {
            if (sharing.stream().anyMatch(other -> other.files().contains(file))) {
                without.put(file, days.without(entry.log(), file, staging.resolve(entry.log())));
            }
        }
        List<LogEntry> changed = new ArrayList<>(List.of(entry));
        sharing.forEach(other -> changed.add(other.withFiles(without)));
        publish(new LakeChange(entry.log(), changed, List.copyOf(former)));
    }

    /** Makes a change whose files are staged. */
    synchronized void publish(LakeChange wanted) throws IOException {
        Path staged = staging.resolve(wanted.staging());
        Set<String> waiting = LakeFiles.inside(staged);
        for (String file : waiting) {
            LakeFiles.force(staged.resolve(file));
        }
        for (LogEntry entry : wanted.entries()) {
            List<String> before = Optional.ofNullable(byLog.get(entry.log()))
                    .map(LogEntry::files)
                    .orElse(List.of());
            for (String file : entry.files()) {
                if (!waiting.contains(file)
                        && (!before.contains(file) || wanted.removed().contains(file))) {
                    throw new NoSuchFileException(lake.resolve(file).toString(), null, "was not staged");
                }
            }
        }
        LakeFiles.writeDurably(change, wanted.bytes());
        carryOut(wanted);
    }

    /** Carries out a change; may be repeated. */
    private void carryOut(LakeChange wanted) throws IOException {
        Path staged = staging.resolve(wanted.staging());
        Set<String> waiting = LakeFiles.inside(staged);
        Set<Path> changed = new LinkedHashSet<>();
        LakeReaders readers = LakeReaders.awaitEnd(lake);
        try (readers) {
            // A row of logs that is in its place already is kept: it is not among the staged files.
            delete(wanted.removed().stream().filter(LakeLedger::isLogsRow).toList(), changed);
            delete(waiting.stream().filter(LakeLedger::isLogsRow).toList(), changed);
            delete(wanted.removed(), changed);
            move(staged, waiting.stream().filter(file -> !isLogsRow(file)).toList(), changed);
            move(staged, waiting.stream().filter(LakeLedger::isLogsRow).toList(), changed);
            forceDirectories(changed);
        }
        for (LogEntry entry : wanted.entries()) {
            LakeFiles.writeDurably(entries.resolve(entry.log()), entry.bytes());
        }
        Files.deleteIfExists(change);
        LakeFiles.forceEntries(change);
        wanted.entries().forEach(this::remember);
        LakeFiles.deleteAll(staged);
    }

    /** Forces the directories of the files and all above up to the lake, each once: some of them are new. */
    private void forceDirectories(Set<Path> changed) throws IOException {
        Set<Path> forced = new HashSet<>();
        for (Path file : changed) {
            for (Path at = file; !at.equals(lake) && forced.add(LakeFiles.parent(at)); at = LakeFiles.parent(at)) {
                LakeFiles.forceEntries(at);
            }
        }
    }

    private static boolean isLogsRow(String file) {
        return file.startsWith(LOGS);
    }

    private void move(Path staged, List<String> files, Set<Path> changed) throws IOException {
        for (String file : files) {
            Path from = staged.resolve(file);
            if (Files.exists(from)) {
                Path target = lake.resolve(file);
                Files.createDirectories(LakeFiles.parent(target));
                Files.move(from, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                changed.add(target);
            }
        }
    }

    private void delete(Iterable<String> files, Set<Path> changed) throws IOException {
        for (String file : files) {
            Path path = lake.resolve(file);
            if (Files.deleteIfExists(path)) {
                changed.add(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
