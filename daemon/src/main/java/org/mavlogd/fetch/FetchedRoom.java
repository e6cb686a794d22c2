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
 * Limits the space of fetched logs: a total for all of them, and none of the space that recording needs. When bytes of
 * a new log arrive, older logs are deleted for them, in the order of their arrival, but never marked ones.
 *
 * <p>Anyone can forge vehicles and the lengths of their logs. So a length alone deletes nothing; a vehicle that was not
 * known before this run displaces only its own logs; and if the logs of such vehicles take more than a quarter of all,
 * theirs are deleted first. Owned by the store's thread.
 */
final class FetchedRoom {
    private static final Logger LOG = LoggerFactory.getLogger(FetchStore.class);
    /** More than any disk has, and small enough to add to. */
    private static final long ENDLESS = Long.MAX_VALUE / 4;
    /** A step of time that every file system can represent. */
    private static final long STEP_MS = 2000;

    /** Logs of vehicles that were not known may take one part in this many before they are deleted first. */
    private static final int SHARE = 4;

    private static final String PART = ".part";

    /**
     * The logs that are being fetched.
     *
     * @param names of the logs
     * @param bytes their final size, as far as it is trusted: for vehicles that were not known, the bytes received
     * @param expectedBytes how much of that is still to come
     * @param arrivedBytes the bytes received
     */
    record UnderWay(Set<String> names, long bytes, long expectedBytes, long arrivedBytes) {
        UnderWay {
            names = Set.copyOf(names);
        }
    }

    /** A file that may be deleted: a complete log, or an incomplete one that is not being fetched. */
    private record Candidate(Path file, long bytes, long timeMs) {
        int systemId() {
            return FetchedLogName.systemId(whole(String.valueOf(file.getFileName())));
        }
    }

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

    /** The name of the log to which a file belongs. */
    static String whole(String name) {
        return isPart(name) ? name.substring(0, name.length() - PART.length()) : name;
    }

    static String part(String log) {
        return log + PART;
    }

    static boolean isPart(String name) {
        return name.endsWith(PART);
    }

    /** Fails if a log of that length can never fit. Deletes nothing, because no byte of it has come. */
    void check(String name, long length, UnderWay underWay) throws IOException {
        if (!fits(underWay.bytes(), length)) {
            throw new IOException(
                    name + " has " + length + " bytes, and [fetch] max_total_mib allows " + maxTotalBytes + " for all");
        }
        List<Candidate> all = candidates(name, underWay);
        long freeable = bytes(displaced(name, all));
        if (!fits(bytes(all) - freeable + underWay.bytes(), length)) {
            throw tooMany(name, length);
        }
        if (Math.min(room.spareBytes(), ENDLESS) - underWay.expectedBytes() + freeable < length) {
            throw needed(name, length);
        }
    }

    /** Deletes the oldest fetched logs until {@code bytes} more bytes of a log fit; none if that would not suffice. */
    void make(String name, long bytes, UnderWay underWay) throws IOException {
        List<Candidate> all = candidates(name, underWay);
        List<Candidate> oldest = displaced(name, all);
        long total = bytes(all) + underWay.arrivedBytes();
        long freeable = bytes(oldest);
        if (!fits(total - freeable, bytes)) {
            throw tooMany(name, bytes);
        }
        if (spareBytes() + freeable < bytes) {
            throw needed(name, bytes);
        }
        for (Candidate candidate : oldest) {
            if (fits(total, bytes) && spareBytes() >= bytes) {
                return;
            }
            total -= delete(candidate) ? candidate.bytes() : 0;
        }
        if (!fits(total, bytes) || spareBytes() < bytes) {
            throw needed(name, bytes);
        }
    }

    /** The logs that a log of this name may displace, first the one to delete first. */
    private List<Candidate> displaced(String name, List<Candidate> all) {
        int systemId = FetchedLogName.systemId(name);
        if (!room.isKnown(systemId)) {
            return all.stream()
                    .filter(candidate -> candidate.systemId() == systemId)
                    .toList();
        }
        List<Candidate> ofOthers = all.stream()
                .filter(candidate -> !room.isKnown(candidate.systemId()))
                .toList();
        if (bytes(ofOthers) <= bytes(all) / SHARE) {
            return all;
        }
        List<Candidate> order = new ArrayList<>(ofOthers);
        all.stream().filter(candidate -> room.isKnown(candidate.systemId())).forEach(order::add);
        return order;
    }

    private static long bytes(List<Candidate> candidates) {
        return candidates.stream().mapToLong(Candidate::bytes).sum();
    }

    private IOException tooMany(String name, long length) {
        return new IOException(name + " needs " + length + " bytes, [fetch] max_total_mib allows " + maxTotalBytes
                + " for all, and a vehicle that was never recorded before displaces only its own logs");
    }

    private static IOException needed(String name, long length) {
        return new IOException(name + " needs " + length + " bytes, and recording needs the space");
    }

    private boolean fits(long total, long length) {
        return maxTotalBytes == 0 || total + length <= maxTotalBytes;
    }

    /** The space that recording does not need. */
    private long spareBytes() throws IOException {
        return Math.min(room.spareBytes(), ENDLESS);
    }

    /** If a log cannot be deleted, it is skipped. */
    private boolean delete(Candidate candidate) {
        Path file = candidate.file();
        try {
            disk.delete(file);
        } catch (IOException e) {
            LOG.warn("fetch: {} cannot be deleted to make room: {}", file, e.toString());
            return false;
        }
        LOG.info("fetch: {} is deleted to make room", file);
        room.onDeleted(candidate.bytes());
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
            // It was deleted in the meantime.
        }
    }

    /**
     * Makes a received log, or an incomplete one, the newest by its file time, even if the clock was not set, or was
     * set back. So the times of the files show the order of their arrival.
     */
    void arrived(String fileName) {
        Path file = directory.resolve(fileName);
        try {
            long newest = Long.MIN_VALUE;
            for (Candidate other : candidates(whole(fileName), new UnderWay(Set.of(), 0, 0, 0))) {
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
