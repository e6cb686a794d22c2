package org.mavlogd.record.order;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.ResumeTicket;

/**
 * The pace of a stream: its chunks and its own time per second of this computer, over the last 5 to 10 seconds. Owned
 * by the recorder's thread; allocates nothing.
 */
public final class StreamPace {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long SHORTEST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double NS_PER_S = 1e9;
    private static final int SEQUENCES = 0x1_0000;
    private static final double REAL_TIME_US = TimeUnit.SECONDS.toMicros(1);

    // Used until the pace is known: that of an earlier run, or of a real vehicle.
    private double assumedChunksPerSecond;
    private double assumedUsPerSecond = REAL_TIME_US;
    private boolean started;
    private int lastSequence;
    private long lastNs;
    private long chunks;
    private long logUs;

    // The start of the current window, and of the one before.
    private long newChunks;
    private long newUs;
    private long newNs;
    private long oldChunks;
    private long oldUs;
    private long oldNs;

    /** Assumes the pace of an earlier run. */
    public void resume(ResumeTicket.Facts facts) {
        assumedChunksPerSecond = facts.chunksPerSecond();
        assumedUsPerSecond = facts.usPerSecond();
    }

    public boolean isDue(long nowNs) {
        return !started || nowNs - lastNs >= INTERVAL_NS;
    }

    /** Notes how far the stream has come. */
    public void mark(int sequence, long timeUs, long nowNs) {
        if (!started) {
            started = true;
            lastSequence = sequence;
            newUs = timeUs;
            oldUs = timeUs;
            newNs = nowNs;
            oldNs = nowNs;
        }
        int advance = (sequence - lastSequence) & (SEQUENCES - 1);
        chunks += advance;
        logUs = timeUs;
        lastSequence = sequence;
        lastNs = nowNs;
        if (nowNs - newNs >= WINDOW_NS) {
            oldChunks = newChunks;
            oldUs = newUs;
            oldNs = newNs;
            newChunks = chunks;
            newUs = timeUs;
            newNs = nowNs;
        }
    }

    /** The measured pace; until it is known, that of an earlier run, or 0. */
    public double chunksPerSecond() {
        return isKnown() ? (chunks - oldChunks) * NS_PER_S / (lastNs - oldNs) : assumedChunksPerSecond;
    }

    /** The measured pace; until it is known, that of an earlier run, or of a real vehicle. */
    public double usPerSecond() {
        return isKnown() ? (logUs - oldUs) * NS_PER_S / (lastNs - oldNs) : assumedUsPerSecond;
    }

    /**
     * The first second of a program is a bad measure, because what waited while it started comes at once; it is better
     * than none, but not than the measure of an earlier run.
     */
    private boolean isKnown() {
        return lastNs - oldNs >= (assumedChunksPerSecond > 0 ? WINDOW_NS : SHORTEST_NS);
    }

    /** About how many chunks are missing between an earlier run's last chunk and this one. */
    public static long lostChunks(ResumeTicket.Facts before, int sequence, long arrivalNs) {
        int advance = (sequence - before.sequence()) & (SEQUENCES - 1);
        double expected = before.chunksPerSecond() * (arrivalNs - before.sequenceNs()) / NS_PER_S;
        long rounds = Math.max(0, Math.round((expected - advance) / SEQUENCES));
        return Math.max(0, rounds * (long) SEQUENCES + advance - 1L - before.unnotedChunks());
    }
}
