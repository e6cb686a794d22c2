package org.mavlogd.lake.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.mavlogd.lake.LogEntry;

/**
 * Skips the logs in the lake, converts the others on the cluster, and publishes the results. Owned by the driver's main
 * thread.
 */
final class LakeBuild {
    private final SparkContext context;
    private final Ledger ledger;
    private final Tables tables;
    private final String library;
    private final String job;

    /**
     * Creates a build, which runs once.
     *
     * @param library name and version of the writing program
     * @param job unique name of this job
     */
    LakeBuild(SparkContext context, Ledger ledger, Tables tables, String library, String job) {
        this.context = context;
        this.ledger = ledger;
        this.tables = tables;
        this.library = library;
        this.job = job;
    }

    /** Converts new and changed logs. */
    BuildResult run(List<RemoteLog> logs) throws IOException {
        tables.complete(ledger.unfinished());
        ledger.clean();
        Map<String, String> known = ledger.logsBySha256();
        List<RemoteLog> due = due(logs);
        Set<String> arrived = ConcurrentHashMap.newKeySet();
        BuildResult result;
        try (Publisher publisher = new Publisher(ledger, tables, known, context::cancelAllJobs)) {
            ClusterConversion conversion =
                    new ClusterConversion(context, ledger.staging(), library, job, Map.copyOf(known));
            List<RemoteLog> remaining = due;
            while (!remaining.isEmpty()) {
                Optional<ClusterConversion.Lost> lost = convert(conversion, remaining, publisher, arrived);
                if (lost.isPresent()) {
                    publisher.accept(conversion.refuse(lost.get()));
                    arrived.add(lost.get().log().id());
                }
                remaining = remaining.stream()
                        .filter(log -> !arrived.contains(log.id()))
                        .toList();
            }
            publisher.await();
            result = publisher.result(logs.size() - due.size());
        }
        tables.flush();
        ledger.clean();
        return result;
    }

    private static Optional<ClusterConversion.Lost> convert(
            ClusterConversion conversion, List<RemoteLog> logs, Publisher publisher, Set<String> arrived)
            throws IOException {
        try {
            return conversion.run(logs, outcome -> {
                publisher.accept(outcome);
                arrived.add(outcome.entry().log());
            });
        } catch (IOException e) {
            // The failure may have stopped the job.
            publisher.throwFailure();
            throw e;
        }
    }

    /** The logs to convert, large ones first, so that none of them is still running when all others are done. */
    private List<RemoteLog> due(List<RemoteLog> logs) {
        List<RemoteLog> due = new ArrayList<>();
        for (RemoteLog log : logs) {
            Optional<LogEntry> entry = ledger.entry(log.id()).filter(LogEntry::isConverted);
            if (!entry.filter(before -> before.isUnchanged(log.sizeBytes(), log.modifiedMs()))
                    .isPresent()) {
                due.add(log.withFormer(entry.map(LogEntry::sha256).orElse("")));
            }
        }
        due.sort(Comparator.comparingLong(RemoteLog::sizeBytes).reversed().thenComparing(RemoteLog::address));
        return due;
    }
}
