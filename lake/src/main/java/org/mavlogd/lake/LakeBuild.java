package org.mavlogd.lake;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.mavlogd.contain.Uncontainable;
import org.mavlogd.logtools.Progress;
import org.mavlogd.text.Words;

/**
 * Updates a lake from a folder of logs, several logs at the same time. A log that is refused, or whose conversion fails
 * by an internal error, becomes a row of {@code failures}, and the others continue. The build ends if its source fails,
 * if the lake cannot be written, and by {@link Uncontainable} errors.
 */
final class LakeBuild implements Closeable {
    /** The counts of a build; {@code bytes} are those of the converted logs. */
    record Result(int converted, int replaced, int unchanged, int copies, int failed, long bytes) {
        String text() {
            return Words.count(converted, "log") + " converted, " + replaced + " replaced, " + unchanged
                    + " unchanged, " + copies + " copies of others" + ", " + failed + " failed";
        }
    }

    /** Reports the progress of a build. */
    private static final class Done {
        private final Progress progress;
        private final long totalBytes;
        private long doneBytes;

        Done(Progress progress, long totalBytes) {
            this.progress = progress;
            this.totalBytes = totalBytes;
        }

        synchronized void add(SourceLog log) {
            doneBytes += log.sizeBytes();
            progress.onProgress(doneBytes, totalBytes);
        }
    }

    /** A log with the bytes of another. */
    private record Copy(SourceLog log, String sha256) {}

    private final Path lake;
    private final LakeLedger ledger;
    // Used while publishing, by one thread at a time.
    private final DayFiles days;
    private final String library;
    private final Clock clock;
    private final AtomicBoolean isStopping = new AtomicBoolean();
    private final AtomicInteger converted = new AtomicInteger();
    private final AtomicInteger replaced = new AtomicInteger();
    private final AtomicInteger unchanged = new AtomicInteger();
    private final AtomicInteger copies = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();
    // Logs with the same bytes as another one: whether that stays in the lake is known when all others are done.
    private final ConcurrentLinkedQueue<Copy> likelyCopies = new ConcurrentLinkedQueue<>();

    /**
     * Opens the lake and locks it against other changes until {@link #close}.
     *
     * @param library name and version of the writing program
     */
    LakeBuild(Path lake, String library, Clock clock) throws IOException {
        this.lake = lake.toAbsolutePath().normalize();
        this.ledger = LakeLedger.open(this.lake);
        LakeFiles.deleteAll(downloads(this.lake));
        LakeFiles.deleteAll(spill(this.lake));
        this.days = new DayFiles(this.lake);
        this.library = library;
        this.clock = clock;
    }

    /** A directory in the lake for copies of logs; the next build deletes them if this one does not. */
    static Path downloads(Path lake) {
        return lake.resolve(LakeFiles.OWN).resolve("downloads");
    }

    /** A directory in the lake for rows that do not fit in memory; the next build empties it if this one does not. */
    static Path spill(Path lake) {
        return lake.resolve(LakeFiles.OWN).resolve("spill");
    }

    /** Converts the new and changed logs of a source with {@code jobs} threads. */
    Result run(LogSource source, List<SourceLog> logs, int jobs, Progress progress) throws IOException {
        Done done =
                new Done(progress, logs.stream().mapToLong(SourceLog::sizeBytes).sum());
        ConcurrentLinkedQueue<SourceLog> queue = new ConcurrentLinkedQueue<>(logs);
        inThreads(jobs, () -> work(source, queue, done));
        inThreads(1, () -> workOnCopies(source));
        return new Result(converted.get(), replaced.get(), unchanged.get(), copies.get(), failed.get(), bytes.get());
    }

    /**
     * Merges the small files of days that have not changed for {@code quietDays} days.
     *
     * @return number of files saved
     */
    int compact(int quietDays, int jobs) throws IOException {
        LakeCompaction compaction = new LakeCompaction(lake, ledger, clock, quietDays);
        AtomicInteger fewer = new AtomicInteger();
        for (boolean ofLogs : new boolean[] {false, true}) {
            ConcurrentLinkedQueue<LakeCompaction.Day> queue = new ConcurrentLinkedQueue<>(compaction.days(ofLogs));
            inThreads(Math.max(1, Math.min(jobs, queue.size())), () -> compact(compaction, queue, fewer));
        }
        return fewer.get();
    }

    private void compact(
            LakeCompaction compaction, ConcurrentLinkedQueue<LakeCompaction.Day> queue, AtomicInteger fewer)
            throws IOException {
        if (queue.isEmpty()) {
            return;
        }
        try (DayFiles files = new DayFiles(lake)) {
            for (LakeCompaction.Day day = queue.poll(); day != null && !isStopping.get(); day = queue.poll()) {
                Optional<LakeCompaction.Merge> merge = compaction.merge(day, files);
                if (merge.isPresent()) {
                    ledger.publish(merge.get().change());
                    fewer.addAndGet(merge.get().fewerFiles());
                }
            }
        }
    }

    /** The work of a thread. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    /** Runs the work in threads; the first failure stops all. */
    private void inThreads(int jobs, Work work) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        isStopping.set(false);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < jobs; i++) {
                workers.add(threads.submit(() -> {
                    try {
                        work.run();
                    } catch (Throwable e) {
                        isStopping.set(true);
                        throw e;
                    }
                    return true;
                }));
            }
            for (Future<?> worker : workers) {
                await(worker);
            }
        } finally {
            isStopping.set(true);
            end(threads);
        }
    }

    /** Waits for the threads: one that still publishes needs the lake's lock. */
    private static void end(ExecutorService threads) {
        threads.shutdown();
        boolean isInterrupted = Thread.interrupted();
        while (!threads.isTerminated()) {
            try {
                threads.awaitTermination(1, TimeUnit.HOURS);
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The reasons for failed logs, one line each. */
    List<String> problems() {
        return problems.stream().sorted().toList();
    }

    private static void await(Future<?> worker) throws IOException {
        try {
            worker.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private void work(LogSource source, ConcurrentLinkedQueue<SourceLog> queue, Done done) throws IOException {
        try (LogConversion conversion = new LogConversion(library, clock, spill(lake))) {
            for (SourceLog log = queue.poll(); log != null && !isStopping.get(); log = queue.poll()) {
                if (isUnchanged(log)) {
                    unchanged.incrementAndGet();
                } else {
                    read(source, log, conversion);
                }
                done.add(log);
            }
        }
    }

    private boolean isUnchanged(SourceLog log) {
        return ledger.entry(log.id())
                .filter(entry -> entry.isUnchanged(log.sizeBytes(), log.modifiedMs()))
                .isPresent();
    }

    private void read(LogSource source, SourceLog log, LogConversion conversion) throws IOException {
        Optional<LogEntry> entry;
        try {
            source.fetch(log);
            entry = convert(log, log.sha256(), conversion);
        } catch (Throwable e) {
            if (endsBuild(e)) {
                throw e;
            }
            refuse(log, e, conversion);
            return;
        } finally {
            source.release(log);
        }
        if (entry.isPresent()) {
            boolean isKnown = ledger.entry(log.id())
                    .filter(before -> !before.sha256().isEmpty())
                    .isPresent();
            ledger.publish(entry.get(), days);
            (isKnown ? replaced : converted).incrementAndGet();
            bytes.addAndGet(log.sizeBytes());
        }
    }

    /** Whether the cause is not the log being converted, but its source, the lake (such as a full disk) or Java. */
    private boolean endsBuild(Throwable error) {
        return error instanceof LogSource.Failure
                || Uncontainable.is(error)
                || (error instanceof FileSystemException failure
                        && failure.getFile() != null
                        && Path.of(failure.getFile()).startsWith(lake));
    }

    /**
     * Converts or skips likely copies, one after the other: the log with the same bytes may have been refused, or have
     * changed.
     */
    private void workOnCopies(LogSource source) throws IOException {
        if (likelyCopies.isEmpty()) {
            return;
        }
        try (LogConversion conversion = new LogConversion(library, clock, spill(lake))) {
            for (Copy copy = likelyCopies.poll(); copy != null && !isStopping.get(); copy = likelyCopies.poll()) {
                if (ledger.claim(copy.sha256(), copy.log().id())) {
                    ledger.giveUp(copy.sha256(), copy.log().id());
                    read(source, copy.log(), conversion);
                } else {
                    copies.incrementAndGet();
                }
            }
        }
    }

    /** Creates the files of a log, unless the lake has its rows. */
    private Optional<LogEntry> convert(SourceLog log, String sha256, LogConversion conversion) throws IOException {
        if (isConverted(log, sha256)) {
            unchanged.incrementAndGet();
            return Optional.empty();
        }
        if (!ledger.claim(sha256, log.id())) {
            likelyCopies.add(new Copy(log, sha256));
            return Optional.empty();
        }
        boolean isDone = false;
        try {
            LogEntry entry = conversion.convert(log, sha256, ledger.stage(log.id()));
            isDone = true;
            return Optional.of(entry);
        } finally {
            if (!isDone) {
                ledger.giveUp(sha256, log.id());
            }
        }
    }

    private void refuse(SourceLog log, Throwable cause, LogConversion conversion) throws IOException {
        String reason = log.reason(cause);
        LogEntry refused = conversion.fail(log, log.place(), reason, ledger.stage(log.id()));
        ledger.publish(LogEntry.refused(refused, ledger.entry(log.id())), days);
        failed.incrementAndGet();
        problems.add(log.place() + ": " + reason);
    }

    private boolean isConverted(SourceLog log, String sha256) {
        return ledger.entry(log.id())
                .filter(entry -> entry.isConverted() && entry.sha256().equals(sha256))
                .isPresent();
    }

    @Override
    public void close() throws IOException {
        try (ledger) {
            days.close();
        }
    }
}
