package org.mavlogd.page;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.mavlogd.logtools.LogBytes;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.Progress;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.Catalogue.State;
import org.mavlogd.series.SeriesStore;
import org.mavlogd.series.SeriesStore.Wanted;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.ULogHandler;

/**
 * Provides each log as a ULog that can be read at any position: the log itself, or a converted copy in the page's
 * cache, of which the least recently used ones are deleted when all together are too large. Owned by the plotting
 * thread.
 */
final class PlainLogs {
    private static final String SUFFIX = ".copy.ulg";
    private static final String MAKING = ".making";
    private static final long CHECK_BYTES = 1 << 20;
    /** Age after which an unfinished copy is abandoned: another page that shares the directory writes all the time. */
    private static final long LEFT_MS = TimeUnit.MINUTES.toMillis(10);

    private final Path directory;
    private final long maxBytes;
    private final long reserveBytes;

    /**
     * Creates the store of copies.
     *
     * @param maxBytes of all copies together
     * @param reserveBytes of the disk that remain free for the recorder
     */
    PlainLogs(Path directory, long maxBytes, long reserveBytes) {
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.reserveBytes = reserveBytes;
    }

    SeriesStore.Source plain(Entry log, Wanted wanted) throws IOException {
        boolean isPlain;
        try (LogBytes bytes = LogBytes.open(log.file())) {
            isPlain = !bytes.isGzip() && bytes.isULog();
        }
        if (isPlain) {
            return new SeriesStore.Source(log.file(), log.state() == State.RECORDING);
        }
        return new SeriesStore.Source(copy(log, wanted), false);
    }

    private Path copy(Entry log, Wanted wanted) throws IOException {
        String key = log.file().toAbsolutePath() + "\n" + log.bytes() + "\n" + log.modifiedMs();
        Path copy = directory.resolve(Digests.hex(key) + SUFFIX);
        if (Files.exists(copy)) {
            // Not the time of its last change, by which readers see that their indexes are still valid.
            FileTime now = FileTime.fromMillis(System.currentTimeMillis());
            Files.getFileAttributeView(copy, BasicFileAttributeView.class).setTimes(null, now, null);
            return copy;
        }
        Files.createDirectories(directory);
        deleteLeft();
        Path making = directory.resolve(Digests.hex(key) + MAKING);
        try {
            write(log, making, wanted);
            Files.move(making, copy);
        } finally {
            Files.deleteIfExists(making);
        }
        deleteOldest(copy);
        return copy;
    }

    private void write(Entry log, Path target, Wanted wanted) throws IOException {
        try (OutputStream out = Files.newOutputStream(target)) {
            long[] written = new long[1];
            LogSource.stream(
                    log.file(),
                    (buffer, offset, length) -> {
                        wanted.check();
                        written[0] += length;
                        if (written[0] == length || written[0] % CHECK_BYTES < length) {
                            checkDisk(log);
                        }
                        if (written[0] > maxBytes) {
                            throw new FileSystemException(
                                    log.name(), null, "unpacked it has more than " + Words.bytes(maxBytes));
                        }
                        out.write(buffer, offset, length);
                    },
                    new ULogHandler() {},
                    Progress.NONE);
        }
    }

    /** Deletes copies that a killed page did not complete, and that nothing would count or read. */
    private void deleteLeft() throws IOException {
        long nowMs = System.currentTimeMillis();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(MAKING)).toList()) {
                if (nowMs - file.toFile().lastModified() > LEFT_MS) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Deletes older copies before refusing one. */
    private void checkDisk(Entry log) throws IOException {
        for (Path copy : copies()) {
            if (directory.toFile().getUsableSpace() < reserveBytes) {
                Files.deleteIfExists(copy);
            }
        }
        if (directory.toFile().getUsableSpace() < reserveBytes) {
            throw new FileSystemException(
                    log.name(),
                    null,
                    "it must be copied first, and less than " + Words.bytes(reserveBytes)
                            + " would be left on the disk");
        }
    }

    private void deleteOldest(Path newest) throws IOException {
        List<Path> copies = copies();
        long bytes = copies.stream().mapToLong(copy -> copy.toFile().length()).sum();
        for (Path copy : copies) {
            if (bytes > maxBytes && !copy.equals(newest)) {
                bytes -= copy.toFile().length();
                Files.deleteIfExists(copy);
            }
        }
    }

    /** The copies, the least recently used first. */
    private List<Path> copies() throws IOException {
        List<Path> copies = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> file.toString().endsWith(SUFFIX)).forEach(copies::add);
        }
        Map<Path, FileTime> used = new HashMap<>();
        for (Path copy : copies) {
            used.put(copy, lastUse(copy));
        }
        copies.sort(Comparator.comparing(used::get));
        return copies;
    }

    private static FileTime lastUse(Path copy) throws IOException {
        try {
            return Files.readAttributes(copy, BasicFileAttributes.class).lastAccessTime();
        } catch (NoSuchFileException e) {
            return FileTime.fromMillis(0); // another page has just deleted it
        }
    }
}
