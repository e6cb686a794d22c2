package org.mavlogd.fleet;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.UploadSettings;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.fleet.targets.Targets;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads until it is stopped, or until nothing is left. The running thread finds finished logs and reads their facts;
 * another one watches permissions and reports; each target has its own thread.
 */
final class Uploader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Uploader.class);
    private static final String LOCK = "lock";
    private static final long WATCH_MS = 1000;
    /** While nothing is sent, the recorder is queried only in one of this number of rounds. */
    private static final int CALM_ROUNDS = 3;

    private static final long END_MS = 8000;
    /** Publishing takes at most one part in this many of the time in which logs are read. */
    private static final int PUBLISHING_SHARE = 20;

    private final UploadSettings settings;
    private final long scanMs;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final FinishedLogs logs;
    private final FactsStore facts;
    private final BacklogAssembler assembler;
    private final Permission permission;
    private final List<TargetWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Report report;
    private final ProblemLog problems = new ProblemLog(LOG);
    private final ProblemLog reportProblems = new ProblemLog(LOG);
    private volatile Backlog backlog = Backlog.EMPTY;
    /** Whether the logs are known. Before that, a report would show that nothing is left to send. */
    private volatile boolean hasLooked;

    private volatile boolean ended;
    /** The error that ended a thread; null if none has ended. */
    private volatile @Nullable Throwable fatal;
    // Owned by the watching thread, once it runs.
    private int rounds;
    // Owned by the thread that calls run().
    private long publishedNs;
    private long publishingNs;

    /** @throws IOException with a text for the user */
    Uploader(UploadSettings settings, Backoff backoff, long scanMs) throws IOException {
        this.settings = settings;
        this.scanMs = scanMs;
        Path state = Files.createDirectories(settings.stateDirectory());
        this.lockFile = FileChannel.open(state.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        this.lock = lock(state);
        this.logs = new FinishedLogs(settings.logDirectory(), settings.order(), settings.crashFirst());
        this.facts = new FactsStore(state.resolve("facts"), backoff);
        this.assembler = new BacklogAssembler(facts);
        this.permission = new Permission(settings.whileArmed(), settings.recorder(), logs, System::nanoTime);
        Shared shared = new Shared(
                settings,
                logs,
                facts,
                permission,
                new Networks(settings.network()),
                new RateLimit(settings.maxBytesPerS(), System::nanoTime, TimeUnit.NANOSECONDS::sleep),
                backoff);
        for (UploadTarget target : settings.targets()) {
            workers.add(new TargetWorker(target, Targets.open(target), shared));
        }
        this.report = new Report(shared, workers);
    }

    /** Locks the state: two uploaders would send everything twice. */
    private FileLock lock(Path state) throws IOException {
        FileLock held;
        try {
            held = lockFile.tryLock();
        } catch (OverlappingFileLockException e) {
            held = null;
        }
        if (held == null) {
            lockFile.close();
            throw new FileSystemException(state.toString(), null, "another mavlogd upload is running on it");
        }
        return held;
    }

    /**
     * Runs until it is asked to stop or, if it runs once, until everything that can be sent now was sent.
     *
     * @return whether all logs have arrived at all targets
     * @throws IllegalStateException if an internal error ended one of its threads: the process must end and be started
     *     again
     */
    boolean run(BooleanSupplier isStopped, boolean once) throws InterruptedException {
        watch();
        start("watch", this::watchOn);
        workers.forEach(worker -> start("target-" + worker.name(), worker));
        boolean isRead = look(isStopped);
        while (!isStopped.getAsBoolean() && !once && fatal == null) {
            for (long ms = 0; ms < scanMs && !isStopped.getAsBoolean() && fatal == null; ms += 100) {
                Thread.sleep(100);
            }
            isRead = look(isStopped);
        }
        if (once) {
            finish(isStopped);
        }
        if (fatal != null) {
            throw new IllegalStateException("internal error, which ended a thread", fatal);
        }
        return isRead && isAllSent();
    }

    private void finish(BooleanSupplier isStopped) throws InterruptedException {
        workers.forEach(TargetWorker::finish);
        for (Thread thread : List.copyOf(threads).subList(1, threads.size())) {
            while (thread.isAlive() && !isStopped.getAsBoolean()) {
                thread.join(100);
            }
        }
    }

    private boolean isAllSent() {
        return backlog.unread().isEmpty()
                && backlog.files().stream()
                        .allMatch(file -> workers.stream()
                                .filter(worker -> worker.takes(file))
                                .allMatch(worker -> worker.transfer(file)
                                        .filter(its -> its.sentMs() > 0)
                                        .isPresent()));
    }

    private void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setUncaughtExceptionHandler((ended, cause) -> fatal = cause);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    // ---- Finished logs

    /** Finds finished logs and reads new ones; returns whether the directory could be read. */
    private boolean look(BooleanSupplier isStopped) {
        try {
            List<LogFile> files = logs.look();
            files.forEach(facts::recall);
            publish(files);
            String unreadable = readNew(files, isStopped);
            facts.forgetBut(files.stream().map(LogFile::name).collect(Collectors.toSet()));
            if (unreadable.isEmpty()) {
                problems.resolved("the logs can be read again");
            } else {
                problems.report(unreadable);
            }
            return true;
        } catch (IOException | RuntimeException e) {
            problems.report("the logs in " + settings.logDirectory() + " cannot be read: " + e.getMessage());
            return false;
        }
    }

    /** Reads new logs until stopped and publishes each; returns the problem of the first unreadable one, or "". */
    private String readNew(List<LogFile> files, BooleanSupplier isStopped) {
        for (LogFile file : backlog.unread()) {
            if (isStopped.getAsBoolean() || !permission.problem().isEmpty()) {
                break;
            }
            if (facts.isDue(file, System.nanoTime())) {
                read(file);
                if (isPublishingDue()) {
                    publish(files);
                }
            }
        }
        publish(files);
        return backlog.unread().stream()
                .filter(file -> !facts.problem(file).isEmpty())
                .map(file -> file.name() + " is not sent: " + facts.problem(file))
                .findFirst()
                .orElse("");
    }

    private void read(LogFile file) {
        try {
            facts.read(file, logs.path(file));
        } catch (NoSuchFileException e) {
            LOG.info("{} is gone before it was sent", file.name());
        }
    }

    private void publish(List<LogFile> files) {
        long beganNs = System.nanoTime();
        Backlog now = assembler.of(files);
        if (!now.equals(backlog)) {
            backlog = now;
            workers.forEach(worker -> worker.offer(now));
        }
        hasLooked = true;
        publishedNs = System.nanoTime();
        publishingNs = publishedNs - beganNs;
    }

    /** Publishing very many logs takes long, so it is not due after each log that was read. */
    private boolean isPublishingDue() {
        return System.nanoTime() - publishedNs >= PUBLISHING_SHARE * publishingNs;
    }

    // ---- Watching

    private void watchOn() {
        try {
            while (!ended) {
                Thread.sleep(WATCH_MS);
                watch();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch() {
        try {
            boolean isSending =
                    workers.stream().anyMatch(worker -> worker.snapshot().state() == TargetWorker.State.SENDING);
            if (isSending || rounds++ % CALM_ROUNDS == 0) {
                permission.look();
            }
            workers.forEach(TargetWorker::lookAtNetwork);
            if (hasLooked) {
                report.write(backlog, System.nanoTime());
            }
            reportProblems.resolved("the state can be written again");
        } catch (ClosedByInterruptException e) {
            Thread.currentThread().interrupt(); // the end, which writes it once more
        } catch (IOException | RuntimeException e) {
            reportProblems.report(
                    "the state in " + settings.stateDirectory() + " cannot be written: " + e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        workers.forEach(TargetWorker::stop);
        ended = true;
        threads.forEach(Thread::interrupt);
        try {
            long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MS);
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        watch();
        lock.release();
        lockFile.close();
    }
}
