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
 * The finished files as retention sees them: listed, and each with what protects it. A small directory is listed before each
 * decision; of one with more than {@value RetentionListing#MAX_FILES} files a listing serves for {@link #MAX_AGE_NS}, because it takes long. Owned
 * by the keeper's thread.
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

    /** Reads the directory on; false as long as that is not done. Then {@link #look} makes the {@link #logs} known. */
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

    /** Looks into some of the files that were not looked into. */
    void look(long nowNs) {
        appended.beginRound(nowNs);
        refusedNs.values().removeIf(refused -> nowNs - refused >= RETRY_NS);
        List<StoredLog> seen = new ArrayList<>();
        // The oldest are looked into first: they are the ones to go.
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

    /** The oldest ones, and the oldest of new vehicles; without those that are marked. */
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

    /** Whether files were left out because this round had looked into enough of them. */
    boolean isIncomplete() {
        return appended.isIncomplete();
    }

    /** Whether files could not be deleted of late. */
    boolean hasRefused() {
        return !refusedNs.isEmpty();
    }

    /** Whether somebody marked the log, or appended something, after it was listed. */
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

    /** It is tried again after a while. */
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
     * Nothing that is listed is due: lists the others if all that was listed is deleted, or cannot be. Returns false when there
     * are none.
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

    /** Of new vehicles only some are listed: they come again. */
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

    /** Begins anew. */
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
