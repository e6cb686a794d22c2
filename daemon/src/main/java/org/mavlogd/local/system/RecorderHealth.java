package org.mavlogd.local.system;

/** How the recorder itself is doing. Asked by the sampler's reading thread; every method may be called by any thread. */
public interface RecorderHealth {
    /** Share of the fullest ring in use, 0 to 1. */
    double ringFill();

    /** Bytes stored since the start, in all logs. */
    long storedBytes();

    /** Log chunks lost since the start, whatever the cause. */
    long lostChunks();

    /** Bytes that came and could not be stored. */
    long discardedBytes();

    /** Gaps marked in logs. */
    long dropouts();

    /** Local samples lost because a ring was full. */
    long lostSamples();

    /** Longest write to a log file since the last call, in seconds; NaN when there was none. */
    double takeLongestWriteSeconds();
}
