package org.mavlogd.store;

/**
 * The limits as levels of free space on a disk of a certain size. On a small one the reserve is a sixteenth and the free
 * space an eighth of it at most, for otherwise nothing could be recorded there.
 *
 * @param pauseBelow recording pauses when less is free
 * @param resumeFrom recording goes on when so much is free; more than {@code pauseBelow}, so that it does not flap
 * @param wantedFree old logs are deleted until so much is free; 0 when they never are
 */
record SpaceLevels(long pauseBelow, long resumeFrom, long wantedFree) {
    private static final int RESERVE_SHARE = 16;
    private static final int KEEP_FREE_SHARE = 8;
    private static final int STEP_SHARE = 4;
    // Room for the head of a log and a little data.
    private static final long MIN_STEP_BYTES = 256 << 10;

    /** @param totalBytes of the file system; {@link Long#MAX_VALUE} when nobody can tell */
    static SpaceLevels of(SpaceLimits limits, long totalBytes) {
        long pauseBelow = Math.min(limits.reserveBytes(), totalBytes / RESERVE_SHARE);
        long resumeFrom = pauseBelow + Math.max(pauseBelow / STEP_SHARE, MIN_STEP_BYTES);
        long keepFree = Math.min(limits.keepFreeBytes(), totalBytes / KEEP_FREE_SHARE);
        return new SpaceLevels(pauseBelow, resumeFrom, keepFree == 0 ? 0 : Math.max(keepFree, resumeFrom));
    }
}
