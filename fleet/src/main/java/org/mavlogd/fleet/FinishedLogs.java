package org.mavlogd.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mavlogd.config.UploadSettings.Order;
import org.mavlogd.fleet.state.Version;
import org.mavlogd.store.Appended;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.LogDirectory;
import org.mavlogd.store.LogDirectory.Log;
import org.mavlogd.store.LogDirectory.Piece;
import org.mavlogd.store.LogDirectory.State;

/** The finished files of the log directory in the order in which they are sent. Owned by one thread. */
final class FinishedLogs {
    private static final String PART = ".part";
    private static final Version GROWING = new Version(-1, -1);

    private final Path directory;
    private final FileDisk disk;
    private final Comparator<LogFile> order;
    private Map<String, Version> listed = Map.of();
    private List<LogFile> files = List.of();

    FinishedLogs(Path directory, Order order, boolean crashFirst) {
        this.directory = directory;
        this.disk = new FileDisk(directory);
        this.order = comparator(order, crashFirst);
    }

    /** The files of a log are kept together, in the order of their starts. */
    static Comparator<LogFile> comparator(Order order, boolean crashFirst) {
        Comparator<LogFile> byLog = Comparator.comparingLong(LogFile::number);
        Comparator<LogFile> byAge = order == Order.NEWEST ? byLog.reversed() : byLog;
        Comparator<LogFile> whole = byAge.thenComparingInt(LogFile::systemId).thenComparing(LogFile::name);
        return crashFirst
                ? Comparator.comparing((LogFile file) -> !file.hasCrash()).thenComparing(whole)
                : whole;
    }

    Path path(LogFile file) {
        return directory.resolve(file.name());
    }

    /**
     * Lists the files. Heads of files are read only if a name, a length or a time has changed.
     *
     * @throws IOException also if there is no directory, for example because its disk is not mounted: that is not one without logs
     */
    List<LogFile> look() throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IOException(Files.exists(directory) ? "it is not a directory" : "it does not exist");
        }
        Map<String, Version> now = new HashMap<>();
        for (Disk.Entry entry : disk.list()) {
            if (LogDirectory.identity(entry.name()).isPresent()) {
                version(entry).ifPresent(version -> now.put(entry.name(), version));
            }
        }
        if (now.equals(listed)) {
            return files;
        }
        List<LogFile> found = new ArrayList<>();
        for (Log log : new LogDirectory(disk).logs()) {
            add(log, now, found);
        }
        found.sort(order);
        listed = now;
        files = List.copyOf(found);
        return files;
    }

    private void add(Log log, Map<String, Version> versions, List<LogFile> found) {
        boolean hasULog = log.pieces().stream().anyMatch(piece -> piece.name().endsWith(".ulg"));
        boolean isComplete = log.pieces().stream().allMatch(piece -> piece.state() == State.FINISHED);
        String name = log.pieces().get(0).name().replaceFirst("\\.[a-z]+(\\.(part|unread))?$", "");
        for (Piece piece : log.pieces()) {
            Version version = versions.get(piece.name()); // null if it appeared after the listing
            boolean isFinished = piece.state() == State.FINISHED && piece.bytes() > 0 && !disk.isGrowing(piece.name());
            if (version != null && isFinished) {
                found.add(new LogFile(
                        piece.name(),
                        name,
                        log.systemId(),
                        log.number(),
                        piece.begin(),
                        version,
                        log.has(Appended.CRASH_DATA),
                        isComplete,
                        hasULog && !piece.name().endsWith(".ulg")));
            }
        }
    }

    /** The version of a file; constant while it is being written. Empty if it was deleted since the listing. */
    private Optional<Version> version(Disk.Entry file) throws IOException {
        if (file.name().endsWith(PART)) {
            return Optional.of(GROWING);
        }
        try {
            FileTime modified = Files.getLastModifiedTime(directory.resolve(file.name()));
            return Optional.of(new Version(file.bytes(), modified.toMillis()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Whether a running program writes a log. */
    boolean isRecording() throws IOException {
        return disk.list().stream().anyMatch(entry -> entry.name().endsWith(PART) && disk.isGrowing(entry.name()));
    }

    /** Free bytes of the file system. */
    long usableBytes() {
        return disk.usableBytes();
    }
}
