package org.mavlogd.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.store.Keeper.SpaceStatus.State;
import org.mavlogd.store.RetentionPolicy.Deletion;
import org.mavlogd.store.RetentionPolicy.Growing;
import org.mavlogd.store.RetentionPolicy.StoredLog.Protection;
import org.mavlogd.store.SpaceLimits.Retention;
import org.mavlogd.store.StoredName.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the free space of the disk, deletes old logs, and pauses recording when nothing is left to delete.
 *
 * <p>Owned by the keeper's thread. {@link #status} and {@link #waitForRoom} are for the recorder's; the status may be read by
 * any. Each call of {@link #work} deletes one file at most, so that files being written are forced in time.
 */
final class SpaceKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(SpaceKeeper.class);
    private static final long MEASURE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long ROUND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CALM_ROUND_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(60);

    private final Disk disk;
    private final SpaceLimits limits;
    private final StoreCounters counters;
    private final RetentionPolicy policy;
    private final AppendedIndex appended;
    private final UploadedLogs uploaded;
    private final NewSystemsShare newSystems = new NewSystemsShare();
    private final DirectoryProbe probe;
    private final FreedSpace freed = new FreedSpace();
    private final Map<String, Long> refusedNs = new HashMap<>();
    private final ProblemLog pauseLog = new ProblemLog(LOG);
    private final ProblemLog failureLog = new ProblemLog(LOG);
    private final ProblemLog shortageLog = new ProblemLog(LOG);
    private final Latest<Keeper.SpaceStatus> status = new Latest<>(Keeper.SpaceStatus.UNKNOWN);
    private final Counter asked = new Counter();

    private SpaceLimits.Levels levels;
    private long askedBefore;
    // Of this run's finished logs.
    private long firstCounter = Long.MAX_VALUE;
    private long measurement;
    private long measuredNs;
    private long roundNs;
    private long usableBytes = Long.MAX_VALUE;
    private boolean hasRoom = true;
    private boolean deleting;
    // Whether the next round follows at once.
    private boolean busy;
    // Whether the last round left too little space.
    private boolean isFruitless;
    private boolean started;
    private String failure = "";
    // Files that would be deleted if they were uploaded.
    private long awaitingUpload;

    SpaceKeeper(Disk disk, SpaceLimits limits, StoreCounters counters) {
        this.disk = disk;
        this.limits = limits;
        this.counters = counters;
        this.policy = new RetentionPolicy(limits);
        this.appended = new AppendedIndex(disk);
        this.uploaded = new UploadedLogs(limits.uploads().list());
        this.probe = new DirectoryProbe(disk, counters.failures);
        this.levels = SpaceLimits.Levels.of(limits, Long.MAX_VALUE);
    }

    /** The disk as it was measured last. Any thread. */
    Keeper.SpaceStatus status() {
        return status.get();
    }

    /** The recorder's thread: a recording waits for room. */
    void waitForRoom() {
        asked.increment();
    }

    /** This run finished a log. */
    void onFinished(String name) {
        StoredName.parse(name).ifPresent(log -> firstCounter = Math.min(firstCounter, log.counter()));
    }

    /** Measures and deletes what is due; returns whether there is more to do at once. */
    boolean work(long nowNs, List<LogFile> growing) {
        boolean isMeasured = !started || nowNs - measuredNs >= MEASURE_NS;
        if (isMeasured) {
            measuredNs = nowNs;
            long before = measure();
            freed.onMeasured(before, usableBytes);
        }
        boolean isRound = hasWork(nowNs) && (!started || nowNs - roundNs >= pauseNs(nowNs));
        started = true;
        if (isRound) {
            roundNs = nowNs;
            round(nowNs, growing);
            isFruitless = !busy && isShort(nowNs);
        }
        // A full disk is known without a probe.
        boolean isProbed = hasRoom && probe.work(nowNs, !growing.isEmpty());
        if (isMeasured || isRound || isProbed) {
            judge();
        }
        return isRound && busy;
    }

    private long pauseNs(long nowNs) {
        if (isShort(nowNs)) {
            return isFruitless ? ROUND_NS : 0;
        }
        return busy ? 0 : CALM_ROUND_NS;
    }

    private boolean hasWork(long nowNs) {
        return busy || isShort(nowNs) || limits.maxFiles() > 0 || limits.maxTotalBytes() > 0;
    }

    private boolean isShort(long nowNs) {
        return expectedBytes(nowNs) < levels.wantedFree();
    }

    /** With what was freed and does not show yet: some file systems take their time. */
    private long expectedBytes(long nowNs) {
        long pending = freed.pendingBytes(nowNs, usableBytes < levels.resumeFrom());
        return usableBytes > Long.MAX_VALUE - pending ? Long.MAX_VALUE : usableBytes + pending;
    }

    /** Returns the free space before. */
    private long measure() {
        long before = usableBytes;
        try {
            usableBytes = disk.usableBytes();
            levels = SpaceLimits.Levels.of(limits, disk.totalBytes());
            measurement++;
        } catch (IOException e) {
            // What was true a moment ago is the best guess; a full disk shows when it is written.
            counters.failures.increment();
        }
        return before;
    }

    private void judge() {
        // While old logs go, the recorder may use a part of the reserve: a pause would cost a gap and another file.
        long pauseBelow = deleting ? levels.pauseBelow() / 2 : levels.pauseBelow();
        if (hasRoom && usableBytes < pauseBelow) {
            hasRoom = false;
            counters.pauses.increment();
            pauseLog.report(pauseText());
        } else if (!hasRoom && usableBytes >= levels.resumeFrom()) {
            hasRoom = true;
            pauseLog.resolved("recording can continue: there is space again in " + disk.location());
        }
        publish();
    }

    private String pauseText() {
        return "recording pauses: less than " + mebi(levels.pauseBelow()) + " left in " + disk.location()
                + "; it continues when " + mebi(levels.resumeFrom()) + " are free" + awaiting();
    }

    private String awaiting() {
        return awaitingUpload == 0
                ? ""
                : "; " + awaitingUpload + " files wait for their upload (retention = \"only_uploaded\")";
    }

    private void round(long nowNs, List<LogFile> growing) {
        deleting = false;
        busy = false;
        List<RetentionPolicy.StoredLog> logs;
        List<Deletion> deletions;
        try {
            logs = logs(disk.list(), nowNs);
            deletions = decide(logs, growing, nowNs);
        } catch (IOException e) {
            fail("old logs in " + disk.location() + " cannot be listed: " + Reason.of(e));
            return;
        }
        Optional<Deletion> next = deletions.isEmpty() ? Optional.empty() : next(deletions.get(0), logs, growing);
        if (next.isPresent()) {
            deleting = delete(next.get(), nowNs);
            busy = deleting;
        } else if (appended.isIncomplete()) {
            busy = true; // there are more to look into
        } else {
            onNothingToDelete(nowNs);
        }
    }

    /** Without room nobody is recorded: then the oldest log goes, whoever has used up the room. */
    private Optional<Deletion> next(Deletion due, List<RetentionPolicy.StoredLog> logs, List<LogFile> growing) {
        Optional<Deletion> first = newSystems.first(due, logs, entries(growing), firstCounter);
        return first.isEmpty() && usableBytes < levels.resumeFrom() ? Optional.of(due) : first;
    }

    private static List<Disk.Entry> entries(List<LogFile> growing) {
        return growing.stream()
                .map(file -> new Disk.Entry(file.unfinishedName(), file.writtenBytes()))
                .toList();
    }

    private List<Deletion> decide(List<RetentionPolicy.StoredLog> finished, List<LogFile> growing, long nowNs) {
        Map<Long, LogKind> leading = RetentionPolicy.leadingKinds(finished);
        for (LogFile file : growing) {
            StoredName.parse(file.name()).ifPresent(name -> leading.merge(name.log(), kind(file), LogKind::leading));
        }
        int logs = (int) growing.stream()
                .filter(file -> StoredName.parse(file.name())
                        .map(name -> kind(file) == leading.get(name.log()))
                        .orElse(true))
                .count();
        return policy.decide(finished, growing(logs, growing), expectedBytes(nowNs), levels);
    }

    private static LogKind kind(LogFile file) {
        return LogKind.of(file.name()).orElseThrow();
    }

    /** @param logs how many of them count */
    private Growing growing(int logs, List<LogFile> files) {
        boolean isAsked = asked.get() != askedBefore;
        askedBefore = asked.get();
        return new Growing(
                logs, files.stream().mapToLong(LogFile::writtenBytes).sum(), isAsked || !files.isEmpty(), firstCounter);
    }

    private List<RetentionPolicy.StoredLog> logs(List<Disk.Entry> entries, long nowNs) {
        Set<String> marks = new HashSet<>();
        Map<Disk.Entry, StoredName> finished = new HashMap<>();
        for (Disk.Entry entry : entries) {
            StoredName.parse(entry.name()).ifPresent(name -> {
                if (name.kind() == Kind.KEEP_MARK) {
                    marks.add(name.identity());
                } else if (name.kind() != Kind.UNFINISHED) {
                    finished.put(entry, name);
                }
            });
        }
        Set<String> names = finished.keySet().stream().map(Disk.Entry::name).collect(Collectors.toSet());
        appended.beginRound(names, nowNs);
        refusedNs.keySet().retainAll(names);
        uploaded.look();
        refusedNs.values().removeIf(refused -> nowNs - refused >= RETRY_NS);
        List<RetentionPolicy.StoredLog> logs = new ArrayList<>();
        // The oldest are looked into first: they are the ones to go.
        finished.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.comparingLong(StoredName::counter)))
                .forEach(file -> logs.add(new RetentionPolicy.StoredLog(
                        file.getKey().name(),
                        file.getKey().bytes(),
                        file.getValue().log(),
                        file.getValue().counter(),
                        protection(file.getKey(), marks.contains(file.getValue().identity())),
                        uploaded.contains(file.getKey()))));
        awaitingUpload = logs.stream()
                .filter(log -> log.protection() == Protection.NOT_UPLOADED)
                .count();
        return logs;
    }

    private Protection protection(Disk.Entry log, boolean isKept) {
        if (isKept) {
            return Protection.KEPT;
        }
        if (refusedNs.containsKey(log.name())) {
            return Protection.UNKNOWN;
        }
        Protection protection = appended.protection(log);
        boolean mayGo = protection == Protection.NONE || protection == Protection.CRASHED;
        boolean isAwaited = limits.uploads().retention() == Retention.ONLY_UPLOADED && !uploaded.contains(log);
        return mayGo && isAwaited ? Protection.NOT_UPLOADED : protection;
    }

    private boolean delete(Deletion deletion, long nowNs) {
        RetentionPolicy.StoredLog log = deletion.log();
        try {
            disk.delete(log.name());
        } catch (IOException e) {
            refusedNs.put(log.name(), nowNs);
            fail(log.name() + " cannot be deleted: " + Reason.of(e) + "; trying again every minute");
            return false;
        }
        failure = "";
        failureLog.resolved("old logs can be deleted again");
        counters.deletedFiles.increment();
        counters.deletedBytes.add(log.bytes());
        LOG.info(
                "deleted {}, {} bytes: {}",
                log.name(),
                log.bytes(),
                deletion.why().text());
        long before = measure();
        freed.onDeleted(log.bytes(), before, usableBytes, nowNs);
        return true;
    }

    private void fail(String problem) {
        counters.failures.increment();
        failure = problem;
        // With another name each time it is still the same trouble.
        if (!failureLog.isReported()) {
            failureLog.report(problem);
        }
    }

    private void onNothingToDelete(long nowNs) {
        if (refusedNs.isEmpty()) {
            failure = "";
            failureLog.resolved("old logs can be deleted again");
        }
        if (hasRoom && isShort(nowNs)) {
            shortageLog.report("less than " + mebi(levels.wantedFree()) + " free in " + disk.location()
                    + ", and no old log that may be deleted" + awaiting());
        } else if (!isShort(nowNs)) {
            shortageLog.resolved(mebi(levels.wantedFree()) + " free again in " + disk.location());
        }
    }

    private void publish() {
        String trouble = probe.problem().isEmpty() ? failure : probe.problem();
        State state =
                !hasRoom ? State.PAUSED : !trouble.isEmpty() ? State.FAILING : deleting ? State.DELETING : State.OK;
        String problem = hasRoom ? trouble : pauseText();
        status.set(new Keeper.SpaceStatus(measurement, usableBytes, state, hasRoom, problem, counters.pauses.get()));
    }

    private static String mebi(long bytes) {
        return bytes >= 10 << 20 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
    }

    /**
     * Space that was freed and is not seen yet. Some file systems free blocks only with their next commit; without this
     * every old log would be deleted until then. Owned by one thread.
     */
    private static final class FreedSpace {
        private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
        private static final long URGENT_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

        private long pendingBytes;
        private long deletedNs;

        /** A file of this length was deleted, and the free space went from one value to another. */
        void onDeleted(long bytes, long beforeBytes, long afterBytes, long nowNs) {
            long seen = Math.max(0, afterBytes - beforeBytes);
            // Others write meanwhile, so that a little less shows than was freed.
            if (seen < bytes / 2) {
                pendingBytes += bytes - seen;
                deletedNs = nowNs;
            }
        }

        /** The free space went from one value to another by itself. */
        void onMeasured(long beforeBytes, long afterBytes) {
            if (afterBytes > beforeBytes) {
                pendingBytes = Math.max(0, pendingBytes - (afterBytes - beforeBytes));
            }
        }

        /**
         * What will still show; nothing when it is overdue, for then it will not.
         *
         * @param isUrgent whether recording waits for it
         */
        long pendingBytes(long nowNs, boolean isUrgent) {
            if (nowNs - deletedNs >= (isUrgent ? URGENT_PATIENCE_NS : PATIENCE_NS)) {
                pendingBytes = 0;
            }
            return pendingBytes;
        }
    }
}
