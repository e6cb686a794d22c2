package org.mavlogd.record.figures;

import org.mavlogd.metrics.Counter;
import org.mavlogd.record.order.ReorderWindow;
import org.mavlogd.store.LogStore;

/** Counts one recording, and at the same time the feed's totals. In a log of blocks a block counts as a chunk. */
public final class Tally {
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
    private boolean hasPutInPlace;

    public Tally(RecordCounters totals) {
        this.totals = totals;
    }

    public void chunk() {
        chunks++;
        totals.chunks.increment();
    }

    public void stored(int bytes) {
        storedBytes += bytes;
        storedMessages++;
        totals.storedBytes.add(bytes);
        totals.storedMessages.increment();
    }

    /** Of a file that does not divide into messages. */
    public void storedBlock(int bytes) {
        storedBytes += bytes;
        totals.storedBytes.add(bytes);
    }

    /** A message of this computer's own: in the log's figures, not in those of the link. */
    public void storedLocal(int bytes) {
        localBytes += bytes;
        localMessages++;
    }

    /**
     * Shares missing chunks out among the causes: the ring knows exactly, then the link's missing frames count, and what no
     * missing frame explains was never sent.
     */
    public void gap(ReorderWindow.Gap gap, boolean linkIsTold) {
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
    public void restartGap(long lostChunks) {
        restartLostChunks += lostChunks;
        totals.restartLostChunks.add(lostChunks);
    }

    /** So many blocks did not come. */
    public void hole(long count) {
        linkLostChunks += count;
        totals.linkLostChunks.add(count);
    }

    public void late() {
        lateChunks++;
        totals.lateChunks.increment();
    }

    /**
     * A late block stands where it belongs: it is not lost after all.
     *
     * @param isOfThisRun whether this run counted it as lost, and not one before
     */
    public void putInPlace(boolean isOfThisRun) {
        linkLostChunks -= isOfThisRun ? 1 : 0;
        hasPutInPlace = true;
        totals.placedChunks.increment();
    }

    /** Whether any late block came to its place. */
    public boolean hasPutInPlace() {
        return hasPutInPlace;
    }

    public void partial(int bytes) {
        discarded(totals.partialBytes, bytes);
    }

    public void orphan(int bytes) {
        discarded(totals.orphanBytes, bytes);
    }

    /** So many bytes of a log of blocks are in no intact record. */
    public void damaged(long bytes) {
        discarded(totals.damagedBytes, bytes);
    }

    /** Bytes that no file took. */
    public long lostBytes() {
        return diskLostBytes + spaceLostBytes + limitLostBytes;
    }

    public void contradiction() {
        totals.contradictions.increment();
    }

    public void diskLost(long bytes) {
        diskLostBytes += bytes;
        totals.diskLostBytes.add(bytes);
    }

    /** Bytes that came while there was no file, or that a file did not take. */
    public void lost(LogStore.Obstacle cause, long bytes) {
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

    public void refusedFile() {
        totals.refusedFiles.increment();
    }

    public void diskFailure() {
        totals.diskFailures.increment();
    }

    /** A file began with a head of this length. */
    public void file(long headBytes) {
        totals.files.increment();
        storedBytes += headBytes;
        totals.storedBytes.add(headBytes);
    }

    public void rotation() {
        totals.rotations.increment();
    }

    public void dropout(long durationMs) {
        dropouts++;
        dropoutMs += durationMs;
        totals.dropouts.increment();
        totals.dropoutMs.add(durationMs);
    }

    /** The vehicle dropped so many messages itself, as it says. */
    public void droppedMessages(long count) {
        droppedMessages += count;
        totals.droppedMessages.add(count);
    }

    public long droppedMessages() {
        return droppedMessages;
    }

    private void discarded(Counter counter, long bytes) {
        discardedBytes += bytes;
        counter.add(bytes);
    }

    public RecordingStatus.Figures figures() {
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
