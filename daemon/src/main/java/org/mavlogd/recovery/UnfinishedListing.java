package org.mavlogd.recovery;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.store.Disk;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;
import org.mavlogd.store.Reason;
import org.mavlogd.store.StreamMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the unfinished files of earlier runs, and decides by their notes which may continue. Removes notes without a
 * file. It lists at most {@value #MAX_FILES} files at a time, the newest first, so that the heap does not depend on
 * their number, and the others when those are done. It reads the directory in steps. Used by the keeper's thread, the
 * first time before this run has files of its own.
 */
final class UnfinishedListing {
    /**
     * A file that an earlier run did not finish.
     *
     * @param note the note of that run; empty if it cannot be read
     * @param isCandidate whether its vehicle's stream may still be running, and may continue in it
     */
    record File(String stem, LogKind kind, Optional<StreamNote> note, boolean isCandidate) {
        int systemId() {
            return LogName.systemIdOf(finishedName());
        }

        String unfinishedName() {
            return kind.unfinished(stem);
        }

        String unreadName() {
            return kind.unread(stem);
        }

        String finishedName() {
            return kind.finished(stem);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(UnfinishedListing.class);
    // Limit of one listing: about 1 MB.
    static final int MAX_FILES = 1024;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int ENTRIES = 64;
    private static final long MAX_AGE_NS = TimeUnit.MINUTES.toNanos(10);
    // An ArduPilot gives up a stream 10 s after the last ack; a stream that is idle is not left.
    private static final long MAX_LEFT_AGE_NS = TimeUnit.SECONDS.toNanos(15);

    private final Disk disk;
    private final HostClock clock;
    private final MemoryBudget memory;
    private boolean hasMore;
    private long nextCounter;
    // Not null while the next files are being read.
    private Disk.@Nullable Entries opened;
    private @Nullable Newest next;
    // The files of the first pass, while the second one reads their notes.
    private @Nullable List<File> unfinished;
    private long highestCounter;

    /** @param memory learns which vehicles have a log in the directory: they take precedence over unknown ones */
    UnfinishedListing(Disk disk, HostClock clock, MemoryBudget memory) {
        this.disk = disk;
        this.clock = clock;
        this.memory = memory;
    }

    /**
     * Reads more of the directory for the files with the highest counters, at most {@value #MAX_FILES}; null until that
     * is complete. First those that may continue, at most one of each vehicle.
     */
    @Nullable
    List<File> first(long nowNs) throws IOException {
        List<File> found = unfinished == null ? newest(Long.MAX_VALUE, nowNs) : unfinished;
        unfinished = found;
        // The second pass renames files, which the first one must not find again.
        if (found == null || !readOn(entry -> note(entry.name(), found), nowNs)) {
            return null;
        }
        unfinished = null;
        return newestFirst(found);
    }

    /**
     * Reads more of the directory for the next files; empty until that is complete. Their streams have ended, or
     * continue in another file. Files of this run have higher counters.
     */
    List<File> more(long nowNs) throws IOException {
        List<File> found = newest(nextCounter, nowNs);
        return found == null
                ? List.of()
                : found.stream()
                        .map(file -> new File(file.stem(), file.kind(), file.note(), false))
                        .toList();
    }

    /** Reads more of the directory for the files with counters up to a limit; null until that is complete. */
    private @Nullable List<File> newest(long limit, long nowNs) throws IOException {
        Newest newest = next == null ? new Newest(limit) : next;
        next = newest;
        if (!readOn(newest::look, nowNs)) {
            return null;
        }
        next = null;
        highestCounter = Math.max(highestCounter, newest.highest);
        return newest.files();
    }

    /** Passes on the next entries of the directory; returns whether these were the last. */
    private boolean readOn(Consumer<Disk.Entry> visitor, long nowNs) throws IOException {
        Disk.Entries entries = opened == null ? disk.entries() : opened;
        opened = entries;
        do {
            for (int i = 0; i < ENTRIES; i++) {
                Disk.Entry entry = entries.next();
                if (entry == null) {
                    opened = null;
                    entries.close();
                    return true;
                }
                visitor.accept(entry);
            }
        } while (clock.monotonic().nanoTime() - nowNs < STEP_NS);
        return false;
    }

    private void close() throws IOException {
        Disk.Entries entries = opened;
        opened = null;
        next = null;
        unfinished = null;
        if (entries != null) {
            entries.close();
        }
    }

    /** Whether there are more files than those listed. */
    boolean hasMore() {
        return hasMore;
    }

    /** Leaves the other files for the next run. */
    void noMore() {
        hasMore = false;
        try {
            close();
        } catch (IOException e) {
            LOG.debug("{}: close: {}", disk.location(), Reason.of(e));
        }
    }

    /** The highest counter in any name, after the first listing. */
    long highestCounter() {
        return highestCounter;
    }

    /** The unfinished files with the highest counters up to a limit. */
    private final class Newest {
        private record Unfinished(String name, String stem, long counter) {}

        private final PriorityQueue<Unfinished> newest = new PriorityQueue<>(
                Comparator.comparingLong(Unfinished::counter).thenComparing(Unfinished::name));
        private final long limit;
        private long highest;
        private long omitted = -1;

        Newest(long limit) {
            this.limit = limit;
        }

        void look(Disk.Entry entry) {
            String name = entry.name();
            int systemId = LogName.systemIdOf(name);
            if (systemId != LogName.NO_SYSTEM) {
                memory.known(systemId);
            }
            long counter = LogName.counterOf(name);
            highest = Math.max(highest, counter);
            if (counter <= limit) {
                LogName.unfinishedStem(name).ifPresent(stem -> add(new Unfinished(name, stem, counter)));
            }
        }

        private void add(Unfinished file) {
            newest.add(file);
            if (newest.size() > MAX_FILES) {
                omitted = Math.max(omitted, newest.remove().counter());
            }
        }

        /** If files have the same counter, which only a user can cause, the omitted ones are left alone. */
        List<File> files() {
            hasMore = omitted >= 0;
            long lowest = newest.isEmpty() ? 0 : newest.element().counter();
            nextCounter = Math.min(omitted, lowest - 1);
            return new ArrayList<>(newest.stream()
                    .sorted(Comparator.comparing(Unfinished::stem))
                    .map(file -> unfinished(file.stem(), LogKind.of(file.name()).orElseThrow()))
                    .toList());
        }
    }

    /** Removes a note whose log is finished, unless the log may continue. */
    private void note(String name, List<File> found) {
        StreamNotes.NoteName.SCAN
                .stem(name)
                .filter(stem -> !isUnfinished(stem))
                .ifPresent(stem -> ScanNotes.delete(disk, stem));
        StreamNotes.NoteName.STREAM
                .stem(name)
                .filter(stem -> !isUnfinished(stem))
                .ifPresent(stem -> left(stem).ifPresentOrElse(found::add, () -> StreamNotes.delete(disk, stem)));
    }

    /** Also true if that cannot be determined. */
    private boolean isUnfinished(String stem) {
        try {
            for (LogKind kind : LogKind.values()) {
                if (disk.exists(kind.unfinished(stem))) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Sorts files that may continue first. Of several files of a vehicle only the newest may. */
    private static List<File> newestFirst(List<File> found) {
        found.sort(Comparator.comparing(File::isCandidate)
                .reversed()
                .thenComparing(UnfinishedListing::epochMs, Comparator.reverseOrder())
                .thenComparing(File::stem));
        Set<Integer> vehicles = new HashSet<>();
        List<File> sorted = new ArrayList<>();
        for (File file : found) {
            boolean newest = file.isCandidate() && vehicles.add(file.systemId());
            sorted.add(new File(file.stem(), file.kind(), file.note(), newest));
        }
        return sorted;
    }

    private static long epochMs(File file) {
        return file.note().map(StreamNote::epochMs).orElse(0L);
    }

    private File unfinished(String stem, LogKind kind) {
        Optional<StreamNote> note = StreamNotes.read(disk, stem);
        boolean isCandidate = note.filter(n -> isFresh(n, stem, MAX_AGE_NS)).isPresent();
        return new File(stem, kind, note, isCandidate);
    }

    /**
     * A log of blocks that was finished although its stream continued a moment ago: it is unfinished again until that
     * is decided.
     */
    private Optional<File> left(String stem) {
        String finished = LogKind.BIN.finished(stem);
        Optional<StreamNote> note = StreamNotes.read(disk, stem).filter(n -> isFresh(n, stem, MAX_LEFT_AGE_NS));
        try {
            if (note.isEmpty() || !disk.exists(finished)) {
                return Optional.empty();
            }
            disk.rename(finished, LogKind.BIN.unfinished(stem));
            return Optional.of(new File(stem, LogKind.BIN, note, true));
        } catch (IOException e) {
            LOG.warn("{}: not continued: {}", finished, Reason.of(e));
            return Optional.empty();
        }
    }

    private boolean isFresh(StreamNote note, String stem, long maxAgeNs) {
        long ageNs = note.ageNs(clock);
        boolean goesOn = note.mark().stream().fate() != StreamMark.Fate.ENDS;
        return goesOn && ageNs >= 0 && ageNs <= maxAgeNs && note.mark().stream().systemId() == systemId(stem);
    }

    private static int systemId(String stem) {
        return LogName.systemIdOf(LogKind.ULG.finished(stem));
    }
}
