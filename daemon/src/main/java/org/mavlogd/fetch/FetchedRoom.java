package org.mavlogd.fetch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the space of fetched logs: a total for all of them, and none of the space that recording needs. Older ones are
 * deleted for a new one, in the order in which they came, those with a mark never. Owned by the store's thread.
 */
final class FetchedRoom {
    private static final Logger LOG = LoggerFactory.getLogger(FetchStore.class);
    /** More than any disk has, and small enough to add to. */
    private static final long ENDLESS = Long.MAX_VALUE / 4;
    /** What every file system can distinguish. */
    private static final long STEP_MS = 2000;

    private static final String PART = ".part";

    /**
     * What is being fetched now.
     *
     * @param names of the logs
     * @param bytes what they will have in the end
     * @param expectedBytes what of that is still to come
     */
    record UnderWay(Set<String> names, long bytes, long expectedBytes) {
        UnderWay {
            names = Set.copyOf(names);
        }
    }

    /** One that may be deleted: a whole one, or a part of one that is not fetched now. */
    private record Candidate(Path file, long bytes, long timeMs) {}

    private final FetchDisk disk;
    private final Path directory;
    private final FetchStore.Room room;
    private final long maxTotalBytes;
    private final FetchedLogs marks;

    FetchedRoom(FetchDisk disk, Path directory, FetchStore.Room room, long maxTotalBytes) {
        this.disk = disk;
        this.directory = directory;
        this.room = room;
        this.maxTotalBytes = maxTotalBytes;
        this.marks = new FetchedLogs(directory);
    }

    /** The name of the log that a file is or is a part of. */
    static String whole(String name) {
        return isPart(name) ? name.substring(0, name.length() - PART.length()) : name;
    }

    static String part(String log) {
        return log + PART;
    }

    static boolean isPart(String name) {
        return name.endsWith(PART);
    }

    /** Whether recording needs the room of what is under way. */
    boolean isNeeded() throws IOException {
        return room.spareBytes() < 0;
    }

    /** Deletes the oldest fetched logs until the new one fits; none if that would not help. */
    void make(String name, long length, UnderWay underWay) throws IOException {
        List<Candidate> oldest = candidates(name, underWay);
        long total = oldest.stream().mapToLong(Candidate::bytes).sum();
        if (!fits(underWay.bytes(), length)) {
            throw new IOException(
                    name + " has " + length + " bytes, and [fetch] max_total_mib allows " + maxTotalBytes + " for all");
        }
        if (spareBytes(underWay) + total < length) {
            throw needed(name, length);
        }
        for (Candidate candidate : oldest) {
            if (fits(underWay.bytes() + total, length) && spareBytes(underWay) >= length) {
                return;
            }
            total -= delete(candidate) ? candidate.bytes() : 0;
        }
        if (!fits(underWay.bytes() + total, length) || spareBytes(underWay) < length) {
            throw needed(name, length);
        }
    }

    private static IOException needed(String name, long length) {
        return new IOException(name + " has " + length + " bytes, and recording needs the space");
    }

    private boolean fits(long total, long length) {
        return maxTotalBytes == 0 || total + length <= maxTotalBytes;
    }

    /** Beside recording, and beside what is under way. */
    private long spareBytes(UnderWay underWay) throws IOException {
        return Math.min(room.spareBytes(), ENDLESS) - underWay.expectedBytes();
    }

    /** One that cannot be deleted is left, the next may do. */
    private boolean delete(Candidate candidate) {
        Path file = candidate.file();
        try {
            disk.delete(file);
        } catch (IOException e) {
            LOG.warn("fetch: {} cannot be deleted to make room: {}", file, e.toString());
            return false;
        }
        LOG.info("fetch: {} is deleted to make room", file);
        try {
            disk.delete(file.resolveSibling(file.getFileName() + ".note"));
        } catch (IOException e) {
            LOG.debug("fetch: {}", e.toString());
        }
        return true;
    }

    private List<Candidate> candidates(String except, UnderWay underWay) throws IOException {
        List<Candidate> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.toList()) {
                String log = whole(String.valueOf(file.getFileName()));
                boolean isOurs = FetchedLogName.isWithLength(log) && !log.equals(except);
                if (isOurs && !underWay.names().contains(log) && !marks.isKept(log)) {
                    add(file, found);
                }
            }
        }
        found.sort(Comparator.comparing(Candidate::timeMs));
        return found;
    }

    private static void add(Path file, List<Candidate> found) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (attributes.isRegularFile()) {
                found.add(new Candidate(
                        file, attributes.size(), attributes.lastModifiedTime().toMillis()));
            }
        } catch (NoSuchFileException e) {
            // Somebody deleted it in this moment.
        }
    }

    /**
     * A log has come, or a part of one is left: it is the newest, also where the clock was not set when it came, or went back. So
     * the times of the files tell the order in which they came.
     */
    void arrived(String fileName) {
        Path file = directory.resolve(fileName);
        try {
            long newest = Long.MIN_VALUE;
            for (Candidate other : candidates(whole(fileName), new UnderWay(Set.of(), 0, 0))) {
                newest = Math.max(newest, other.timeMs());
            }
            if (Files.exists(file) && Files.getLastModifiedTime(file).toMillis() <= newest) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(newest + STEP_MS));
            }
        } catch (IOException e) {
            LOG.debug("fetch: {}", e.toString());
        }
    }
}
