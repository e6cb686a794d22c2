package org.mavlogd.fetch;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the total size and the number of fetched logs, and leaves recording the space that it needs. When bytes of a
 * new log arrive, older logs are deleted for them, in the order of their arrival, but never marked ones. Of very many
 * logs it lists only the oldest, so that memory does not grow with their number.
 *
 * <p>Anyone can forge vehicles and the lengths of their logs. So a length alone deletes nothing; a vehicle that was not
 * known before this run displaces only its own logs; and if the logs of such vehicles take more than a quarter of all,
 * theirs are deleted first. Owned by the store's thread.
 */
final class FetchedRoom {
    private static final Logger LOG = LoggerFactory.getLogger(FetchStore.class);
    /** Maximum of logs and parts of logs without a mark: each takes memory for its name. */
    static final int MAX_LOGS = 4096;

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
        static final UnderWay NONE = new UnderWay(Set.of(), 0, 0, 0);

        UnderWay {
            names = Set.copyOf(names);
        }
    }

    /** A file that may be deleted: a complete log, or an incomplete one that is not being fetched. */
    private record Candidate(Path file, long bytes, long timeMs) {
        private static final Comparator<Candidate> BY_TIME = Comparator.comparing(Candidate::timeMs);

        int systemId() {
            return FetchedLogName.systemId(whole(String.valueOf(file.getFileName())));
        }
    }

    /** Logs that may be deleted: all are counted, and the oldest {@link FetchedRoom#MAX_LOGS} are listed. */
    private static final class Candidates {
        private final PriorityQueue<Candidate> oldest = new PriorityQueue<>(Candidate.BY_TIME.reversed());
        private int count;
        private long bytes;

        void add(Candidate candidate) {
            count++;
            bytes += candidate.bytes();
            oldest.add(candidate);
            if (oldest.size() > MAX_LOGS) {
                oldest.remove();
            }
        }

        Stream<Candidate> listed() {
            return oldest.stream().sorted(Candidate.BY_TIME);
        }
    }

    /**
     * The logs that may be deleted, by their vehicles.
     *
     * @param own of the vehicle whose log needs room, if it was not known before this run; otherwise empty
     * @param strangers of other vehicles that were not known
     * @param others of known vehicles
     */
    private record Found(Candidates own, Candidates strangers, Candidates others) {
        long bytes() {
            return own.bytes + strangers.bytes + others.bytes;
        }

        int count() {
            return own.count + strangers.count + others.count;
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
        Found all = find(name, underWay);
        List<Candidate> displaced = displaced(name, all);
        long freeable = bytes(displaced);
        if (!fits(all.bytes() - freeable + underWay.bytes(), length)) {
            throw tooMany(name, length);
        }
        requireNumber(name, all, displaced, underWay);
        if (Math.min(room.spareBytes(), ENDLESS) - underWay.expectedBytes() + freeable < length) {
            throw needed(name, length);
        }
    }

    /** Deletes the oldest fetched logs until {@code bytes} more bytes of a log fit; none if that would not suffice. */
    void make(String name, long bytes, UnderWay underWay) throws IOException {
        Found all = find(name, underWay);
        List<Candidate> oldest = displaced(name, all);
        long total = all.bytes() + underWay.arrivedBytes();
        int count = all.count() + underWay.names().size();
        long freeable = bytes(oldest);
        if (!fits(total - freeable, bytes)) {
            throw tooMany(name, bytes);
        }
        requireNumber(name, all, oldest, underWay);
        if (spareBytes() + freeable < bytes) {
            throw needed(name, bytes);
        }
        for (Candidate candidate : oldest) {
            if (count <= MAX_LOGS && fits(total, bytes) && spareBytes() >= bytes) {
                return;
            }
            if (delete(candidate)) {
                total -= candidate.bytes();
                count--;
            }
        }
        if (!fits(total, bytes) || spareBytes() < bytes) {
            throw needed(name, bytes);
        }
    }

    /** Fails if there are too many logs, and this one may displace none. If it may displace any, enough are listed. */
    private static void requireNumber(String name, Found all, List<Candidate> displaced, UnderWay underWay)
            throws IOException {
        boolean isFull = all.count() + underWay.names().size() >= MAX_LOGS;
        if (isFull && displaced.isEmpty()) {
            throw new IOException(name + " would be one of more than " + MAX_LOGS
                    + " fetched logs, and a vehicle that was never recorded before displaces only its own logs");
        }
    }

    /** The logs that a log of this name may displace, first the one to delete first. */
    private List<Candidate> displaced(String name, Found all) {
        if (!isKnown(name)) {
            return all.own().listed().toList();
        }
        Stream<Candidate> order =
                Stream.concat(all.strangers().listed(), all.others().listed());
        boolean isByAge = all.strangers().bytes <= all.bytes() / SHARE && all.strangers().count <= MAX_LOGS / SHARE;
        return (isByAge ? order.sorted(Candidate.BY_TIME) : order).toList();
    }

    private boolean isKnown(String name) {
        return room.isKnown(FetchedLogName.systemId(name));
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

    /** Finds the logs that may be deleted for a log that needs room. */
    private Found find(String name, UnderWay underWay) throws IOException {
        int systemId = FetchedLogName.systemId(name);
        boolean isKnown = room.isKnown(systemId);
        Found found = new Found(new Candidates(), new Candidates(), new Candidates());
        look(name, underWay, candidate -> {
            if (!isKnown && candidate.systemId() == systemId) {
                found.own().add(candidate);
            } else if (!room.isKnown(candidate.systemId())) {
                found.strangers().add(candidate);
            } else {
                found.others().add(candidate);
            }
        });
        return found;
    }

    private void look(String except, UnderWay underWay, Consumer<Candidate> visitor) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path file : all) {
                String log = whole(String.valueOf(file.getFileName()));
                boolean isOurs = FetchedLogName.isWithLength(log) && !log.equals(except);
                if (isOurs && !underWay.names().contains(log) && !marks.isKept(log)) {
                    look(file).ifPresent(visitor);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static Optional<Candidate> look(Path file) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile()
                    ? Optional.of(new Candidate(
                            file,
                            attributes.size(),
                            attributes.lastModifiedTime().toMillis()))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty(); // it was deleted in the meantime
        }
    }

    /**
     * Makes a received log, or an incomplete one, the newest by its file time, even if the clock was not set, or was
     * set back. So the times of the files show the order of their arrival.
     */
    void arrived(String fileName) {
        Path file = directory.resolve(fileName);
        long[] newest = {Long.MIN_VALUE};
        try {
            look(whole(fileName), UnderWay.NONE, other -> newest[0] = Math.max(newest[0], other.timeMs()));
            if (Files.exists(file) && Files.getLastModifiedTime(file).toMillis() <= newest[0]) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(newest[0] + STEP_MS));
            }
        } catch (IOException e) {
            LOG.debug("fetch: {}", e.toString());
        }
    }
}
