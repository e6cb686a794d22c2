package org.mavlogd.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mavlogd.store.RetentionPolicy.StoredLog.Protection;
import org.mavlogd.store.SpaceLimits.Retention;

/**
 * Decides which files of finished logs are deleted: the oldest first, only as many as the limits require, and never a
 * protected one. The {@code .tlog}, the {@code .bin} and the {@code .ulg} of one log count as one, and are deleted one
 * after the other, telemetry first. Protected logs do not count: otherwise many of them would cause every new log to be
 * deleted. Crash data of the recorder itself protects only the newest logs, by number and by size, so that a recorder
 * that crashes again and again does not fill the disk.
 *
 * <p>The newest log is deleted for free space only if recording could not continue otherwise, and never if this run
 * recorded it: the start of a flight is not deleted for its end. Pure: the same input gives the same answer.
 */
final class RetentionPolicy {
    /**
     * A finished file of a log.
     *
     * @param log number of the file's log, which gives the order in which logs began
     * @param counter of the file, which gives the order within a log
     * @param isUploaded whether all targets have it
     */
    record StoredLog(String name, long bytes, long log, long counter, Protection protection, boolean isUploaded) {
        /** A file that was not uploaded. */
        StoredLog(String name, long bytes, long log, long counter, Protection protection) {
            this(name, bytes, log, counter, protection, false);
        }

        /** The first file of a log. */
        StoredLog(String name, long bytes, long counter, Protection protection) {
            this(name, bytes, counter, counter, protection);
        }

        StoredLog protectedBy(Protection other) {
            return new StoredLog(name, bytes, log, counter, other, isUploaded);
        }

        /** Why a log is not deleted. */
        enum Protection {
            NONE,
            /** It is marked. */
            KEPT,
            /** A remark or the vehicle's crash data is appended. */
            APPENDED,
            /** Crash data of the recorder is appended. Only the newest of these logs are protected. */
            CRASHED,
            /** It was not uploaded, and only uploaded ones are deleted. */
            NOT_UPLOADED,
            /** It was not read yet. */
            UNKNOWN
        }
    }

    /** How many logs with crash data of the recorder are protected. */
    static final int MAX_CRASHED = 8;
    /** They may take a quarter of the space for all logs. */
    static final int CRASHED_SHARE = 4;

    /** Why a log is deleted. */
    enum Why {
        MAX_FILES("max_files"),
        MAX_TOTAL("max_total_mib"),
        KEEP_FREE("keep_free_mib"),
        RESERVE("reserve_mib"),
        NEW_SYSTEMS("too many files of new vehicles");

        private final String text;

        Why(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /** A log to delete. */
    record Deletion(StoredLog log, Why why) {}

    /**
     * The files being written.
     *
     * @param logs number of files, without those that have a file of a {@link #leadingKinds leading} kind beside them
     * @param isRecording whether files are being written, or wait for room
     * @param firstCounter of this run's finished logs; {@link Long#MAX_VALUE} if there are none
     */
    record Growing(int logs, long bytes, boolean isRecording, long firstCounter) {
        private boolean mayReplace(StoredLog newest) {
            return isRecording && newest.counter() < firstCounter;
        }
    }

    /**
     * Files that were not listed one by one, because there are too many; they are newer than all listed ones, and count
     * as logs that may be deleted.
     *
     * @param logs as for {@link Growing#logs}
     */
    record Others(long logs, long bytes) {
        static final Others NONE = new Others(0, 0);
    }

    /** The state after some deletions. */
    private record Rest(long logs, long totalBytes, long usableBytes) {
        private Rest without(StoredLog log, boolean counts) {
            boolean overflows = usableBytes > Long.MAX_VALUE - log.bytes();
            return new Rest(
                    logs - (counts ? 1 : 0),
                    totalBytes - log.bytes(),
                    overflows ? Long.MAX_VALUE : usableBytes + log.bytes());
        }
    }

    private final SpaceLimits limits;

    RetentionPolicy(SpaceLimits limits) {
        this.limits = limits;
    }

    /**
     * All deletions that are necessary, in order.
     *
     * @param usableBytes {@link Long#MAX_VALUE} if not known
     */
    List<Deletion> decide(List<StoredLog> files, Growing growing, long usableBytes, SpaceLimits.Levels levels) {
        return decide(files, Others.NONE, growing, usableBytes, levels);
    }

    /** The same for the oldest part of all files. */
    List<Deletion> decide(
            List<StoredLog> files, Others others, Growing growing, long usableBytes, SpaceLimits.Levels levels) {
        List<StoredLog> finished = withOthersProtected(files);
        Set<StoredLog> spared = sparedCrashed(finished, growing, usableBytes);
        List<StoredLog> candidates = finished.stream()
                .filter(log -> log.protection() == Protection.NONE
                        || (log.protection() == Protection.CRASHED && !spared.contains(log)))
                .sorted(order())
                .toList();
        Map<Long, LogKind> leading = leadingKinds(candidates);
        Rest rest = new Rest(
                candidates.stream().filter(log -> counts(log, leading)).count() + others.logs() + growing.logs(),
                bytes(candidates) + others.bytes() + growing.bytes(),
                usableBytes);
        long newest = others.logs() > 0
                ? Long.MAX_VALUE
                : candidates.stream().mapToLong(StoredLog::log).max().orElse(0);
        List<Deletion> deletions = new ArrayList<>();
        for (StoredLog log : candidates) {
            boolean isNewest = log.log() == newest && isLastOfItsKind(candidates, log);
            Why why = why(rest, levels, isNewest, growing.mayReplace(log));
            if (why == null && isNewest) {
                continue; // it stays, but is not always the last in this order
            }
            if (why == null) {
                break;
            }
            deletions.add(new Deletion(log, why));
            rest = rest.without(log, counts(log, leading));
        }
        return deletions;
    }

    private static long bytes(List<StoredLog> logs) {
        return logs.stream().mapToLong(StoredLog::bytes).sum();
    }

    private Comparator<StoredLog> order() {
        Comparator<StoredLog> byAge = Comparator.comparingLong(StoredLog::log)
                .thenComparing(log -> !isOfKind(log, LogKind.TLOG))
                .thenComparingLong(StoredLog::counter)
                .thenComparing(StoredLog::name);
        return limits.uploads().retention() == Retention.UPLOADED_FIRST
                ? Comparator.comparing((StoredLog log) -> !log.isUploaded()).thenComparing(byAge)
                : byAge;
    }

    /** A section appended to a log's {@code .ulg} also protects its other files, to which nothing can be appended. */
    private static List<StoredLog> withOthersProtected(List<StoredLog> files) {
        Map<Long, Protection> protections = new HashMap<>();
        for (StoredLog file : files) {
            if (isOfKind(file, LogKind.ULG) && file.protection() != Protection.NONE) {
                protections.merge(file.log(), file.protection(), RetentionPolicy::stronger);
            }
        }
        return files.stream()
                .map(file -> !isOfKind(file, LogKind.ULG) && file.protection() == Protection.NONE
                        ? file.protectedBy(protections.getOrDefault(file.log(), Protection.NONE))
                        : file)
                .toList();
    }

    /** The stronger protection. CRASHED is the weaker one, because only the newest logs keep it. */
    private static Protection stronger(Protection one, Protection other) {
        return one == Protection.CRASHED ? other : one;
    }

    /** The logs with crash data of the recorder that are protected: the newest, within the limits. */
    private static Set<StoredLog> sparedCrashed(List<StoredLog> finished, Growing growing, long usableBytes) {
        long logBytes = growing.bytes() + bytes(finished);
        long share =
                (usableBytes > Long.MAX_VALUE - logBytes ? Long.MAX_VALUE : usableBytes + logBytes) / CRASHED_SHARE;
        Set<StoredLog> spared = new HashSet<>();
        List<StoredLog> newestFirst = finished.stream()
                .filter(log -> log.protection() == Protection.CRASHED)
                .sorted(Comparator.comparingLong(StoredLog::log)
                        .thenComparingLong(StoredLog::counter)
                        .reversed())
                .toList();
        Set<Long> newest = newestFirst.stream()
                .map(StoredLog::log)
                .distinct()
                .limit(MAX_CRASHED)
                .collect(Collectors.toSet());
        for (StoredLog log : newestFirst) {
            share -= log.bytes();
            if (share < 0 || !newest.contains(log.log())) {
                break;
            }
            spared.add(log);
        }
        return spared;
    }

    /** For each log the kind whose files count: {@code .ulg} if there is one, else {@code .bin}, else {@code .tlog}. */
    static Map<Long, LogKind> leadingKinds(List<StoredLog> files) {
        Map<Long, LogKind> leading = new HashMap<>();
        for (StoredLog file : files) {
            LogKind.of(file.name()).ifPresent(kind -> leading.merge(file.log(), kind, LogKind::leading));
        }
        return leading;
    }

    private static boolean counts(StoredLog file, Map<Long, LogKind> leading) {
        return LogKind.of(file.name()).equals(Optional.ofNullable(leading.get(file.log())));
    }

    private static boolean isOfKind(StoredLog file, LogKind kind) {
        return LogKind.of(file.name()).equals(Optional.of(kind));
    }

    /** Whether the log has no later file of the same kind. */
    private static boolean isLastOfItsKind(List<StoredLog> candidates, StoredLog file) {
        Optional<LogKind> kind = LogKind.of(file.name());
        return candidates.stream()
                .noneMatch(other -> other.log() == file.log()
                        && other.counter() > file.counter()
                        && LogKind.of(other.name()).equals(kind));
    }

    /** The limit that requires a deletion; null if none does. */
    private @Nullable Why why(Rest rest, SpaceLimits.Levels levels, boolean isNewest, boolean isReplaceable) {
        if (limits.maxFiles() > 0 && rest.logs() > limits.maxFiles()) {
            return Why.MAX_FILES;
        }
        if (limits.maxTotalBytes() > 0 && rest.totalBytes() > limits.maxTotalBytes()) {
            return Why.MAX_TOTAL;
        }
        if (rest.usableBytes() >= levels.wantedFree()) {
            return null;
        }
        boolean isUrgent = rest.usableBytes() < levels.resumeFrom();
        if (isNewest) {
            return isUrgent && isReplaceable ? Why.RESERVE : null;
        }
        return isUrgent ? Why.RESERVE : Why.KEEP_FREE;
    }
}
