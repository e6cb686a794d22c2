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

/** Leaves out the logs that the lake has, lets the cluster convert the others, and publishes the results. Owned by the driver's main thread. */
final class LakeBuild {
    private final SparkContext context;
    private final Ledger ledger;
    private final Tables tables;
    private final String library;
    private final String job;

    /**
     * A build, which runs once.
     *
     * @param library that writes, with its version
     * @param job names this one; unlike all others
     */
    LakeBuild(SparkContext context, Ledger ledger, Tables tables, String library, String job) {
        this.context = context;
        this.ledger = ledger;
        this.tables = tables;
        this.library = library;
        this.job = job;
    }

    /** Converts what is new or changed. */
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
            // It may have stopped the job.
            publisher.throwFailure();
            throw e;
        }
    }

    /** Large ones first, so that none of them is still at work when all others are done. */
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
