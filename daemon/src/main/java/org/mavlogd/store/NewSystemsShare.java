package org.mavlogd.store;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.mavlogd.store.RetentionPolicy.Deletion;
import org.mavlogd.store.RetentionPolicy.StoredLog;
import org.mavlogd.store.RetentionPolicy.StoredLog.Protection;
import org.mavlogd.store.RetentionPolicy.Why;

/**
 * Keeps vehicles that were never recorded before this run from displacing the logs of earlier flights: anyone who can
 * send to a link can forge such vehicles. Their logs may fill {@link #SHARE} of all logs, in bytes and with
 * {@code max_files} in files; beyond that their own oldest log is deleted first. While all their logs are still being
 * written, nothing is deleted for them, and the configured limits are exceeded. If recording then runs out of space,
 * these files are finished. New vehicles never have more than {@value #MAX_FILES} files, whatever the configuration
 * allows, because each costs time and memory at every start. Owned by the keeper's thread.
 */
final class NewSystemsShare {
    /** The denominator of their share. */
    static final int SHARE = 4;

    /**
     * Finished files. A vehicle that is recorded day and night, with three files an hour, makes fewer in four months.
     */
    static final int MAX_FILES = 10_000;

    private final Set<Integer> known = new HashSet<>(Set.of(LogName.NO_SYSTEM));

    /** Number and size of files. Owned by one thread. */
    static final class Tally {
        private long files;
        private long bytes;
        private long newFiles;
        private long newBytes;

        private void add(Tally other) {
            files += other.files;
            bytes += other.bytes;
            newFiles += other.newFiles;
            newBytes += other.newBytes;
        }

        private void add(int sign, long length, boolean isNew) {
            files += sign;
            bytes += sign * length;
            newFiles += isNew ? sign : 0;
            newBytes += isNew ? sign * length : 0;
        }
    }

    /** Notes a vehicle as known; returns false if it was known before. */
    boolean know(StoredName name) {
        return known.add(name.systemId());
    }

    boolean isNew(StoredName name) {
        return !known.contains(name.systemId());
    }

    private boolean isNew(String name) {
        return !known.contains(StoredName.systemIdOf(name));
    }

    /** Counts an existing file. */
    void count(Tally tally, StoredName name, long bytes) {
        tally.add(1, bytes, isNew(name));
    }

    /** Counts a deleted file. */
    void deleted(Tally tally, StoredLog log) {
        tally.add(-1, log.bytes(), isNew(log.name()));
    }

    /**
     * The log to delete first; empty to wait until a log of a new vehicle is finished.
     *
     * @param due the deletion by age alone
     * @param finished finished logs, among them the oldest of new vehicles
     * @param tally of all finished logs
     * @param growing names and sizes of the files being written
     */
    Optional<Deletion> first(Deletion due, List<StoredLog> finished, Tally tally, List<Disk.Entry> growing) {
        Tally all = new Tally();
        all.add(tally);
        for (Disk.Entry file : growing) {
            all.add(1, file.bytes(), isNew(file.name()));
        }
        boolean isOverFiles = due.why() == Why.MAX_FILES && all.newFiles > all.files / SHARE;
        if (all.newBytes <= all.bytes / SHARE && !isOverFiles) {
            return Optional.of(due);
        }
        Optional<Deletion> ofNew = oldest(finished, due.why());
        boolean isBeingWritten = growing.stream().anyMatch(file -> isNew(file.name()));
        return ofNew.isPresent() || isBeingWritten ? ofNew : Optional.of(due);
    }

    /** The new vehicles that are being recorded. */
    Set<Integer> recorded(List<Disk.Entry> growing) {
        return growing.stream()
                .map(Disk.Entry::name)
                .filter(this::isNew)
                .map(StoredName::systemIdOf)
                .collect(Collectors.toSet());
    }

    /** The oldest log of a new vehicle if new vehicles have too many files. */
    Optional<Deletion> excess(List<StoredLog> finished, Tally tally) {
        return isOver(tally) ? oldest(finished, Why.NEW_SYSTEMS) : Optional.empty();
    }

    boolean isOver(Tally tally) {
        return tally.newFiles > MAX_FILES;
    }

    private Optional<Deletion> oldest(List<StoredLog> finished, Why why) {
        return finished.stream()
                .filter(log -> log.protection() == Protection.NONE && isNew(log.name()))
                .min(Comparator.comparingLong(StoredLog::counter))
                .map(log -> new Deletion(log, why));
    }
}
