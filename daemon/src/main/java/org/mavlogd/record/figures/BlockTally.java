package org.mavlogd.record.figures;

import org.mavlogd.store.Obstacle;

/** Counts one recording of blocks, and at the same time the feed's totals, where a block counts as a chunk. */
public final class BlockTally {
    private final RecordCounters totals;
    private long blocks;
    private long lost;
    private long late;
    private long putInPlace;
    private boolean hasPutInPlace;
    private long storedBytes;
    private long diskLostBytes;
    private long spaceLostBytes;
    private long limitLostBytes;

    public BlockTally(RecordCounters totals) {
        this.totals = totals;
    }

    public void block() {
        blocks++;
        totals.chunks.increment();
    }

    public void hole(long count) {
        lost += count;
        totals.linkLostChunks.add(count);
    }

    public void late() {
        late++;
        totals.lateChunks.increment();
    }

    /**
     * A late block stands where it belongs: it is not lost after all.
     *
     * @param isOfThisRun whether this run counted it as lost, and not one before
     */
    public void putInPlace(boolean isOfThisRun) {
        putInPlace += isOfThisRun ? 1 : 0;
        hasPutInPlace = true;
        totals.placedChunks.increment();
    }

    /** Whether any late block came to its place. */
    public boolean hasPutInPlace() {
        return hasPutInPlace;
    }

    public void stored(int bytes) {
        storedBytes += bytes;
        totals.storedBytes.add(bytes);
    }

    /** Bytes that came while there was no file, or that a file did not take. */
    public void discarded(Obstacle cause, long bytes) {
        switch (cause) {
            case NONE -> {
                diskLostBytes += bytes;
                totals.diskLostBytes.add(bytes);
            }
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

    public void file() {
        totals.files.increment();
    }

    public void diskFailure() {
        totals.diskFailures.increment();
    }

    public void refusedFile() {
        totals.refusedFiles.increment();
    }

    public RecordingStatus.Figures figures() {
        return new RecordingStatus.Figures(
                storedBytes,
                0,
                blocks,
                lost - putInPlace,
                0,
                0,
                0,
                late,
                0,
                diskLostBytes,
                spaceLostBytes,
                limitLostBytes,
                0,
                0,
                0,
                0);
    }
}
