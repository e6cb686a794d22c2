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
import org.mavlogd.logtools.Progress;
import org.mavlogd.text.Words;

/**
 * Updates a lake from a folder of logs, several logs at the same time. A refused log becomes a row of {@code failures},
 * and the others continue; a failure to write the lake ends the build.
 */
final class LakeBuild implements Closeable {
    /** The counts of a build; {@code bytes} are those of the converted logs. */
    record Result(int converted, int replaced, int unchanged, int copies, int failed, long bytes) {
        String text() {
            return Words.count(converted, "log") + " converted, " + replaced + " replaced, " + unchanged
                    + " unchanged, " + copies + " copies of others" + ", " + failed + " failed";
        }
    }

    /** A failure of the lake itself. */
    private static final class LakeFailure extends IOException {
        private static final long serialVersionUID = 1;

        LakeFailure(IOException cause) {
            super(cause.getMessage(), cause);
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
        this.days = new DayFiles(this.lake);
        this.library = library;
        this.clock = clock;
    }

    /** A directory in the lake for copies of logs; the next build deletes them if this one does not. */
    static Path downloads(Path lake) {
        return lake.resolve(LakeFiles.OWN).resolve("downloads");
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
                    } catch (IOException | RuntimeException e) {
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
            throw new IllegalStateException(e.getCause());
        }
    }

    private void work(LogSource source, ConcurrentLinkedQueue<SourceLog> queue, Done done) throws IOException {
        try (LogConversion conversion = new LogConversion(library, clock)) {
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
        try {
            source.fetch(log);
            String sha256 = log.sha256();
            if (isConverted(log, sha256)) {
                unchanged.incrementAndGet();
            } else if (ledger.claim(sha256, log.id())) {
                convert(log, sha256, conversion);
            } else {
                likelyCopies.add(new Copy(log, sha256));
            }
        } catch (LakeFailure | LogSource.Failure e) {
            throw e;
        } catch (IOException e) {
            refuse(log, e, conversion);
        } finally {
            source.release(log);
        }
    }

    /**
     * Converts or skips likely copies, one after the other: the log with the same bytes may have been refused, or have
     * changed.
     */
    private void workOnCopies(LogSource source) throws IOException {
        if (likelyCopies.isEmpty()) {
            return;
        }
        try (LogConversion conversion = new LogConversion(library, clock)) {
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

    private void convert(SourceLog log, String sha256, LogConversion conversion) throws IOException {
        boolean isKnown = ledger.entry(log.id())
                .filter(entry -> !entry.sha256().isEmpty())
                .isPresent();
        try {
            publish(conversion.convert(log, sha256, ledger.stage(log.id())));
            (isKnown ? replaced : converted).incrementAndGet();
            bytes.addAndGet(log.sizeBytes());
        } catch (LakeFailure e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            ledger.giveUp(sha256, log.id());
            refuse(log, e, conversion);
        }
    }

    private void refuse(SourceLog log, Exception cause, LogConversion conversion) throws IOException {
        if (cause instanceof FileSystemException failure && isOfLake(failure)) {
            throw new LakeFailure(failure);
        }
        String reason = log.reason(cause);
        LogEntry refused = conversion.fail(log, log.place(), reason, ledger.stage(log.id()));
        publish(LogEntry.refused(refused, ledger.entry(log.id())));
        failed.incrementAndGet();
        problems.add(log.place() + ": " + reason);
    }

    private boolean isConverted(SourceLog log, String sha256) {
        return ledger.entry(log.id())
                .filter(entry -> entry.isConverted() && entry.sha256().equals(sha256))
                .isPresent();
    }

    /** Whether a failure is one of the lake, such as a full disk, and not of the log being converted. */
    private boolean isOfLake(FileSystemException failure) {
        return failure.getFile() != null && Path.of(failure.getFile()).startsWith(lake);
    }

    private void publish(LogEntry entry) throws LakeFailure {
        try {
            ledger.publish(entry, days);
        } catch (IOException e) {
            throw new LakeFailure(e);
        }
    }

    @Override
    public void close() throws IOException {
        try (ledger) {
            days.close();
        }
    }
}
