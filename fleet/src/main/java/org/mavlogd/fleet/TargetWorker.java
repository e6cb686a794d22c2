package org.mavlogd.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.fleet.state.Transfer;
import org.mavlogd.fleet.state.Transfer.Status;
import org.mavlogd.fleet.state.TransferStore;
import org.mavlogd.fleet.state.Version;
import org.mavlogd.fleet.targets.RefusedException;
import org.mavlogd.fleet.targets.Shipment;
import org.mavlogd.fleet.targets.Target;
import org.mavlogd.fleet.targets.Throttle;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.text.Words;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends everything to one target, one file at a time: first manifests, then logs. After a failure of the target it
 * waits, longer each time; a file that the target refuses is delayed alone. Its own thread runs {@link #run}; others
 * may query it.
 */
final class TargetWorker implements Runnable, Throttle {
    private static final Logger LOG = LoggerFactory.getLogger(TargetWorker.class);
    private static final long LOOK_MS = 250;
    private static final long PROGRESS_BYTES = 1 << 20;
    private static final int MAX_REASON = 300;
    /** Made in advance: a lack of memory may be the internal error. */
    private static final Snapshot BROKEN = new Snapshot(State.FAILING, "internal error", "", 0, 0, 0);

    /** The current activity. */
    enum State {
        IDLE,
        SENDING,
        /** Nothing may be sent now. */
        WAITING,
        /** The last attempt failed. */
        FAILING
    }

    /**
     * The state of a worker.
     *
     * @param file being sent; empty if none is
     * @param done bytes of it read for sending
     */
    record Snapshot(State state, String problem, String file, long done, long bytes, long nextTryMs) {}

    private final UploadTarget settings;
    private final Target target;
    private final Shared shared;
    private final TransferStore store;
    private final Shipments shipments;
    private final ProblemLog problems = new ProblemLog(LOG);
    private final SendOrder order = new SendOrder();

    private volatile Backlog backlog = Backlog.EMPTY;
    // The backlog that the order is made of, and whose notes have been read.
    private volatile Backlog known = Backlog.EMPTY;
    private volatile Snapshot snapshot = new Snapshot(State.IDLE, "", "", 0, 0, 0);
    private volatile String networkProblem = "not looked at yet";
    private volatile boolean stopping;
    private volatile boolean finishing;
    private final AtomicLong moved = new AtomicLong();
    private boolean hasForgotten;
    private boolean isBroken;
    private int failures;
    private long pauseEndNs;

    TargetWorker(UploadTarget settings, Target target, Shared shared) throws IOException {
        this.settings = settings;
        this.target = target;
        this.shared = shared;
        this.store = new TransferStore(shared.state().resolve("transfers").resolve(settings.name()));
        this.shipments = new Shipments(settings, shared);
    }

    String name() {
        return settings.name();
    }

    String type() {
        return settings.type().name().toLowerCase(Locale.ROOT);
    }

    Snapshot snapshot() {
        Snapshot now = snapshot;
        return now.state() == State.SENDING
                ? new Snapshot(now.state(), now.problem(), now.file(), moved.get(), now.bytes(), 0)
                : now;
    }

    /** Whether files of this kind are sent to this target. */
    boolean takes(LogFile file) {
        return settings.files().contains(file.kind());
    }

    /** The transfer of a file; empty if unknown, or if it is of another version of the file. */
    Optional<Transfer> transfer(LogFile file) {
        return Optional.of(store.of(file.name()))
                .filter(transfer -> transfer.version().equals(file.version()));
    }

    /** Number of changes of its notes so far. */
    long changes() {
        return store.changes();
    }

    void offer(Backlog now) {
        backlog = now;
    }

    boolean knows(Backlog other) {
        return known.equals(other);
    }

    /** Checks which network leads to the target; called by another thread. */
    void lookAtNetwork() {
        networkProblem = shared.networks().problem(target.host());
    }

    /** Ends when nothing remains that can be sent now. */
    void finish() {
        finishing = true;
    }

    void stop() {
        stopping = true;
    }

    @Override
    public void run() {
        try (target) {
            while (!stopping) {
                boolean isLast = finishing; // read first, for files offered before the request
                if (!contained()) {
                    if (isLast) {
                        return;
                    }
                    Thread.sleep(LOOK_MS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs a step; returns whether it sent a file. An internal error does not end the thread, because then nothing
     * would be sent any more: the thread waits as after a failure of the target.
     */
    private boolean contained() throws InterruptedException {
        if (isBroken && System.nanoTime() - pauseEndNs < 0) {
            return false;
        }
        try {
            boolean hasSent = step();
            if (isBroken && snapshot.state() == State.FAILING) {
                snapshot = new Snapshot(State.IDLE, "", "", 0, 0, 0);
            }
            isBroken = false;
            return hasSent;
        } catch (RuntimeException | Error e) {
            snapshot = BROKEN;
            isBroken = true;
            failures++;
            failed("internal error: " + Words.line(e.toString(), MAX_REASON));
            LOG.error("{}: internal error", name(), e);
            return false;
        }
    }

    /** Once the logs are known, deletes old notes of other files; notes of existing logs are kept at any age. */
    private void forgetOldNotes(Backlog now) {
        if (hasForgotten || !now.unread().isEmpty()) {
            return;
        }
        hasForgotten = true;
        try {
            store.forgetOld(System.currentTimeMillis());
        } catch (IOException e) {
            LOG.warn("{}: old notes cannot be deleted: {}", name(), e.getMessage());
        }
    }

    /** Sends one file; returns whether it did. */
    private boolean step() throws InterruptedException {
        Optional<Work> next = next(System.nanoTime());
        String closed = closed();
        if (next.isEmpty() || !closed.isEmpty() || System.nanoTime() - pauseEndNs < 0) {
            rest(next.isPresent(), closed);
            return false;
        }
        send(next.get());
        return true;
    }

    private String closed() {
        String permission = shared.permission().problem();
        return permission.isEmpty() ? networkProblem : permission;
    }

    private void rest(boolean hasWork, String closed) {
        if (!hasWork && snapshot.state() != State.FAILING) {
            snapshot = new Snapshot(State.IDLE, "", "", 0, 0, 0);
        } else if (hasWork && !closed.isEmpty()) {
            snapshot = new Snapshot(State.WAITING, closed, "", 0, 0, 0);
        }
    }

    // ---- What is next

    private Optional<Work> next(long nowNs) {
        Backlog now = backlog;
        if (!now.equals(known)) {
            List<Work> works = works(now);
            recall(works, now.unread());
            forgetOldNotes(now);
            order.offer(works);
            known = now;
        }
        return order.next(this::isOpen, this::attempts, nowNs);
    }

    private List<Work> works(Backlog now) {
        List<LogFile> files = now.files().stream().filter(this::takes).toList();
        Set<String> logs = files.stream().map(LogFile::log).collect(Collectors.toSet());
        Stream<Work> manifests = settings.manifest()
                ? now.manifests().stream()
                        .filter(manifest -> logs.contains(manifest.log()))
                        .map(Work::of)
                : Stream.empty();
        return Stream.concat(manifests, files.stream().map(file -> Work.of(file, shared.facts())))
                .toList();
    }

    private int attempts(Work work) {
        return store.of(work.name()).attempts();
    }

    private boolean isOpen(Work work) {
        if (work.sha256().isEmpty()) {
            return false;
        }
        Transfer transfer = store.of(work.name());
        return transfer.status() == Status.WAITING
                || !transfer.version().equals(work.version())
                || !transfer.sha256().equals(work.sha256());
    }

    /** Loads notes of new files, including those that cannot be sent now: they may have arrived. */
    private void recall(List<Work> works, List<LogFile> unread) {
        store.recall(
                Stream.concat(works.stream().map(Work::name), unread.stream().map(LogFile::name))
                        .collect(Collectors.toSet()));
    }

    // ---- Sending

    private void send(Work work) throws InterruptedException {
        moved.set(0);
        snapshot =
                new Snapshot(State.SENDING, "", work.name(), 0, work.version().bytes(), 0);
        try {
            deliver(work);
            failures = 0;
            order.onSent(work);
            snapshot = new Snapshot(State.IDLE, "", "", 0, 0, 0);
            problems.resolved(name() + ": works again");
        } catch (RefusedException e) {
            refused(work, e);
        } catch (IOException | RuntimeException | Error e) {
            if (stopping || !closed().isEmpty()) {
                return; // interrupted because sending is no longer permitted
            }
            onFailure(work, e);
        }
    }

    private void onFailure(Work work, Throwable e) {
        if (!(e instanceof IOException)) {
            LOG.error("{}: internal error while {} was sent", name(), work.name(), e);
        }
        String text = Words.line(e.getMessage() == null ? e.toString() : e.getMessage(), MAX_REASON);
        boolean isProgress = target.resumes() && moved.get() >= PROGRESS_BYTES;
        note(work, text, isProgress);
        if (order.onFailure(work, attempts(work))) {
            postpone(work, text);
        } else {
            failures = isProgress ? 1 : failures + 1;
            failed(text);
        }
        problems.report(name() + ": " + work.name() + " cannot be sent: " + text);
    }

    private void failed(String text) {
        long delayNs = shared.backoff().delayNs(Math.max(1, failures));
        pauseEndNs = System.nanoTime() + delayNs;
        snapshot = new Snapshot(
                State.FAILING, text, "", 0, 0, System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(delayNs));
    }

    private void refused(Work work, RefusedException e) {
        String text = Words.line(String.valueOf(e.getMessage()), MAX_REASON);
        note(work, text, false);
        postpone(work, text);
        LOG.warn("{}: {} is refused: {}", name(), work.name(), text);
    }

    /** Delays a file; the others continue. */
    private void postpone(Work work, String text) {
        order.postpone(work, System.nanoTime() + shared.backoff().delayNs(Math.max(1, attempts(work))));
        snapshot = new Snapshot(State.FAILING, work.name() + ": " + text, "", 0, 0, 0);
    }

    private void note(Work work, String problem, boolean isProgress) {
        Transfer before = store.of(work.name());
        Transfer after = before.failed(problem, isProgress ? 1 : before.attempts() + 1);
        store.note(work.name(), after);
    }

    private void deliver(Work work) throws IOException, InterruptedException {
        Transfer before = begin(work);
        if (before.status() != Status.WAITING) {
            return;
        }
        Shipment shipment = shipments.of(work, known, this);
        if (!before.key().isEmpty()
                && before.key().endsWith(Spool.COMPRESSED) != shipment.key().endsWith(Spool.COMPRESSED)) {
            before = before.withKey("").withResume("");
        }
        Transfer after = target.send(shipment, before, transfer -> store.save(work.name(), transfer));
        requireUnchanged(work);
        store.save(work.name(), after);
        shipments.clear();
        if (work.manifest() == null) {
            LOG.info(
                    "{}: sent {}, {}",
                    name(),
                    work.name(),
                    Words.bytes(work.version().bytes()));
        }
    }

    /** The transfer for this version of the file. */
    private Transfer begin(Work work) throws IOException {
        Transfer noted = store.of(work.name());
        Transfer now = work.begin(noted, target.replaces(), shared.logs().path(work.file()));
        if (!now.equals(noted)) {
            store.save(work.name(), now);
        }
        return now;
    }

    /** Throws if data was appended to the log while it was sent. */
    private void requireUnchanged(Work work) throws IOException {
        if (work.manifest() != null) {
            return;
        }
        Path log = shared.logs().path(work.file());
        Version now =
                new Version(Files.size(log), Files.getLastModifiedTime(log).toMillis());
        if (!now.equals(work.version())) {
            throw new IOException("the log was changed while it was sent");
        }
    }

    // ---- Throttle

    @Override
    public void pass(int bytes) throws IOException {
        check();
        try {
            shared.rate().pass(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", e);
        }
        moved.addAndGet(bytes);
    }

    @Override
    public void check() throws IOException {
        String closed = closed();
        if (stopping || !closed.isEmpty()) {
            throw new IOException(stopping ? "stopped" : "interrupted: " + closed);
        }
    }
}
