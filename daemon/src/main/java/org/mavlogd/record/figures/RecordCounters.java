package org.mavlogd.record.figures;

import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/** What the recorder counts for one feed. Written by the recorder's thread. */
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

    public RecordCounters(Metrics metrics, String feed) {
        chunks = metrics.counter("record.chunks", "Log chunks taken in order", "feed", feed);
        storedBytes = metrics.counter("record.stored.bytes", "Bytes handed to log files", "feed", feed);
        storedMessages = metrics.counter("record.stored.messages", "ULog messages handed to log files", "feed", feed);
        linkLostChunks = lostChunks(metrics, feed, "link");
        vehicleLostChunks = lostChunks(metrics, feed, "vehicle");
        ringLostChunks = lostChunks(metrics, feed, "ring");
        restartLostChunks = lostChunks(metrics, feed, "restart");
        lateChunks = metrics.counter(
                "record.late.chunks", "Chunks that came after they had been counted as lost", "feed", feed);
        placedChunks = metrics.counter(
                "record.placed.chunks",
                "Late log blocks that were put in their places: counted as lost before, and not lost",
                "feed",
                feed);
        partialBytes = discarded(metrics, feed, "gap");
        orphanBytes = discarded(metrics, feed, "unsubscribed");
        diskLostBytes = discarded(metrics, feed, "disk");
        spaceLostBytes = discarded(metrics, feed, "space");
        limitLostBytes = discarded(metrics, feed, "file_limit");
        contradictions = metrics.counter(
                "record.contradictions", "Chunks whose first message offset contradicted the messages", "feed", feed);
        droppedMessages = metrics.counter(
                "record.vehicle.dropped.messages",
                "Log messages that an ArduPilot dropped itself, as its DMS records say",
                "feed",
                feed);
        dropouts = metrics.counter("record.dropouts", "Gaps marked in logs", "feed", feed);
        dropoutMs = metrics.counter("record.dropout.ms", "Milliseconds of marked gaps", "feed", feed);
        files = metrics.counter("record.files", "Log files begun", "feed", feed);
        refusedFiles = metrics.counter(
                "record.refused.files",
                "Times that a new file had to wait because the vehicle had too many in a minute",
                "feed",
                feed);
        mapping = metrics.part("mapping." + feed, Recovery.CONTINUES);
        advice = metrics.part("advice." + feed, Recovery.PAUSES);
        clocks = metrics.part("clock.recorder." + feed, Recovery.CONTINUES);
        rotations = metrics.counter("record.rotations", "Logs that went on in a next part", "feed", feed);
        diskFailures = metrics.counter("record.disk.failures", "Files that could not be made or written", "feed", feed);
    }

    private static Counter lostChunks(Metrics metrics, String feed, String cause) {
        return metrics.counter("record.lost.chunks", "Log chunks that never came", "feed", feed, "cause", cause);
    }

    private static Counter discarded(Metrics metrics, String feed, String cause) {
        return metrics.counter(
                "record.discarded.bytes", "Bytes that came and could not be stored", "feed", feed, "cause", cause);
    }
}
