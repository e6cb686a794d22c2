package org.mavlogd.link;

import java.util.concurrent.TimeUnit;

/**
 * When a link's thread ticks, and when it lets bytes gather before it reads again.
 *
 * <p>Waking up costs several times as much as taking one more frame from the kernel. So after a round that brought
 * bytes, and while nobody waits for an answer, the thread sleeps for {@link #GATHER_NS} and then finds many frames at
 * once. Where frames come so rarely that a sleep would gather less than two of them, it would be one more wake-up and
 * save none: such a link, like a quiet one, waits for the kernel.
 *
 * <p>Owned by the link's thread. Hot path.
 */
final class Cadence {
    /**
     * How long bytes may gather. Well below the 50 ms after which PX4 repeats an unanswered chunk, and short enough for
     * a receive buffer of Linux' default size to hold what comes in meanwhile at 5 MB/s.
     */
    static final long GATHER_NS = TimeUnit.MILLISECONDS.toNanos(4);

    /** Time between ticks while bytes arrive. */
    static final long BUSY_TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Time between ticks of a quiet link; some room is left below the 100 ms that listeners may count on. */
    static final long QUIET_TICK_NS = TimeUnit.MILLISECONDS.toNanos(80);

    /** The same where nobody is in a hurry. */
    static final long UNHURRIED_TICK_NS = TimeUnit.MILLISECONDS.toNanos(480);

    /** Time between frames above which a sleep gathers too few. */
    private static final long SPARSE_NS = GATHER_NS / 2;

    private long lastTickNs;
    private long lastRoundNs;
    private long frames;
    private boolean isDense;

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
        isDense = nowNs - lastRoundNs <= frames * SPARSE_NS;
        lastRoundNs = nowNs;
        frames = 0;
    }

    /** Whether frames came so densely of late that letting them gather saves wake-ups. */
    boolean isDense() {
        return isDense;
    }

    /** Whether a link that receives must tick; a quiet one does so by timer. */
    boolean isTickDue(long nowNs) {
        return nowNs - lastTickNs >= BUSY_TICK_NS;
    }

    void ticked(long nowNs) {
        lastTickNs = nowNs;
    }
}
