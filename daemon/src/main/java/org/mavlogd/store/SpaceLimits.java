package org.mavlogd.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Limits of the space that logs may use.
 *
 * @param keepFreeBytes old logs are deleted so that so much stays free; 0 never deletes for lack of space
 * @param maxTotalBytes what finished logs that may be deleted and growing ones take together; 0 for no limit
 * @param maxFiles how many of these logs there may be; 0 for no limit
 * @param reserveBytes recording pauses before less than this is left
 * @param uploads what the upload of a log means for its deletion
 */
public record SpaceLimits(long keepFreeBytes, long maxTotalBytes, int maxFiles, long reserveBytes, Uploads uploads) {
    private static final long SMALL_RESERVE_BYTES = 256 << 10;

    /** Nothing is ever deleted, and recording pauses when hardly anything is left. */
    public static final SpaceLimits NONE = new SpaceLimits(0, 0, 0, SMALL_RESERVE_BYTES);

    /** Which logs are deleted first, or at all. */
    public enum Retention {
        OLDEST,
        /** Those that were uploaded, the oldest of them first; then the others. */
        UPLOADED_FIRST,
        /** Never one that was not uploaded: recording pauses instead. */
        ONLY_UPLOADED
    }

    /**
     * What the upload of a log means.
     *
     * @param list the uploader's list of what is at all targets; empty where it does not matter
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

    /** Without regard to uploads. */
    public SpaceLimits(long keepFreeBytes, long maxTotalBytes, int maxFiles, long reserveBytes) {
        this(keepFreeBytes, maxTotalBytes, maxFiles, reserveBytes, Uploads.NONE);
    }

    /**
     * What recording, and the old logs that it keeps, can do without now; negative when they need more than there is.
     * {@link Long#MAX_VALUE} or a little less where it is not known.
     */
    public long spareBytes(Disk disk) throws IOException {
        Levels levels = Levels.of(this, disk.totalBytes());
        return disk.usableBytes() - Math.max(levels.wantedFree(), levels.resumeFrom());
    }

    /**
     * The limits as levels of free space on a disk of a certain size. On a small one the reserve is a sixteenth and the
     * free space an eighth of it at most, for otherwise nothing could be recorded there.
     *
     * @param pauseBelow recording pauses when less is free
     * @param resumeFrom recording continues when so much is free; more than {@code pauseBelow}, so that it does not flap
     * @param wantedFree old logs are deleted until so much is free; 0 when they never are
     */
    record Levels(long pauseBelow, long resumeFrom, long wantedFree) {
        private static final int RESERVE_SHARE = 16;
        private static final int KEEP_FREE_SHARE = 8;
        private static final int STEP_SHARE = 4;
        // Room for the head of a log and a little data.
        private static final long MIN_STEP_BYTES = 256 << 10;

        /** @param totalBytes of the file system; {@link Long#MAX_VALUE} when it is not known */
        static Levels of(SpaceLimits limits, long totalBytes) {
            long pauseBelow = Math.min(limits.reserveBytes(), totalBytes / RESERVE_SHARE);
            long resumeFrom = pauseBelow + Math.max(pauseBelow / STEP_SHARE, MIN_STEP_BYTES);
            long keepFree = Math.min(limits.keepFreeBytes(), totalBytes / KEEP_FREE_SHARE);
            return new Levels(pauseBelow, resumeFrom, keepFree == 0 ? 0 : Math.max(keepFree, resumeFrom));
        }
    }
}
