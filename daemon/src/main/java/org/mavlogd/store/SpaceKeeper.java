package org.mavlogd.store;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.store.Keeper.SpaceStatus.State;
import org.mavlogd.store.RetentionPolicy.Deletion;
import org.mavlogd.store.RetentionPolicy.Growing;
import org.mavlogd.store.RetentionPolicy.Why;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the free space of the disk, deletes old logs, and pauses recording if nothing is left to delete.
 *
 * <p>Owned by the keeper's thread. {@link #waitForRoom} is for the recorder's thread; any thread may read the
 * {@link #status}. Each call of {@link #work} reads and deletes files for a limited time, so that files being written
 * are forced in time.
 */
final class SpaceKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(SpaceKeeper.class);
    private static final long MEASURE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long ROUND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CALM_ROUND_NS = TimeUnit.SECONDS.toNanos(10);
    // In one call, because files being written must be forced meanwhile.
    private static final int MAX_DELETIONS = 32;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    // After this many finished files it checks whether new vehicles have too many.
    private static final int LOOK_AFTER_FILES = 256;

    private final Disk disk;
    private final SpaceLimits limits;
    private final StoreCounters counters;
    private final RetentionPolicy policy;
    private final NewSystemsShare newSystems = new NewSystemsShare();
    private final RetentionFiles files;
    private final NanoClock clock;
    private final DirectoryProbe probe;
    private final FreedSpace freed = new FreedSpace();
    private final ProblemLog pauseLog = new ProblemLog(LOG);
    private final ProblemLog failureLog = new ProblemLog(LOG);
    private final ProblemLog shortageLog = new ProblemLog(LOG);
    private final ProblemLog crowdLog = new ProblemLog(LOG);
    private final Latest<Keeper.SpaceStatus> status = new Latest<>(Keeper.SpaceStatus.UNKNOWN);
    private final Counter asked = new Counter();

    private SpaceLimits.Levels levels;
    private long askedBefore;
    // The lowest counter of the logs that this run finished.
    private long firstCounter = Long.MAX_VALUE;
    // The same without logs of earlier runs, which this run only completed.
    private long firstNewCounter = Long.MAX_VALUE;
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
    private int finishedSinceRound;
    // New vehicles whose files must be finished before other logs are deleted.
    private Set<Integer> crowding = Set.of();
    private String failure = "";

    /** @param clock of the times given to {@link #work} */
    SpaceKeeper(Disk disk, SpaceLimits limits, StoreCounters counters, NanoClock clock) {
        this.disk = disk;
        this.limits = limits;
        this.counters = counters;
        this.policy = new RetentionPolicy(limits);
        this.clock = clock;
        this.files = new RetentionFiles(disk, limits.uploads(), newSystems, clock);
        this.probe = new DirectoryProbe(disk, counters.failures);
        this.levels = SpaceLimits.Levels.of(limits, Long.MAX_VALUE);
    }

    /** The last measurement of the disk. Any thread. */
    Keeper.SpaceStatus status() {
        return status.get();
    }

    /** A recording waits for room. Recorder's thread. */
    void waitForRoom() {
        asked.increment();
    }

    /**
     * A log got its final name.
     *
     * @param highestBefore the highest counter of a file that existed when this run began
     */
    void onFinished(String name, long highestBefore) {
        finishedSinceRound++;
        long counter = LogName.counterOf(name);
        if (counter > 0) {
            firstCounter = Math.min(firstCounter, counter);
            firstNewCounter = counter > highestBefore ? Math.min(firstNewCounter, counter) : firstNewCounter;
        }
    }

    /** Measures and deletes if it is due; returns whether there is more to do at once. */
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
            isFruitless = !busy && isShort(nowNs) && crowding.isEmpty();
        } else if (!isShort(nowNs)) {
            crowding = Set.of();
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
        return busy || isShort(nowNs) || isLimited() || finishedSinceRound >= LOOK_AFTER_FILES;
    }

    private boolean isLimited() {
        return limits.maxFiles() > 0 || limits.maxTotalBytes() > 0;
    }

    private boolean isShort(long nowNs) {
        return expectedBytes(nowNs) < levels.wantedFree();
    }

    /** The free space, plus freed space that is not reported as free yet. */
    private long expectedBytes(long nowNs) {
        long pending = freed.pendingBytes(nowNs, usableBytes < levels.resumeFrom());
        return usableBytes > Long.MAX_VALUE - pending ? Long.MAX_VALUE : usableBytes + pending;
    }

    /** Measures the free space; returns the previous value. */
    private long measure() {
        long before = usableBytes;
        try {
            usableBytes = disk.usableBytes();
            levels = SpaceLimits.Levels.of(limits, disk.totalBytes());
            measurement++;
        } catch (IOException e) {
            // The previous value is the best guess; a write shows whether the disk is full.
            counters.failures.increment();
        }
        return before;
    }

    private void judge() {
        // While it looks for old logs and deletes them, the recorder may use a part of the reserve: a pause would cost
        // a gap and another file.
        long pauseBelow = busy ? levels.pauseBelow() / 2 : levels.pauseBelow();
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
        return "recording pauses: less than " + SpaceLimits.text(levels.pauseBelow()) + " left in " + disk.location()
                + "; it continues when " + SpaceLimits.text(levels.resumeFrom()) + " are free" + awaiting();
    }

    private String awaiting() {
        return files.awaitingUpload() == 0
                ? ""
                : "; " + files.awaitingUpload() + " files wait for their upload (retention = \"only_uploaded\")";
    }

    private void round(long nowNs, List<LogFile> growing) {
        try {
            if (files.list(nowNs, firstNewCounter)) {
                finishedSinceRound = 0;
                decideAll(nowNs, growing);
            } else {
                busy = true; // there is more to read
            }
        } catch (IOException e) {
            deleting = false;
            busy = false;
            files.close();
            fail("old logs in " + disk.location() + " cannot be listed: " + Reason.of(e));
        }
    }

    private void decideAll(long nowNs, List<LogFile> growing) throws IOException {
        deleting = false;
        crowding = Set.of();
        if (isLimited() || isShort(nowNs) || newSystems.isOver(files.tally())) {
            files.look(nowNs);
            deleteDue(nowNs, growing);
        } else {
            busy = false;
            files.close();
        }
    }

    private void deleteDue(long nowNs, List<LogFile> growing) throws IOException {
        List<Deletion> due = decide(files.logs(), growing, nowNs);
        Optional<Deletion> next = next(due, 0, growing);
        if (next.isPresent()) {
            busy = deleteAll(due, next.get(), nowNs, growing);
            files.decided(nowNs);
        } else if (files.isIncomplete()) {
            busy = true; // there are more to read
            files.decided(nowNs);
        } else {
            busy = due.isEmpty() && files.next();
            if (!due.isEmpty()) {
                files.decided(nowNs); // the next listing has the files that it waits for
            }
            if (!busy) {
                onNothingToDelete(nowNs);
            }
        }
    }

    /**
     * Deletes one log, and further ones that are due regardless of free space; returns whether all could be deleted.
     */
    private boolean deleteAll(List<Deletion> due, Deletion first, long nowNs, List<LogFile> growing)
            throws IOException {
        Deletion next = first;
        for (int i = 1; next != null; i++) {
            if (files.isProtectedNow(next.log(), nowNs)) {
                files.close(); // it was marked, or appended to, meanwhile
                return true;
            }
            deleting = delete(next, nowNs);
            boolean isLast = i == MAX_DELETIONS || isForSpace(next) || clock.nanoTime() - nowNs >= STEP_NS;
            if (!deleting || isLast || !isInOrder(due, i - 1, next)) {
                return deleting;
            }
            next = next(due, i, growing).orElse(null);
        }
        return true;
    }

    /** Whether the planned log was deleted; if not, another one was, and the decision must be made again. */
    private static boolean isInOrder(List<Deletion> due, int index, Deletion done) {
        return index < due.size() ? due.get(index).equals(done) : done.why() == Why.NEW_SYSTEMS;
    }

    /** The space gained by such a deletion is known only after a measurement. */
    private static boolean isForSpace(Deletion deletion) {
        return deletion.why() == Why.KEEP_FREE || deletion.why() == Why.RESERVE;
    }

    private Optional<Deletion> next(List<Deletion> due, int index, List<LogFile> growing) {
        return index < due.size() ? next(due.get(index), growing) : newSystems.excess(files.logs(), files.tally());
    }

    /**
     * The next deletion; empty to wait for a file of a new vehicle. Without room no vehicle is recorded: then the files
     * that are being written of new vehicles are finished, and deleted next.
     */
    private Optional<Deletion> next(Deletion due, List<LogFile> growing) {
        List<Disk.Entry> written = entries(growing);
        Optional<Deletion> first = newSystems.first(due, files.logs(), files.tally(), written);
        if (first.isEmpty() && usableBytes < levels.resumeFrom()) {
            crowding = newSystems.recorded(written);
            crowdLog.report(disk.location()
                    + " is full, and vehicles that were never recorded before this run have more"
                    + " than 1/" + NewSystemsShare.SHARE + " of all bytes in logs: their current files end, and are"
                    + " deleted before logs of other vehicles");
        }
        return first;
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
        return policy.decide(finished, files.others(), growing(logs, growing), expectedBytes(nowNs), levels);
    }

    private static LogKind kind(LogFile file) {
        return LogKind.of(file.name()).orElseThrow();
    }

    /** @param logs how many of the files count */
    private Growing growing(int logs, List<LogFile> files) {
        boolean isAsked = asked.get() != askedBefore;
        askedBefore = asked.get();
        return new Growing(
                logs, files.stream().mapToLong(LogFile::writtenBytes).sum(), isAsked || !files.isEmpty(), firstCounter);
    }

    private boolean delete(Deletion deletion, long nowNs) {
        RetentionPolicy.StoredLog log = deletion.log();
        try {
            disk.delete(log.name());
        } catch (IOException e) {
            files.refused(log, nowNs);
            fail(log.name() + " cannot be deleted: " + Reason.of(e) + "; trying again every minute");
            return false;
        }
        failure = "";
        failureLog.resolved("old logs can be deleted again");
        counters.deletedFiles.increment();
        counters.deletedBytes.add(log.bytes());
        files.deleted(log);
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
        // The message may have another file name each time, but it is the same problem.
        if (!failureLog.isReported()) {
            failureLog.report(problem);
        }
    }

    private void onNothingToDelete(long nowNs) {
        if (!files.hasRefused()) {
            failure = "";
            failureLog.resolved("old logs can be deleted again");
        }
        if (hasRoom && isShort(nowNs) && crowding.isEmpty()) {
            shortageLog.report("less than " + SpaceLimits.text(levels.wantedFree()) + " free in " + disk.location()
                    + ", and no old log that may be deleted" + awaiting());
        } else if (!isShort(nowNs)) {
            shortageLog.resolved(SpaceLimits.text(levels.wantedFree()) + " free again in " + disk.location());
            crowdLog.resolved(SpaceLimits.text(levels.wantedFree()) + " free again in " + disk.location());
        }
    }

    private void publish() {
        String trouble = probe.problem().isEmpty() ? failure : probe.problem();
        State state =
                !hasRoom ? State.PAUSED : !trouble.isEmpty() ? State.FAILING : deleting ? State.DELETING : State.OK;
        String problem = hasRoom ? trouble : pauseText();
        status.set(new Keeper.SpaceStatus(
                measurement, usableBytes, state, hasRoom, crowding, problem, counters.pauses.get()));
    }
}
