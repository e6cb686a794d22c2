package org.mavlogd.store;

/**
 * The heap that all unfinished logs together may take with what is kept of them: definitions, parameters, subscriptions, names.
 * Asked before anything is kept, so that no file, whatever it holds, ends the recorder. Owned by the keeper's thread.
 */
public interface ScanMemory {
    /** Takes so many bytes; false when there are not so many, and then nothing is to be kept. */
    boolean reserve(long bytes);

    /** Gives back so many bytes. */
    void release(long bytes);

    /** A part of the heap of its own. */
    static ScanMemory of(long limitBytes) {
        return new ScanMemory() {
            private long used;

            @Override
            public boolean reserve(long bytes) {
                if (bytes > limitBytes - used) {
                    return false;
                }
                used += bytes;
                return true;
            }

            @Override
            public void release(long bytes) {
                used -= bytes;
            }
        };
    }
}
