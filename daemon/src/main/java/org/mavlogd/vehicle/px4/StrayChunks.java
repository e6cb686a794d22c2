package org.mavlogd.vehicle.px4;

/**
 * Judges chunks of a log whose beginning is not here: nobody could read them, unless an earlier run has the beginning. Owned
 * by the session.
 */
final class StrayChunks {
    /** What a chunk tells of its stream. */
    enum Verdict {
        /** Nothing yet, or it is none of our business. */
        LEFT,
        /** It is that of an earlier run, which goes on now. */
        RESUMED,
        /** It was asked for under our name, and its beginning will not come. */
        IN_VAIN
    }

    private static final int ENOUGH = 3;

    private final StreamResumption resumption;
    private final LogStream stream;
    private final Px4SessionSettings settings;
    private int count;

    StrayChunks(StreamResumption resumption, LogStream stream, Px4SessionSettings settings) {
        this.resumption = resumption;
        this.stream = stream;
        this.settings = settings;
    }

    /**
     * Judges one more.
     *
     * @param isWanted whether the log is wanted on this link
     * @param mayResume whether nothing stands against going on with the log of an earlier run
     */
    Verdict judge(LogChunk chunk, long frames, boolean isWanted, boolean mayResume, long nowNs) {
        if (!isWanted && resumption.isElsewhere()) {
            return Verdict.LEFT;
        }
        if (mayResume) {
            StreamJudge.Verdict verdict = resumption.onStray(chunk, frames, nowNs);
            if (verdict == StreamJudge.Verdict.SAME && resumption.resume(stream, nowNs)) {
                return Verdict.RESUMED;
            }
            if (verdict != StreamJudge.Verdict.OTHER) {
                return Verdict.LEFT;
            }
            count += resumption.forgetHeld();
        }
        count++;
        return count >= ENOUGH && settings.isTarget(chunk) ? Verdict.IN_VAIN : Verdict.LEFT;
    }

    /** Those so far no longer count. */
    void forget() {
        count = 0;
    }
}
