package org.mavlogd.store;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mavlogd.store.RetentionPolicy.Deletion;
import org.mavlogd.store.RetentionPolicy.StoredLog.Protection;

/**
 * Keeps vehicles that were never recorded before this run from replacing the logs of earlier flights: anybody who can send to a
 * link can make up such vehicles. Their logs may fill {@link #SHARE} of all logs; beyond that their own oldest log is deleted
 * first. While they have none but those being written, nothing is deleted for them: the limits that the configuration sets for all
 * logs are exceeded meanwhile. Owned by the keeper's thread.
 */
final class NewSystemsShare {
    /** One part in so many. */
    static final int SHARE = 4;

    private final Set<Integer> known = new HashSet<>(Set.of(LogName.NO_SYSTEM));

    /**
     * What is to be deleted first; empty to wait until a log of a new vehicle is finished.
     *
     * @param due what goes by age alone
     * @param finished all finished logs
     * @param growing names and sizes of the files being written
     * @param firstCounter of this run's finished logs
     */
    Optional<Deletion> first(
            Deletion due, List<RetentionPolicy.StoredLog> finished, List<Disk.Entry> growing, long firstCounter) {
        for (RetentionPolicy.StoredLog log : finished) {
            if (log.counter() < firstCounter) {
                systemId(log.name()).ifPresent(known::add);
            }
        }
        long allBytes = 0;
        long newBytes = 0;
        for (RetentionPolicy.StoredLog log : finished) {
            allBytes += log.bytes();
            newBytes += isNew(log.name()) ? log.bytes() : 0;
        }
        for (Disk.Entry file : growing) {
            allBytes += file.bytes();
            newBytes += isNew(file.name()) ? file.bytes() : 0;
        }
        if (newBytes <= allBytes / SHARE) {
            return Optional.of(due);
        }
        Optional<Deletion> ofNew = finished.stream()
                .filter(log -> log.protection() == Protection.NONE && isNew(log.name()))
                .min(Comparator.comparingLong(RetentionPolicy.StoredLog::counter))
                .map(log -> new Deletion(log, due.why()));
        boolean isBeingWritten = growing.stream().anyMatch(file -> isNew(file.name()));
        return ofNew.isPresent() || isBeingWritten ? ofNew : Optional.of(due);
    }

    private boolean isNew(String name) {
        return systemId(name).filter(id -> !known.contains(id)).isPresent();
    }

    private static Optional<Integer> systemId(String name) {
        return StoredName.parse(name).map(StoredName::systemId);
    }
}
