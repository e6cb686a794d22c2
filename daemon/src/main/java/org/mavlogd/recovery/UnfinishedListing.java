package org.mavlogd.recovery;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.mavlogd.store.Disk;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;
import org.mavlogd.store.Reason;
import org.mavlogd.store.StreamMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the unfinished files of earlier runs, and judges by their notes which may continue. Notes without a file are removed. Used
 * by the keeper's thread, before this run has files of its own.
 */
final class UnfinishedListing {
    /**
     * A file that an earlier run did not finish.
     *
     * @param note what that run noted beside it, if that can be read
     * @param isCandidate whether the stream of its vehicle may still run, and continue in it
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
    private static final long MAX_AGE_NS = TimeUnit.MINUTES.toNanos(10);
    // An ArduPilot gives up a stream that nobody acknowledged for 10 s; one that is idle is not left.
    private static final long MAX_LEFT_AGE_NS = TimeUnit.SECONDS.toNanos(15);

    private final Disk disk;
    private final HostClock clock;

    UnfinishedListing(Disk disk, HostClock clock) {
        this.disk = disk;
        this.clock = clock;
    }

    /** All of them, those that may continue first: of each vehicle one at most. */
    List<File> files() throws IOException {
        List<Disk.Entry> entries = disk.list();
        List<File> found = new ArrayList<>();
        Set<String> stems = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (Disk.Entry entry : entries) {
            names.add(entry.name());
            LogName.unfinishedStem(entry.name()).ifPresent(stem -> {
                stems.add(stem);
                found.add(unfinished(stem, LogKind.of(entry.name()).orElseThrow()));
            });
        }
        for (Disk.Entry entry : entries) {
            StreamNotes.NoteName.SCAN
                    .stem(entry.name())
                    .filter(stem -> !stems.contains(stem))
                    .ifPresent(stem -> ScanNotes.delete(disk, stem));
            StreamNotes.NoteName.STREAM
                    .stem(entry.name())
                    .filter(stem -> !stems.contains(stem))
                    .ifPresent(stem ->
                            left(stem, names).ifPresentOrElse(found::add, () -> StreamNotes.delete(disk, stem)));
        }
        return found.isEmpty() ? found : newestFirst(found);
    }

    /** Streams that may run wait; of several files of a vehicle only the newest can be that of its stream. */
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

    /** A file that was finished although its stream continued, moments ago: until that shows, it is unfinished again. */
    private Optional<File> left(String stem, Set<String> names) {
        String finished = LogKind.BIN.finished(stem);
        Optional<StreamNote> note = StreamNotes.read(disk, stem).filter(n -> isFresh(n, stem, MAX_LEFT_AGE_NS));
        if (note.isEmpty() || !names.contains(finished)) {
            return Optional.empty();
        }
        try {
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
