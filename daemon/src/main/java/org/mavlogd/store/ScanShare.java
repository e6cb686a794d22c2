package org.mavlogd.store;

/** What one file has of the {@link ScanMemory}. Owned by the keeper's thread. */
final class ScanShare {
    private final ScanMemory memory;
    private long held;

    ScanShare(ScanMemory memory) {
        this.memory = memory;
    }

    /** As {@link ScanMemory#reserve}. */
    boolean reserve(long bytes) {
        boolean granted = memory.reserve(bytes);
        held += granted ? bytes : 0;
        return granted;
    }

    /** From here on only so many bytes are kept. */
    void shrinkTo(long bytes) {
        long unused = Math.max(0, held - bytes);
        memory.release(unused);
        held -= unused;
    }

    /** Nothing is kept any more. */
    void release() {
        shrinkTo(0);
    }
}
