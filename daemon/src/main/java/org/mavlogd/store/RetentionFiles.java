package org.mavlogd.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.store.RetentionPolicy.StoredLog;
import org.mavlogd.store.RetentionPolicy.StoredLog.Protection;
import org.mavlogd.store.SpaceLimits.Retention;

/**
 * The finished files for retention: a list of them with their protection. A small directory is listed before each
 * decision; the list of one with more than {@value RetentionListing#MAX_FILES} files is used for {@link #MAX_AGE_NS},
 * because listing takes long. Owned by the keeper's thread.
 */
final class RetentionFiles {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long MAX_AGE_NS = TimeUnit.SECONDS.toNanos(10);

    private final Disk disk;
    private final SpaceLimits.Uploads uploads;
    private final NewSystemsShare newSystems;
    private final RetentionListing listing;
    private final AppendedIndex appended;
    private final UploadedLogs uploaded;
    private final Map<String, Long> refusedNs = new HashMap<>();
    private RetentionListing.@Nullable Listed listed;
    private long listedNs;
    private List<StoredLog> logs = List.of();
    // Files that would be deleted if they were uploaded.
    private long awaitingUpload;

    RetentionFiles(Disk disk, SpaceLimits.Uploads uploads, NewSystemsShare newSystems, NanoClock clock) {
        this.disk = disk;
        this.uploads = uploads;
        this.newSystems = newSystems;
        this.appended = new AppendedIndex(disk);
        this.uploaded = new UploadedLogs(uploads.list());
        this.listing = new RetentionListing(disk, newSystems, this::isAwaited, clock);
    }

    /** Reads more of the directory; false until it is complete. Then {@link #look} provides the {@link #logs}. */
    boolean list(long nowNs, long firstCounter) throws IOException {
        RetentionListing.Listed current = listed;
        if (current == null) {
            uploaded.look();
            current = listing.step(nowNs, firstCounter);
            listed = current;
            listedNs = nowNs;
            if (current != null) {
                appended.beginRound(
                        current.files().stream()
                                .map(file -> file.entry().name())
                                .collect(Collectors.toSet()),
                        nowNs);
            }
        }
        return current != null;
    }

    /** Reads some of the files that were not read yet. */
    void look(long nowNs) {
        appended.beginRound(nowNs);
        refusedNs.values().removeIf(refused -> nowNs - refused >= RETRY_NS);
        List<StoredLog> seen = new ArrayList<>();
        // The oldest files first, because they are deleted first.
        for (RetentionListing.Finished file : listed().files()) {
            Disk.Entry entry = file.entry();
            StoredName name = file.name();
            seen.add(new StoredLog(
                    entry.name(),
                    entry.bytes(),
                    name.log(),
                    name.counter(),
                    protection(entry),
                    uploaded.contains(entry)));
        }
        logs = seen;
        awaitingUpload = listed().awaited()
                + seen.stream()
                        .filter(log -> log.protection() == Protection.NOT_UPLOADED)
                        .count();
    }

    private Protection protection(Disk.Entry log) {
        if (refusedNs.containsKey(log.name())) {
            return Protection.UNKNOWN;
        }
        Protection protection = appended.protection(log);
        boolean mayGo = protection == Protection.NONE || protection == Protection.CRASHED;
        return mayGo && isAwaited(log) ? Protection.NOT_UPLOADED : protection;
    }

    private boolean isAwaited(Disk.Entry log) {
        return uploads.retention() == Retention.ONLY_UPLOADED && !uploaded.contains(log);
    }

    private RetentionListing.Listed listed() {
        RetentionListing.Listed current = listed;
        if (current == null) {
            throw new IllegalStateException("the directory is not listed");
        }
        return current;
    }

    /** The oldest files, and the oldest of new vehicles; without marked ones. */
    List<StoredLog> logs() {
        return logs;
    }

    RetentionPolicy.Others others() {
        return listed().others();
    }

    NewSystemsShare.Tally tally() {
        return listed().tally();
    }

    /** Files that would be deleted if they were uploaded. */
    long awaitingUpload() {
        return awaitingUpload;
    }

    /** Whether this round skipped files because it had read enough of them. */
    boolean isIncomplete() {
        return appended.isIncomplete();
    }

    /** Whether files could not be deleted lately. */
    boolean hasRefused() {
        return !refusedNs.isEmpty();
    }

    /** Whether the log was marked, or a section was appended, after it was listed. */
    boolean isProtectedNow(StoredLog log, long nowNs) throws IOException {
        return isMarked(log) || (listedNs != nowNs && appended.lookAgain(log.name(), log.bytes()) != log.protection());
    }

    private boolean isMarked(StoredLog log) throws IOException {
        StoredName name = StoredName.parse(log.name()).orElseThrow();
        for (String mark : name.markNames(log.name())) {
            if (disk.exists(mark)) {
                return true;
            }
        }
        return false;
    }

    /** Notes that a file could not be deleted; it is tried again after a while. */
    void refused(StoredLog log, long nowNs) {
        refusedNs.put(log.name(), nowNs);
    }

    void deleted(StoredLog log) {
        RetentionListing.Listed current = listed();
        List<RetentionListing.Finished> files = current.files();
        // In the same order, and mostly the first.
        int index = logs.indexOf(log);
        logs.remove(index);
        files.remove(index);
        newSystems.deleted(current.tally(), log);
    }

    /** A decision was made, and there is more to do. */
    void decided(long nowNs) {
        RetentionListing.Listed current = listed;
        if (current != null && (current.isComplete() || nowNs - listedNs >= MAX_AGE_NS)) {
            listed = null;
        }
    }

    /**
     * Called if none of the listed files is due. If all of them are deleted, or cannot be, it starts to list the next
     * ones; returns false if there are none.
     */
    boolean next() {
        RetentionListing.Listed current = listed();
        listed = null;
        boolean isMore = !current.isComplete() && logs.stream().noneMatch(RetentionFiles::mayGo);
        if (!isMore) {
            listing.beginBehind(null);
        } else if (!current.files().isEmpty()) {
            listing.beginBehind(last(current));
        }
        return isMore;
    }

    /**
     * The last listed file from which the next listing continues. Of new vehicles only some files are listed, so theirs
     * do not count.
     */
    private RetentionListing.Finished last(RetentionListing.Listed current) {
        List<RetentionListing.Finished> files = current.files();
        return files.stream()
                .filter(file -> !newSystems.isNew(file.name()))
                .reduce((one, other) -> other)
                .orElse(files.get(files.size() - 1));
    }

    private static boolean mayGo(StoredLog log) {
        return log.protection() == Protection.NONE || log.protection() == Protection.CRASHED;
    }

    /** Starts over. */
    void close() {
        listed = null;
        listing.beginBehind(null);
        try {
            listing.close();
        } catch (IOException e) {
            // It was only read.
        }
    }
}
