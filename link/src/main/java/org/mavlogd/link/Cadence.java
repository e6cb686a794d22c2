package org.mavlogd.link;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a link's thread ticks, and when it lets bytes gather before it reads again.
 *
 * <p>Waking up costs several times as much as taking one more frame from the kernel. So after a round that brought
 * bytes, and while no answer is awaited, the thread sleeps for {@link #GATHER_NS} and then finds many frames at
 * once. Where frames come so rarely that a sleep would gather less than two of them, it would be one more wake-up and
 * save none: such a link, like a quiet one, waits for the kernel. A listener that is patient lets them gather for longer, yet not
 * for more than the kernel is sure to hold.
 *
 * <p>Owned by the link's thread. Hot path.
 */
final class Cadence {
    /**
     * How long bytes may gather. Well below the 50 ms after which PX4 repeats an unanswered chunk, and short enough for
     * a receive buffer of Linux' default size to hold what comes in meanwhile at 5 MB/s.
     */
    static final long GATHER_NS = TimeUnit.MILLISECONDS.toNanos(4);

    /** The same where other programs wait for what comes. */
    static final long BRIEF_GATHER_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** The same where nobody is in a hurry, and what comes holds its own times. */
    static final long PATIENT_GATHER_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** More than this many frames need not gather: the wake-up is a small part of what they cost then. */
    private static final long MANY = 16;

    /** Time between ticks while bytes arrive. */
    static final long BUSY_TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Time between ticks of a quiet link; some room is left below the 100 ms that listeners may count on. */
    static final long QUIET_TICK_NS = TimeUnit.MILLISECONDS.toNanos(80);

    /** The same where nobody is in a hurry. */
    static final long UNHURRIED_TICK_NS = TimeUnit.MILLISECONDS.toNanos(480);

    private long lastTickNs;
    private long lastRoundNs;
    private long frames;
    private long intervalNs = Long.MAX_VALUE / MANY;

    Cadence(long nowNs) {
        lastTickNs = nowNs;
        lastRoundNs = nowNs;
    }

    /** About so many frames came in this round, at least one. */
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

    /** How long to let bytes gather now; 0 where frames came so rarely of late that it would save no wake-up. */
    long pauseNs(boolean isPatient) {
        long longestNs = isPatient ? PATIENT_GATHER_NS : GATHER_NS;
        if (intervalNs > longestNs / 2) {
            return 0;
        }
        return Math.min(Math.max(GATHER_NS, MANY * intervalNs), longestNs);
    }

    /** The same where bytes may gather only briefly. */
    long briefPauseNs() {
        return intervalNs > BRIEF_GATHER_NS / 2 ? 0 : BRIEF_GATHER_NS;
    }

    /** When a link must tick that receives nothing. */
    long nextTickNs(boolean isUnhurried, long longestNs) {
        return lastTickNs + Math.min(isUnhurried ? UNHURRIED_TICK_NS : QUIET_TICK_NS, longestNs);
    }

    /** Whether a link that receives must tick; a quiet one does so by timer. */
    boolean isTickDue(long nowNs) {
        return nowNs - lastTickNs >= BUSY_TICK_NS;
    }

    void ticked(long nowNs) {
        lastTickNs = nowNs;
    }
}
