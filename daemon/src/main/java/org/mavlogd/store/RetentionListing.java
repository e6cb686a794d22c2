package org.mavlogd.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the directory for retention, in steps and with bounded memory: it keeps the oldest {@value #MAX_FILES} files,
 * and the oldest {@value #MAX_NEW} of new vehicles, and counts the others. Marked logs are left out. Owned by the
 * keeper's thread.
 */
final class RetentionListing {
    /** About 2 MB with their names. */
    static final int MAX_FILES = 4096;

    static final int MAX_NEW = 1024;

    // Each takes 16 to 32 bytes of heap.
    private static final int MAX_MARKS = 65_536;
    private static final int MAX_PASSES = 3;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int ENTRIES = 64;

    /** A finished file. */
    record Finished(Disk.Entry entry, StoredName name) {
        private static final Comparator<Finished> BY_AGE = Comparator.comparingLong(
                        (Finished file) -> file.name().log())
                .thenComparingLong(file -> file.name().counter())
                .thenComparing(file -> file.entry().name());
    }

    /**
     * The result of a listing.
     *
     * @param files kept in memory, oldest first
     * @param others the counted files; {@link RetentionPolicy.Others#NONE} if there are none
     * @param isComplete whether there are no others
     * @param awaited how many of the others only wait for their upload
     * @param tally of all finished files
     */
    record Listed(
            List<Finished> files,
            RetentionPolicy.Others others,
            boolean isComplete,
            long awaited,
            NewSystemsShare.Tally tally) {}

    private final Disk disk;
    private final NewSystemsShare newSystems;
    private final Predicate<Disk.Entry> isAwaited;
    private final NanoClock clock;
    private LongHashSet marks = new LongHashSet();
    // Files up to this one are left out.
    private @Nullable Finished behind;
    private @Nullable Pass pass;
    private int passes;

    /** @param isAwaited whether a file is not deleted because it was not uploaded */
    RetentionListing(Disk disk, NewSystemsShare newSystems, Predicate<Disk.Entry> isAwaited, NanoClock clock) {
        this.disk = disk;
        this.newSystems = newSystems;
        this.isAwaited = isAwaited;
        this.clock = clock;
    }

    /** Starts the next listing with the oldest file, or after one that cannot be deleted. */
    void beginBehind(@Nullable Finished file) {
        behind = file;
    }

    /**
     * Reads more of the directory; null until it is complete. The marks and the known vehicles must be complete from
     * the start of a pass, so a change of them repeats it.
     */
    @Nullable
    Listed step(long nowNs, long firstCounter) throws IOException {
        Pass current = pass == null ? new Pass(disk.entries(), firstCounter) : pass;
        pass = current;
        try {
            do {
                if (!current.read(ENTRIES)) {
                    return passed(current);
                }
            } while (clock.nanoTime() - nowNs < STEP_NS);
        } catch (IOException e) {
            close();
            throw e;
        }
        return null;
    }

    private @Nullable Listed passed(Pass current) throws IOException {
        current.entries.close();
        pass = null;
        boolean isSure = current.marked.equals(marks) && !current.isOtherKnown;
        marks = current.marked;
        if (!isSure && ++passes < MAX_PASSES) {
            return null;
        }
        passes = 0;
        return current.listed();
    }

    /** Stops reading. */
    void close() throws IOException {
        Pass current = pass;
        pass = null;
        passes = 0;
        if (current != null) {
            current.entries.close();
        }
    }

    /** One pass through the directory. */
    private final class Pass {
        private final Disk.Entries entries;
        private final long firstCounter;
        private final LongHashSet marked = new LongHashSet();
        private final PriorityQueue<Finished> oldest = new PriorityQueue<>(Finished.BY_AGE.reversed());
        private final PriorityQueue<Finished> oldestNew = new PriorityQueue<>(Finished.BY_AGE.reversed());
        private final NewSystemsShare.Tally tally = new NewSystemsShare.Tally();
        private final Others others = new Others();
        private boolean isOtherKnown;

        Pass(Disk.Entries entries, long firstCounter) {
            this.entries = entries;
            this.firstCounter = firstCounter;
        }

        /** Returns false at the end. */
        boolean read(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                Disk.Entry entry = entries.next();
                if (entry == null) {
                    return false;
                }
                StoredName name = StoredName.parse(entry.name()).orElse(null);
                if (name != null) {
                    take(new Finished(entry, name));
                }
            }
            return true;
        }

        private void take(Finished file) throws IOException {
            if (file.name().kind() == StoredName.Kind.KEEP_MARK) {
                marked.add(file.name().identityKey());
                if (marked.size() > MAX_MARKS) {
                    throw new IOException("more than " + MAX_MARKS + " logs are kept");
                }
            } else if (file.name().kind() != StoredName.Kind.UNFINISHED) {
                finished(file);
            }
        }

        private void finished(Finished file) {
            isOtherKnown |= file.name().counter() < firstCounter && newSystems.know(file.name());
            newSystems.count(tally, file.name(), file.entry().bytes());
            boolean isBehind = behind == null || Finished.BY_AGE.compare(file, behind) > 0;
            if (isBehind && !isMarked(file)) {
                oldest.add(file);
                if (oldest.size() > MAX_FILES) {
                    newer(oldest.remove());
                }
            }
        }

        private boolean isMarked(Finished file) {
            return marks.contains(file.name().identityKey());
        }

        private void newer(Finished file) {
            if (!newSystems.isNew(file.name())) {
                others.add(file);
                return;
            }
            oldestNew.add(file);
            if (oldestNew.size() > MAX_NEW) {
                others.add(oldestNew.remove());
            }
        }

        Listed listed() {
            if (!oldestNew.isEmpty() || others.files > 0) {
                leaveWholeLogs(oldest).forEach(this::newer);
            }
            if (others.files > 0) {
                leaveWholeLogs(oldestNew).forEach(others::add);
            }
            List<Finished> files = new ArrayList<>(oldest);
            files.addAll(oldestNew);
            files.removeIf(this::isMarked); // also those that were marked meanwhile
            files.sort(Finished.BY_AGE);
            RetentionPolicy.Others rest = new RetentionPolicy.Others(others.logs(), others.bytes);
            return new Listed(files, rest, others.files == 0, others.awaited, tally);
        }

        /**
         * Removes the newest log, unless it is the only one: one of its files may be missing here, and a section
         * appended to that file would protect the log.
         */
        private static List<Finished> leaveWholeLogs(PriorityQueue<Finished> files) {
            List<Finished> out = new ArrayList<>();
            Finished newest = files.peek();
            if (newest != null) {
                for (Finished file : files) {
                    if (file.name().log() == newest.name().log()) {
                        out.add(file);
                    }
                }
                if (out.size() == files.size()) {
                    out.clear();
                }
                files.removeAll(out);
            }
            return out;
        }
    }

    /**
     * Files that are only counted. Logs are counted as in retention, by the files of the kind that represents a log.
     */
    private final class Others {
        private static final int MAX_LOGS = 65_536;

        private final LongHashSet ofULog = new LongHashSet();
        private final LongHashSet ofBlocks = new LongHashSet();
        private final LongHashSet ofTelemetry = new LongHashSet();
        private final Map<LogKind, LongHashSet> byKind =
                new EnumMap<>(Map.of(LogKind.ULG, ofULog, LogKind.BIN, ofBlocks, LogKind.TLOG, ofTelemetry));
        private long moreFiles;
        private long files;
        private long bytes;
        private long awaited;

        void add(Finished file) {
            files++;
            if (isAwaited.test(file.entry())) {
                awaited++;
                return;
            }
            bytes += file.entry().bytes();
            LogKind kind = LogKind.of(file.entry().name()).orElse(LogKind.ULG);
            LongHashSet logs = Objects.requireNonNull(byKind.get(kind));
            boolean isKept = logs.size() < MAX_LOGS;
            if (kind == LogKind.ULG && !(isKept && logs.add(file.name().log()))) {
                moreFiles++; // a further file of a log, or one too many to be distinguished
            } else if (isKept) {
                logs.add(file.name().log());
            }
        }

        /** The number of logs. If there are very many, only those with a ULog are counted. */
        long logs() {
            long others = ofBlocks.stream().filter(log -> !ofULog.contains(log)).count()
                    + ofTelemetry.stream()
                            .filter(log -> !ofULog.contains(log) && !ofBlocks.contains(log))
                            .count();
            boolean isSure = ofULog.size() < MAX_LOGS;
            return ofULog.size() + moreFiles + (isSure ? others : 0);
        }
    }
}
