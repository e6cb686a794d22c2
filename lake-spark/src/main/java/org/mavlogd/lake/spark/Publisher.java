package org.mavlogd.lake.spark;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.mavlogd.lake.LogEntry;

/**
 * Publishes the results from the cluster, several logs at the same time, because an object store answers each request
 * only after some milliseconds. Results are accepted in one thread at a time.
 */
final class Publisher implements Closeable {
    private static final int THREADS = 16;

    private final Ledger ledger;
    private final Tables tables;
    private final Map<String, String> known;
    private final Runnable stopJob;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicInteger converted = new AtomicInteger();
    private final AtomicInteger replaced = new AtomicInteger();
    private final AtomicInteger unchanged = new AtomicInteger();
    private final AtomicInteger copies = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();

    /**
     * Starts the threads.
     *
     * @param known logs by the SHA-256 of their bytes
     * @param stopJob called if the lake cannot be written
     */
    Publisher(Ledger ledger, Tables tables, Map<String, String> known, Runnable stopJob) {
        this.ledger = ledger;
        this.tables = tables;
        this.known = known;
        this.stopJob = stopJob;
    }

    /** Takes a result; does not wait. */
    void accept(Outcome outcome) {
        LogEntry entry = outcome.entry();
        switch (outcome.kind()) {
            case UNCHANGED -> unchanged.incrementAndGet();
            case COPY -> copies.incrementAndGet();
            case REFUSED -> {
                problems.add(outcome.problem());
                submit(() -> tables.publish(LogEntry.refused(entry, ledger.entry(entry.log())), outcome.staged()));
            }
            case CONVERTED -> {
                if (ledger.isMerged(entry.log())) {
                    problems.add(
                            entry.source() + ": the day of its former rows is merged; mavlogd lake build replaces it");
                    submit(() -> ledger.discard(List.of(outcome.staged())));
                } else if (isOwn(entry)) {
                    boolean isKnown = ledger.entry(entry.log())
                            .filter(before -> !before.sha256().isEmpty())
                            .isPresent();
                    (isKnown ? replaced : converted).incrementAndGet();
                    submit(() -> tables.publish(entry, outcome.staged()));
                } else {
                    copies.incrementAndGet();
                    submit(() -> ledger.discard(List.of(outcome.staged())));
                }
            }
        }
    }

    /** Whether no other log has these bytes: two may have been converted at the same time. */
    private boolean isOwn(LogEntry entry) {
        String owner = known.putIfAbsent(entry.sha256(), entry.log());
        return owner == null || owner.equals(entry.log());
    }

    /** A step that changes the lake. */
    private interface Step {
        void run() throws IOException;
    }

    private void submit(Step step) {
        threads.execute(() -> {
            if (failure.get() != null) {
                return;
            }
            try {
                step.run();
            } catch (Exception | Error e) {
                // Scala does not declare its exceptions.
                if (failure.compareAndSet(null, e)) {
                    stopJob.run();
                }
            }
        });
    }

    /** Waits until everything accepted is published. */
    void await() throws IOException {
        threads.shutdown();
        try {
            while (!threads.awaitTermination(1, TimeUnit.HOURS)) {
                // a slow store
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        throwFailure();
    }

    /** Throws if the lake could not be written. */
    void throwFailure() throws IOException {
        Throwable first = failure.get();
        if (first != null) {
            throw new IOException(first.getMessage(), first);
        }
    }

    /** The counts so far. */
    BuildResult result(int untouched) {
        return new BuildResult(
                converted.get(),
                replaced.get(),
                unchanged.get() + untouched,
                copies.get(),
                problems.stream().sorted().toList());
    }

    /** Ends the threads; waiting results are not published, and the next job converts them again. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
