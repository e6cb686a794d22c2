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
import org.mavlogd.text.Failures;
import org.mavlogd.text.Words;

/**
 * Brings a lake up to date with a folder of logs, several logs at the same time. A log that is refused becomes a row of {@code failures}, and the
 * others continue; a failure to write the lake ends the build.
 */
final class LakeBuild implements Closeable {
    /** What was done; {@code bytes} are those of the converted logs. */
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

    /**
     * Opens the lake, which nobody else may change until {@link #close}.
     *
     * @param library that writes, with its version
     */
    LakeBuild(Path lake, String library, Clock clock) throws IOException {
        this.lake = lake.toAbsolutePath().normalize();
        this.ledger = LakeLedger.open(this.lake);
        this.days = new DayFiles(this.lake);
        this.library = library;
        this.clock = clock;
    }

    /** Converts what is new or changed, with so many threads. */
    Result run(List<SourceLog> logs, int jobs) throws IOException {
        ConcurrentLinkedQueue<SourceLog> queue = new ConcurrentLinkedQueue<>(logs);
        inThreads(jobs, () -> work(queue));
        return new Result(converted.get(), replaced.get(), unchanged.get(), copies.get(), failed.get(), bytes.get());
    }

    /**
     * Merges the small files of days to which nothing was added for so many days.
     *
     * @return how many files are fewer
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

    /** What a thread does. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    /** The first failure stops all. */
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

    /** Waits: a thread that still publishes needs the lake's lock. */
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

    /** Why logs failed, one line each. */
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

    private void work(ConcurrentLinkedQueue<SourceLog> queue) throws IOException {
        try (LogConversion conversion = new LogConversion(library, clock)) {
            for (SourceLog log = queue.poll(); log != null && !isStopping.get(); log = queue.poll()) {
                convert(log, conversion);
            }
        }
    }

    private void convert(SourceLog log, LogConversion conversion) throws IOException {
        boolean isKnown = ledger.entry(log.id())
                .filter(entry -> !entry.sha256().isEmpty())
                .isPresent();
        if (ledger.entry(log.id())
                .filter(entry -> entry.isUnchanged(log.sizeBytes(), log.modifiedMs()))
                .isPresent()) {
            unchanged.incrementAndGet();
            return;
        }
        String sha256 = "";
        try {
            sha256 = log.sha256();
            if (isConverted(log, sha256)) {
                unchanged.incrementAndGet();
                return;
            }
            if (ledger.isCopy(sha256, log.id())) {
                copies.incrementAndGet();
                return;
            }
            publish(conversion.convert(log, sha256, ledger.stage(log.id())));
            (isKnown ? replaced : converted).incrementAndGet();
            bytes.addAndGet(log.sizeBytes());
        } catch (LakeFailure e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            if (isOfLake(e)) {
                throw e;
            }
            ledger.forget(sha256, log.id());
            String reason = e instanceof IOException io ? Failures.text(log.file(), io) : "internal error: " + e;
            LogEntry refused = conversion.fail(log, log.file().toString(), reason, ledger.stage(log.id()));
            publish(LogEntry.refused(refused, ledger.entry(log.id())));
            failed.incrementAndGet();
            problems.add(e instanceof IOException ? reason : log.file() + ": " + reason);
        }
    }

    private boolean isConverted(SourceLog log, String sha256) {
        return ledger.entry(log.id())
                .filter(entry -> entry.isConverted() && entry.sha256().equals(sha256))
                .isPresent();
    }

    /** A full disk is no fault of the log that was being converted. */
    private boolean isOfLake(Exception failure) {
        return failure instanceof FileSystemException system
                && system.getFile() != null
                && Path.of(system.getFile()).startsWith(lake);
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
