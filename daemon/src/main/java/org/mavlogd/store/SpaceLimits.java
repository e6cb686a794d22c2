package org.mavlogd.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Limits of the space that logs may use.
 *
 * @param keepFreeBytes free space that is kept by deleting old logs; 0 never deletes for lack of space
 * @param maxTotalBytes maximum size of finished logs that may be deleted and logs being written; 0 for no limit
 * @param maxFiles maximum number of these logs; 0 for no limit
 * @param reserveBytes recording pauses before less than this is free
 * @param uploads how the upload of a log affects its deletion
 */
public record SpaceLimits(long keepFreeBytes, long maxTotalBytes, int maxFiles, long reserveBytes, Uploads uploads) {
    private static final long SMALL_RESERVE_BYTES = 256 << 10;

    /** Nothing is ever deleted, and recording pauses when the disk is nearly full. */
    public static final SpaceLimits NONE = new SpaceLimits(0, 0, 0, SMALL_RESERVE_BYTES);

    /** Which logs are deleted first, or at all. */
    public enum Retention {
        OLDEST,
        /** Uploaded logs first, by age; then the others. */
        UPLOADED_FIRST,
        /** Only uploaded logs: recording pauses rather than delete another one. */
        ONLY_UPLOADED
    }

    /**
     * How the upload of a log affects its deletion.
     *
     * @param list the uploader's list of files that all targets have; empty if uploads do not matter
     */
    public record Uploads(Retention retention, Optional<Path> list) {
        public static final Uploads NONE = new Uploads(Retention.OLDEST, Optional.empty());
    }

    public SpaceLimits {
        if (keepFreeBytes < 0 || maxTotalBytes < 0 || maxFiles < 0 || reserveBytes <= 0) {
            throw new IllegalArgumentException("keep free " + keepFreeBytes + ", total " + maxTotalBytes + ", files "
                    + maxFiles + ", reserve " + reserveBytes + ": only the reserve must be positive, none negative");
        }
    }

    /** Uploads do not matter. */
    public SpaceLimits(long keepFreeBytes, long maxTotalBytes, int maxFiles, long reserveBytes) {
        this(keepFreeBytes, maxTotalBytes, maxFiles, reserveBytes, Uploads.NONE);
    }

    /**
     * Free space that recording, and the old logs that it keeps, do not need now; negative if they need more than there
     * is. {@link Long#MAX_VALUE} or a little less if not known.
     */
    public long spareBytes(Disk disk) throws IOException {
        Levels levels = Levels.of(this, disk.totalBytes());
        return disk.usableBytes() - Math.max(levels.wantedFree(), levels.resumeFrom());
    }

    /**
     * The limits as they apply to a disk of this size.
     *
     * @param totalBytes of the file system; {@link Long#MAX_VALUE} if not known
     */
    public SpaceLimits on(long totalBytes) {
        Levels levels = Levels.of(this, totalBytes);
        return new SpaceLimits(levels.wantedFree(), maxTotalBytes, maxFiles, Math.max(levels.pauseBelow(), 1), uploads);
    }

    /** A limit in the units of the configuration, or of small disks. */
    public static String text(long bytes) {
        return bytes >= 10 << 20 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
    }

    /**
     * The limits as levels of free space on a disk of a certain size. On a small disk the reserve is at most a
     * sixteenth and the free space at most an eighth of it, because otherwise nothing could be recorded there.
     *
     * @param pauseBelow recording pauses if less is free
     * @param resumeFrom recording resumes when this much is free; more than {@code pauseBelow}, so that it does not
     *     flap
     * @param wantedFree old logs are deleted until this much is free; 0 if they never are
     */
    record Levels(long pauseBelow, long resumeFrom, long wantedFree) {
        private static final int RESERVE_SHARE = 16;
        private static final int KEEP_FREE_SHARE = 8;
        private static final int STEP_SHARE = 4;
        // Room for the head of a log and a little data.
        private static final long MIN_STEP_BYTES = 256 << 10;

        /** @param totalBytes of the file system; {@link Long#MAX_VALUE} if not known */
        static Levels of(SpaceLimits limits, long totalBytes) {
            long pauseBelow = Math.min(limits.reserveBytes(), totalBytes / RESERVE_SHARE);
            long resumeFrom = pauseBelow + Math.max(pauseBelow / STEP_SHARE, MIN_STEP_BYTES);
            long keepFree = Math.min(limits.keepFreeBytes(), totalBytes / KEEP_FREE_SHARE);
            return new Levels(pauseBelow, resumeFrom, keepFree == 0 ? 0 : Math.max(keepFree, resumeFrom));
        }
    }
}
