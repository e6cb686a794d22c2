package org.mavlogd.link;

import java.util.concurrent.TimeUnit;

/**
 * When a link's thread ticks, and when it lets bytes gather before it reads again.
 *
 * <p>Waking up costs several times as much as taking one more frame from the kernel. So after a round that brought
 * bytes, and while nobody waits for an answer, the thread sleeps for {@link #GATHER_NS} and then finds many frames at
 * once. A quiet link does not sleep: it waits for the kernel and costs nothing.
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

    private long lastTickNs;
    private boolean received;

    Cadence(long nowNs) {
        lastTickNs = nowNs;
    }

    /** Bytes came in this round. */
    void received() {
        received = true;
    }

    /** Ends a round and says whether it brought bytes. */
    boolean endRound() {
        boolean any = received;
        received = false;
        return any;
    }

    /** Whether a link that receives must tick; a quiet one does so by timer. */
    boolean isTickDue(long nowNs) {
        return nowNs - lastTickNs >= BUSY_TICK_NS;
    }

    void ticked(long nowNs) {
        lastTickNs = nowNs;
    }
}
