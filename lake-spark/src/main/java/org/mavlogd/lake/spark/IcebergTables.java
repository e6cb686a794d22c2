package org.mavlogd.lake.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.SparkSession;
import org.mavlogd.lake.LogEntry;

/**
 * The tables of an Iceberg catalogue. Staged files of many logs are appended together, so that the tables get few
 * files. When rows are replaced, those of the table {@code logs} are deleted first and added last. A batch of a job
 * that died is deleted from the tables and appended again.
 */
final class IcebergTables implements Tables {
    private static final String LOGS = "logs";
    private static final String FAILURES = "failures";
    private static final int BATCH_LOGS = 500;
    private static final int THREADS = 8;

    private final Ledger ledger;
    private final IcebergAppend append;
    private final Map<String, LogEntry> waiting = new TreeMap<>();

    /**
     * Creates the namespace if needed.
     *
     * @param namespace with the name of the catalogue: NAME.NAMESPACE
     */
    IcebergTables(SparkSession session, String namespace, Ledger ledger) {
        this.ledger = ledger;
        this.append = new IcebergAppend(session, namespace);
    }

    @Override
    public void complete(Map<String, LogEntry> unfinished) throws IOException {
        append(unfinished, true);
    }

    @Override
    public synchronized void publish(LogEntry entry, String staged) throws IOException {
        waiting.put(staged, entry);
        if (waiting.size() >= BATCH_LOGS) {
            flush();
        }
    }

    @Override
    public synchronized void flush() throws IOException {
        for (Map.Entry<String, LogEntry> log : waiting.entrySet()) {
            ledger.begin(log.getValue(), log.getKey());
        }
        append(waiting, false);
        waiting.clear();
    }

    /** @param isRepeated whether rows of these logs may be in the tables already */
    private void append(Map<String, LogEntry> batch, boolean isRepeated) throws IOException {
        Map<String, Set<String>> former = new TreeMap<>();
        Map<String, List<String>> files = new TreeMap<>();
        for (Map.Entry<String, LogEntry> log : batch.entrySet()) {
            LogEntry entry = log.getValue();
            Optional<LogEntry> before = ledger.entry(entry.log());
            Set<String> doubtful = new TreeSet<>();
            if (entry.isConverted()) {
                before.ifPresent(old -> old.files().forEach(file -> doubtful.add(table(file))));
            }
            for (String file : entry.files()) {
                String table = table(file);
                if (entry.isConverted() || table.equals(FAILURES)) {
                    files.computeIfAbsent(table, none -> new ArrayList<>())
                            .add(ledger.staged(log.getKey()) + "/" + file);
                    if (isRepeated || before.isPresent()) {
                        doubtful.add(table);
                    }
                }
            }
            doubtful.forEach(table ->
                    former.computeIfAbsent(table, none -> new TreeSet<>()).add(entry.log()));
        }
        carryOut(former, files);
        for (Map.Entry<String, LogEntry> log : batch.entrySet()) {
            ledger.finish(log.getValue(), log.getKey());
        }
    }

    private void carryOut(Map<String, Set<String>> former, Map<String, List<String>> files) throws IOException {
        delete(LOGS, former);
        inParallel(former.keySet(), table -> delete(table, former));
        Map<String, String> schemas =
                append.schemas(files.values().stream().flatMap(List::stream).toList());
        inParallel(files.keySet(), table -> append.append(table, files.getOrDefault(table, List.of()), schemas));
        append.append(LOGS, files.getOrDefault(LOGS, List.of()), schemas);
    }

    /** A step for one table. */
    private interface Step {
        void run(String table) throws IOException;
    }

    /** Runs a step for all tables except logs in parallel. A commit to a catalogue mostly waits. */
    private static void inParallel(Set<String> tables, Step step) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> steps = new ArrayList<>();
            for (String table : tables) {
                if (!table.equals(LOGS)) {
                    steps.add(threads.submit(() -> {
                        step.run(table);
                        return true;
                    }));
                }
            }
            for (Future<?> each : steps) {
                each.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void delete(String table, Map<String, Set<String>> former) {
        Set<String> logs = former.getOrDefault(table, Set.of());
        if (!logs.isEmpty()) {
            append.delete(table, logs);
        }
    }

    /** The table of a file at {@code topics/TOPIC/...} or {@code TABLE/...}. */
    private static String table(String file) {
        String[] parts = file.split("/", 3);
        return parts[0].equals("topics") ? "topic_" + parts[1] : parts[0];
    }
}
