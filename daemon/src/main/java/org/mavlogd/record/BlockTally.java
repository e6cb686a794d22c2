package org.mavlogd.record;

import org.mavlogd.store.Obstacle;

/** Counts one recording of blocks, and at the same time the feed's totals, where a block counts as a chunk. */
final class BlockTally {
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

    BlockTally(RecordCounters totals) {
        this.totals = totals;
    }

    void block() {
        blocks++;
        totals.chunks.increment();
    }

    void hole(long count) {
        lost += count;
        totals.linkLostChunks.add(count);
    }

    void late() {
        late++;
        totals.lateChunks.increment();
    }

    /**
     * A late block stands where it belongs: it is not lost after all.
     *
     * @param isOfThisRun whether this run counted it as lost, and not one before
     */
    void putInPlace(boolean isOfThisRun) {
        putInPlace += isOfThisRun ? 1 : 0;
        hasPutInPlace = true;
        totals.placedChunks.increment();
    }

    /** Whether any late block came to its place. */
    boolean hasPutInPlace() {
        return hasPutInPlace;
    }

    void stored(int bytes) {
        storedBytes += bytes;
        totals.storedBytes.add(bytes);
    }

    /** Bytes that came while there was no file, or that a file did not take. */
    void discarded(Obstacle cause, long bytes) {
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

    void file() {
        totals.files.increment();
    }

    void diskFailure() {
        totals.diskFailures.increment();
    }

    void refusedFile() {
        totals.refusedFiles.increment();
    }

    RecordingStatus.Figures figures() {
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
