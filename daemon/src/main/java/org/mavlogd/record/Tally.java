package org.mavlogd.record;

import org.mavlogd.metrics.Counter;
import org.mavlogd.store.Obstacle;

/** Counts one recording, and at the same time the feed's totals. */
final class Tally {
    private final RecordCounters totals;
    private long chunks;
    private long storedBytes;
    private long storedMessages;
    private long localBytes;
    private long localMessages;
    private long linkLostChunks;
    private long vehicleLostChunks;
    private long ringLostChunks;
    private long restartLostChunks;
    private long lateChunks;
    private long discardedBytes;
    private long diskLostBytes;
    private long spaceLostBytes;
    private long limitLostBytes;
    private long dropouts;
    private long dropoutMs;
    private long droppedMessages;

    Tally(RecordCounters totals) {
        this.totals = totals;
    }

    void chunk() {
        chunks++;
        totals.chunks.increment();
    }

    void stored(int bytes) {
        storedBytes += bytes;
        storedMessages++;
        totals.storedBytes.add(bytes);
        totals.storedMessages.increment();
    }

    /** A message of this computer's own: in the log's figures, not in those of the link. */
    void storedLocal(int bytes) {
        localBytes += bytes;
        localMessages++;
    }

    /**
     * Shares missing chunks out among the causes: the ring knows exactly, then the link's missing frames count, and what no
     * missing frame explains was never sent.
     */
    void gap(ReorderWindow.Gap gap, boolean linkIsTold) {
        int ring = Math.min(gap.chunks(), gap.ringDropped());
        int rest = gap.chunks() - ring;
        int link = linkIsTold ? Math.min(rest, gap.linkMissing()) : rest;
        int vehicle = rest - link;
        ringLostChunks += ring;
        linkLostChunks += link;
        vehicleLostChunks += vehicle;
        totals.ringLostChunks.add(ring);
        totals.linkLostChunks.add(link);
        totals.vehicleLostChunks.add(vehicle);
    }

    /** So many chunks came while this program did not run. */
    void restartGap(long lostChunks) {
        restartLostChunks += lostChunks;
        totals.restartLostChunks.add(lostChunks);
    }

    void late() {
        lateChunks++;
        totals.lateChunks.increment();
    }

    void partial(int bytes) {
        discarded(totals.partialBytes, bytes);
    }

    void orphan(int bytes) {
        discarded(totals.orphanBytes, bytes);
    }

    void contradiction() {
        totals.contradictions.increment();
    }

    void diskLost(long bytes) {
        diskLostBytes += bytes;
        totals.diskLostBytes.add(bytes);
    }

    /** Bytes that came while there was no file. */
    void lost(Obstacle cause, long bytes) {
        switch (cause) {
            case NONE -> diskLost(bytes);
            case NO_SPACE -> {
                spaceLostBytes += bytes;
                totals.spaceLostBytes.add(bytes);
            }
            case TOO_MANY_FILES -> {
                limitLostBytes += bytes;
                totals.limitLostBytes.add(bytes);
            }
        }
    }

    void refusedFile() {
        totals.refusedFiles.increment();
    }

    void diskFailure() {
        totals.diskFailures.increment();
    }

    /** A file began with a head of this length. */
    void file(long headBytes) {
        totals.files.increment();
        storedBytes += headBytes;
        totals.storedBytes.add(headBytes);
    }

    void rotation() {
        totals.rotations.increment();
    }

    void dropout(long durationMs) {
        dropouts++;
        dropoutMs += durationMs;
        totals.dropouts.increment();
        totals.dropoutMs.add(durationMs);
    }

    /** The vehicle dropped so many messages itself, as it says. */
    void droppedMessages(long count) {
        droppedMessages += count;
        totals.droppedMessages.add(count);
    }

    long droppedMessages() {
        return droppedMessages;
    }

    private void discarded(Counter counter, int bytes) {
        discardedBytes += bytes;
        counter.add(bytes);
    }

    RecordingStatus.Figures figures() {
        return new RecordingStatus.Figures(
                storedBytes + localBytes,
                storedMessages + localMessages,
                chunks,
                linkLostChunks,
                vehicleLostChunks,
                ringLostChunks,
                restartLostChunks,
                lateChunks,
                discardedBytes,
                diskLostBytes,
                spaceLostBytes,
                limitLostBytes,
                dropouts,
                dropoutMs,
                localBytes,
                droppedMessages);
    }
}
