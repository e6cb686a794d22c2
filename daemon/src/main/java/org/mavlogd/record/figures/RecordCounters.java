package org.mavlogd.record.figures;

import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/** Counters of the recorder for one feed. Written by the recorder's thread. */
public final class RecordCounters {
    final Counter chunks;
    final Counter storedBytes;
    final Counter storedMessages;
    final Counter linkLostChunks;
    final Counter vehicleLostChunks;
    final Counter ringLostChunks;
    final Counter restartLostChunks;
    final Counter lateChunks;
    final Counter placedChunks;
    final Counter partialBytes;
    final Counter orphanBytes;
    final Counter damagedBytes;
    final Counter diskLostBytes;
    final Counter spaceLostBytes;
    final Counter limitLostBytes;
    final Counter contradictions;
    final Counter droppedMessages;
    final Counter dropouts;
    final Counter dropoutMs;
    final Counter files;
    final Counter rotations;
    final Counter diskFailures;
    final Counter refusedFiles;
    public final ContainedPart mapping;
    public final ContainedPart advice;
    public final ContainedPart clocks;

    public RecordCounters(Metrics metrics, String link) {
        chunks = metrics.counter("record.chunks", "Log chunks recorded in order", "link", link);
        storedBytes = metrics.counter("record.stored.bytes", "Bytes handed to log files", "link", link);
        storedMessages = metrics.counter("record.stored.messages", "ULog messages handed to log files", "link", link);
        linkLostChunks = lostChunks(metrics, link, "link");
        vehicleLostChunks = lostChunks(metrics, link, "vehicle");
        ringLostChunks = lostChunks(metrics, link, "ring");
        restartLostChunks = lostChunks(metrics, link, "restart");
        lateChunks = metrics.counter(
                "record.late.chunks", "Chunks that came after they had been counted as lost", "link", link);
        placedChunks = metrics.counter(
                "record.placed.chunks",
                "Late log blocks put in their places; they were counted as lost before",
                "link",
                link);
        partialBytes = discarded(metrics, link, "gap");
        orphanBytes = discarded(metrics, link, "unsubscribed");
        damagedBytes = discarded(metrics, link, "damage");
        diskLostBytes = discarded(metrics, link, "disk");
        spaceLostBytes = discarded(metrics, link, "space");
        limitLostBytes = discarded(metrics, link, "file_limit");
        contradictions = metrics.counter(
                "record.contradictions", "Chunks whose first message offset contradicted the messages", "link", link);
        droppedMessages = metrics.counter(
                "record.vehicle.dropped.messages",
                "Log messages that an ArduPilot dropped itself, by its DMS records",
                "link",
                link);
        dropouts = metrics.counter("record.dropouts", "Gaps marked in logs", "link", link);
        dropoutMs = metrics.milliseconds("record.dropout.seconds", "Length of marked gaps", "link", link);
        files = metrics.counter("record.files", "Log files started", "link", link);
        refusedFiles = metrics.counter(
                "record.refused.files",
                "Times that a new file had to wait because the vehicle had too many in a minute",
                "link",
                link);
        mapping = metrics.part("mapping." + link, Recovery.CONTINUES);
        advice = metrics.part("advice." + link, Recovery.PAUSES);
        clocks = metrics.part("clock.recorder." + link, Recovery.CONTINUES);
        rotations = metrics.counter("record.rotations", "Logs that continued in a new file", "link", link);
        diskFailures =
                metrics.counter("record.disk.failures", "Files that could not be created or written", "link", link);
    }

    private static Counter lostChunks(Metrics metrics, String link, String cause) {
        return metrics.counter("record.lost.chunks", "Log chunks that were lost", "link", link, "cause", cause);
    }

    private static Counter discarded(Metrics metrics, String link, String cause) {
        return metrics.counter(
                "record.discarded.bytes", "Received bytes that could not be stored", "link", link, "cause", cause);
    }
}
