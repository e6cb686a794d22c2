package org.mavlogd.store;

import java.util.concurrent.TimeUnit;

/**
 * Tracks space that was freed but is not reported as free yet. Some file systems free blocks only with their next
 * commit; without this, every old log would be deleted until then. Owned by one thread.
 */
final class FreedSpace {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long URGENT_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

    private long pendingBytes;
    private long deletedNs;

    /** A file of this length was deleted, and the free space changed from {@code beforeBytes} to {@code afterBytes}. */
    void onDeleted(long bytes, long beforeBytes, long afterBytes, long nowNs) {
        long seen = Math.max(0, afterBytes - beforeBytes);
        // Other files are being written meanwhile, so a little less appears than was freed.
        if (seen < bytes / 2) {
            pendingBytes += bytes - seen;
            deletedNs = nowNs;
        }
    }

    /** The free space changed without a deletion. */
    void onMeasured(long beforeBytes, long afterBytes) {
        if (afterBytes > beforeBytes) {
            pendingBytes = Math.max(0, pendingBytes - (afterBytes - beforeBytes));
        }
    }

    /**
     * Space that will still appear; 0 if it is overdue, because then it will not.
     *
     * @param isUrgent whether recording waits for it
     */
    long pendingBytes(long nowNs, boolean isUrgent) {
        if (nowNs - deletedNs >= (isUrgent ? URGENT_PATIENCE_NS : PATIENCE_NS)) {
            pendingBytes = 0;
        }
        return pendingBytes;
    }
}
