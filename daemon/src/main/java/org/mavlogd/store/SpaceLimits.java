package org.mavlogd.store;

import java.io.IOException;

/**
 * How much of the disk logs may take.
 *
 * @param keepFreeBytes old logs are deleted so that so much stays free; 0 never deletes for lack of space
 * @param maxTotalBytes what finished logs that may be deleted and growing ones take together; 0 for no limit
 * @param maxFiles how many of these logs there may be; 0 for no limit
 * @param reserveBytes recording pauses before less than this is left
 */
public record SpaceLimits(long keepFreeBytes, long maxTotalBytes, int maxFiles, long reserveBytes) {
    private static final long SMALL_RESERVE_BYTES = 256 << 10;

    /** Nothing is ever deleted, and recording pauses when hardly anything is left. */
    public static final SpaceLimits NONE = new SpaceLimits(0, 0, 0, SMALL_RESERVE_BYTES);

    public SpaceLimits {
        if (keepFreeBytes < 0 || maxTotalBytes < 0 || maxFiles < 0 || reserveBytes <= 0) {
            throw new IllegalArgumentException("keep free " + keepFreeBytes + ", total " + maxTotalBytes + ", files "
                    + maxFiles + ", reserve " + reserveBytes + ": only the reserve must be positive, none negative");
        }
    }

    /**
     * What recording, and the old logs that it keeps, can do without now; negative when they need more than there is.
     * {@link Long#MAX_VALUE} or a little less where nobody can tell.
     */
    public long spareBytes(Disk disk) throws IOException {
        SpaceLevels levels = SpaceLevels.of(this, disk.totalBytes());
        return disk.usableBytes() - Math.max(levels.wantedFree(), levels.resumeFrom());
    }
}
