package org.mavlogd.link;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a link's thread ticks, and when it lets bytes gather before it reads again.
 *
 * <p>A wake-up costs several times as much as reading one more frame from the kernel. So after a round that brought
 * bytes, and while no answer is awaited, the thread sleeps for some milliseconds and then reads many frames at once.
 * If frames are so rare that a sleep would gather less than two, it would add a wake-up and save none: such a link,
 * like a quiet one, waits for the kernel. A patient listener lets frames gather for longer, but not for more than the
 * kernel can hold.
 *
 * <p>Owned by the link's thread. Hot path.
 */
final class Cadence {
    /**
     * Time to let bytes gather. Well below the 50 ms after which PX4 repeats an unanswered chunk, and short enough for
     * a receive buffer of Linux' default size at 5 MB/s.
     */
    static final long GATHER_NS = TimeUnit.MILLISECONDS.toNanos(4);

    /**
     * Time to let the bytes of a log gather in a stream, TCP or serial, where urgent bytes cannot pass the others. At
     * 921,600 bit/s these are 1 KB of the 4 that a serial port holds.
     */
    static final long STREAM_GATHER_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Time to let bytes gather while other programs wait for them. */
    static final long BRIEF_GATHER_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Time to let bytes gather if they carry their own times and are not answered. */
    static final long PATIENT_GATHER_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Half of the 4095 bytes that a read of a serial port returns at most (Linux, n_tty). */
    private static final int LONG_READ = 2048;

    /** Frames worth gathering: with more, the wake-up is a small part of their cost. */
    private static final long MANY = 16;

    /** Time between ticks while bytes arrive. */
    static final long BUSY_TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Time between ticks of a quiet link, below the 100 ms that listeners may rely on. */
    static final long QUIET_TICK_NS = TimeUnit.MILLISECONDS.toNanos(80);

    /** Time between ticks of a quiet link if the listener is unhurried. */
    static final long UNHURRIED_TICK_NS = TimeUnit.MILLISECONDS.toNanos(480);

    private final boolean isStream;
    private long lastTickNs;
    private long lastRoundNs;
    private long frames;
    private long intervalNs = Long.MAX_VALUE / MANY;

    /** @param isStream whether the kernel cannot let urgent bytes pass the others */
    Cadence(boolean isStream, long nowNs) {
        this.isStream = isStream;
        lastTickNs = nowNs;
        lastRoundNs = nowNs;
    }

    /** Counts the frames of this round, estimated, at least one. */
    void received(int newFrames) {
        frames += newFrames;
    }

    /** Whether bytes came in this round. */
    boolean hasReceived() {
        return frames > 0;
    }

    /** Ends a round that brought bytes. */
    void endRound(long nowNs) {
        intervalNs = (nowNs - lastRoundNs) / frames;
        lastRoundNs = nowNs;
        frames = 0;
    }

    /**
     * Time to let bytes gather now; 0 if frames are so rare that this would save no wake-up.
     *
     * @param isBulk whether most of the bytes may wait
     */
    long pauseNs(boolean isPatient, boolean isBulk) {
        long longestNs = isPatient ? PATIENT_GATHER_NS : gatherNs(isBulk);
        if (intervalNs > longestNs / 2) {
            return 0;
        }
        return Math.min(Math.max(GATHER_NS, MANY * intervalNs), longestNs);
    }

    /**
     * Time to let bytes gather after a read of a serial port; 0 if it was so long that more may wait. That is so if the
     * port is fast, such as USB, or if this thread waited for a processor.
     */
    long serialPauseNs(int length, boolean isBulk) {
        return length < LONG_READ ? gatherNs(isBulk) : 0;
    }

    /** Time to let bytes gather if they have no times of their own. */
    private long gatherNs(boolean isBulk) {
        return isStream && isBulk ? STREAM_GATHER_NS : GATHER_NS;
    }

    /** Time to let bytes gather if {@link LinkListener#mayWaitBriefly}; 0 if this would save no wake-up. */
    long briefPauseNs() {
        return intervalNs > BRIEF_GATHER_NS / 2 ? 0 : BRIEF_GATHER_NS;
    }

    /** Time of the next tick of a link that receives nothing. */
    long nextTickNs(boolean isUnhurried, long longestNs) {
        return lastTickNs + Math.min(isUnhurried ? UNHURRIED_TICK_NS : QUIET_TICK_NS, longestNs);
    }

    /** Whether a receiving link must tick; a quiet one ticks by timer. */
    boolean isTickDue(long nowNs) {
        return nowNs - lastTickNs >= BUSY_TICK_NS;
    }

    void ticked(long nowNs) {
        lastTickNs = nowNs;
    }
}
