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
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the files of a log into the lake, and knows which those are.
 *
 * <p>The files wait complete and forced in a directory of the same file system. Then an entry with the ending {@code .next}
 * lists them, is forced, and from then on they belong to the lake: they get their places by renaming, those of the log's
 * former rows are deleted, the row of {@code logs} goes first and comes last, and the entry loses its ending. A process that ends
 * within this is completed by the next one; what was not listed yet is deleted. One process at a time may change a lake;
 * threads of it publish one after the other.
 */
final class LakeLedger implements Closeable {
    private static final String NEXT = ".next";
    private static final String LOGS = "logs/";

    private final Path lake;
    private final Path entries;
    private final Path staging;
    private final FileChannel lockFile;
    private final Map<String, LogEntry> byLog = new ConcurrentHashMap<>();
    private final Map<String, String> logBySha256 = new ConcurrentHashMap<>();

    private LakeLedger(Path lake, FileChannel lockFile) {
        this.lake = lake;
        this.entries = lake.resolve(LakeFiles.OWN).resolve("ledger");
        this.staging = lake.resolve(LakeFiles.OWN).resolve("staging");
        this.lockFile = lockFile;
    }

    /**
     * Opens a lake for changes, makes it where there is none, and completes what a former process began.
     *
     * @throws IOException also if another process changes it now, or if a directory with other contents is no lake
     */
    static LakeLedger open(Path lake) throws IOException {
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
        Set<String> unfinished = new HashSet<>();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            if (name.startsWith(".")) {
                Files.delete(file);
            } else if (name.endsWith(NEXT)) {
                unfinished.add(name);
            } else {
                remember(LogEntry.read(file));
            }
        }
        for (String name : unfinished) {
            carryOut(LogEntry.read(entries.resolve(name)), name);
        }
        LakeFiles.deleteAll(staging);
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

    /** Whether another log has the same bytes; if not, this one is the log that has them. */
    boolean isCopy(String sha256, String log) {
        String first = logBySha256.putIfAbsent(sha256, log);
        return first != null && !first.equals(log);
    }

    /** The log with these bytes was not converted after all. */
    void forget(String sha256, String log) {
        if (!byLog.containsKey(log) || !sha256.equals(byLog.get(log).sha256())) {
            logBySha256.remove(sha256, log);
        }
    }

    /** An empty directory for the files of a log, with their places in the lake as paths inside. */
    Path stage(String log) throws IOException {
        Path directory = staging.resolve(log);
        LakeFiles.deleteAll(directory);
        return Files.createDirectories(directory);
    }

    /** Replaces the rows of a log by the files that were staged for it; others that the entry lists are in their places already. */
    synchronized void publish(LogEntry entry) throws IOException {
        for (String file : entry.files()) {
            Path staged = staging.resolve(entry.log()).resolve(file);
            if (Files.exists(staged)) {
                LakeFiles.force(staged);
            } else if (entry(entry.log())
                    .filter(before -> before.files().contains(file))
                    .isEmpty()) {
                throw new NoSuchFileException(lake.resolve(file).toString(), null, "was not staged");
            }
        }
        String next = entry.log() + NEXT;
        LakeFiles.writeDurably(entries.resolve(next), entry.bytes());
        carryOut(entry, next);
    }

    /**
     * May be repeated.
     *
     * @param nextName of the file of the entry; without its ending it names the directory with the staged files
     */
    private void carryOut(LogEntry entry, String nextName) throws IOException {
        @Nullable LogEntry before = byLog.get(entry.log());
        Set<String> former = new LinkedHashSet<>(before == null ? List.of() : before.files());
        Set<Path> changed = new LinkedHashSet<>();
        Path staged = staging.resolve(nextName.substring(0, nextName.length() - NEXT.length()));
        if (former.stream().anyMatch(LakeLedger::isLogsRow) && Files.exists(staged)) {
            deleteFormer(former.stream().filter(LakeLedger::isLogsRow).toList(), entry, staged, changed);
        }
        List<String> logsRows =
                entry.files().stream().filter(LakeLedger::isLogsRow).toList();
        move(staged, entry.files().stream().filter(file -> !isLogsRow(file)).toList(), changed);
        former.removeAll(entry.files());
        deleteFormer(former, entry, staged, changed);
        move(staged, logsRows, changed);
        forceDirectories(changed);
        Path next = entries.resolve(nextName);
        Files.move(
                next,
                entries.resolve(entry.log()),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        LakeFiles.forceEntries(next);
        remember(entry);
        LakeFiles.deleteAll(staged);
    }

    /** Those of the files and all above up to the lake, each once: some of them are new. */
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

    private void deleteFormer(Iterable<String> files, LogEntry entry, Path staged, Set<Path> changed)
            throws IOException {
        for (String file : files) {
            // A new row of logs that is in place already stays.
            boolean isNew = entry.files().contains(file) && !Files.exists(staged.resolve(file));
            Path path = lake.resolve(file);
            if (!isNew && Files.deleteIfExists(path)) {
                changed.add(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
