package org.mavlogd.record.figures;

import org.mavlogd.metrics.Counter;
import org.mavlogd.record.order.ReorderWindow;
import org.mavlogd.store.LogStore;
import org.mavlogd.text.Words;

/** Counts one recording, and adds to the totals of its feed. In a log of blocks a block counts as a chunk. */
public final class Tally {
    private final RecordCounters totals;
    private long chunks;
    private long storedBytes;
    private long earlierBytes;
    private int files;
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

    /** Counts bytes of so many messages. */
    public void stored(int bytes, int messages) {
        storedBytes += bytes;
        storedMessages += messages;
        totals.storedBytes.add(bytes);
        totals.storedMessages.add(messages);
    }

    /** Counts bytes of a file that is not divided into messages. */
    public void storedBlock(int bytes) {
        storedBytes += bytes;
        totals.storedBytes.add(bytes);
    }

    /** Counts a message of this computer: in the log's figures, not in those of the link. */
    public void storedLocal(int bytes) {
        localBytes += bytes;
        localMessages++;
    }

    /**
     * Divides missing chunks by cause: first those that the ring refused, then those that the link lost by its missing
     * frames; the rest was never sent.
     */
    public void gap(ReorderWindow.Gap gap) {
        int ring = Math.min(gap.chunks(), gap.ringDropped());
        int rest = gap.chunks() - ring;
        int link = gap.isLinkTold() ? Math.min(rest, gap.linkMissing()) : rest;
        int vehicle = rest - link;
        ringLostChunks += ring;
        linkLostChunks += link;
        vehicleLostChunks += vehicle;
        totals.ringLostChunks.add(ring);
        totals.linkLostChunks.add(link);
        totals.vehicleLostChunks.add(vehicle);
    }

    /** Counts chunks that were lost while this program did not run. */
    public void restartGap(long lostChunks) {
        restartLostChunks += lostChunks;
        totals.restartLostChunks.add(lostChunks);
    }

    /** Counts blocks that did not come. */
    public void hole(long count) {
        linkLostChunks += count;
        totals.linkLostChunks.add(count);
    }

    public void late() {
        lateChunks++;
        totals.lateChunks.increment();
    }

    /**
     * Counts a late block that is stored at its place: it is not lost after all.
     *
     * @param isOfThisRun whether this run, not an earlier one, counted it as lost
     */
    public void putInPlace(boolean isOfThisRun) {
        linkLostChunks -= isOfThisRun ? 1 : 0;
        hasPutInPlace = true;
        totals.placedChunks.increment();
    }

    /** Whether any late block was stored at its place. */
    public boolean hasPutInPlace() {
        return hasPutInPlace;
    }

    public void partial(int bytes) {
        discarded(totals.partialBytes, bytes);
    }

    public void orphan(int bytes) {
        discarded(totals.orphanBytes, bytes);
    }

    /** Counts bytes of a log of blocks that are in no intact record. */
    public void damaged(long bytes) {
        discarded(totals.damagedBytes, bytes);
    }

    /** All lost bytes. */
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

    /** Counts bytes that came while there was no file, or that a file did not take. */
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

    /** Counts a file that an earlier run began: in the log's figures, because the totals are those of this run. */
    public void resumed(long bytes) {
        files++;
        earlierBytes += bytes;
    }

    /** Counts a new file with a head of this length. */
    public void file(long headBytes) {
        files++;
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

    /** Counts messages that the vehicle reports as dropped. */
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

    /**
     * The files of the log, their bytes, and those that no file took, for messages.
     *
     * @param last the name of the last file; empty if there was none
     */
    public String filesText(String last) {
        String earlier = files > 1 ? " and " + Words.count(files - 1, "earlier file") : "";
        String names = last.isEmpty() ? "no file" : last + earlier;
        String lost = lostBytes() > 0 ? ", " + lostBytes() + " bytes not stored" : "";
        return names + ", " + figures().storedBytes() + " bytes" + lost;
    }

    /** What is missing in the log, for messages. */
    public String lossesText() {
        RecordingStatus.Figures all = figures();
        return Words.count(all.lostChunks(), "chunk") + " lost, " + Words.count(dropouts, "dropout") + " of "
                + dropoutMs + " ms";
    }

    public RecordingStatus.Figures figures() {
        return new RecordingStatus.Figures(
                earlierBytes + storedBytes + localBytes,
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
