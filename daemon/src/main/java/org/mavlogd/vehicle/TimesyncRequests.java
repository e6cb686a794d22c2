package org.mavlogd.vehicle;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.mavlogd.vehicle.conversation.RateLimiter;

/**
 * Decides when one vehicle is asked for its time, and which answers belong to requests of mavlogd. It asks about once a
 * second, up to ten times a second for a hundred times while the clock is not known well, and rarely if the vehicle does
 * not answer. Owned by the link's thread; time is an argument.
 */
final class TimesyncRequests {
    /** Answers that take longer are ignored. */
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long FASTEST_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FAST_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long SLOW_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long HOPELESS_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int UNANSWERED_TO_SLOW_DOWN = 5;
    private static final int UNANSWERED_TO_GIVE_UP = 15;
    // A hundred at the fastest rate and a minute at the fast one; after that at most two requests a second on
    // average.
    private static final int FASTEST_AT_ONCE = 100;
    private static final long FASTEST_GRANT_NS = TimeUnit.SECONDS.toNanos(4);
    private static final int FAST_AT_ONCE = 200;
    private static final int MAX_UNDER_WAY = 64;
    // The golden ratio: successive intervals differ, and cover the range evenly.
    private static final double DITHER = 0.618033988749895;
    private static final double DITHER_RANGE = 0.5;

    private final long[] sentNs = new long[MAX_UNDER_WAY];
    private final boolean[] underWay = new boolean[MAX_UNDER_WAY];
    private final RateLimiter fastest = new RateLimiter(FASTEST_AT_ONCE, FASTEST_GRANT_NS);
    private final RateLimiter fast = new RateLimiter(FAST_AT_ONCE, SLOW_NS);
    private boolean begun;
    private boolean answered;
    private int next;
    private int unanswered;
    private double phase;
    private long dueNs;

    /** Whether to send a request with this time now. */
    boolean take(boolean isUrgent, long nowNs) {
        if (begun && nowNs - dueNs < 0) {
            return false;
        }
        begun = true;
        sentNs[next] = nowNs;
        underWay[next] = true;
        next = (next + 1) % MAX_UNDER_WAY;
        unanswered++;
        dueNs = nowNs + intervalNs(isUrgent, nowNs);
        return true;
    }

    private long intervalNs(boolean isUrgent, long nowNs) {
        if (unanswered >= UNANSWERED_TO_GIVE_UP) {
            return HOPELESS_NS;
        }
        // Uneven intervals, because vehicles send at even ones: a request must not always meet the same queue.
        phase = (phase + DITHER) % 1;
        double unevenness = 1 + DITHER_RANGE * (phase - DITHER_RANGE);
        if (isUrgent && answered && unanswered < UNANSWERED_TO_SLOW_DOWN) {
            if (fastest.take(nowNs)) {
                return (long) (FASTEST_NS * unevenness);
            }
            if (fast.take(nowNs)) {
                return (long) (FAST_NS * unevenness);
            }
        }
        return (long) (SLOW_NS * unevenness);
    }

    /** Whether this answers a request that still waits. */
    boolean isAnswer(long askedNs, long nowNs) {
        for (int i = 0; i < MAX_UNDER_WAY; i++) {
            if (underWay[i] && sentNs[i] == askedNs) {
                underWay[i] = false;
                unanswered = 0;
                if (!answered) {
                    answered = true;
                    dueNs = nowNs;
                }
                return nowNs - askedNs <= PATIENCE_NS;
            }
        }
        return false;
    }

    /** Brings the next request forward, because the vehicle's clock may have jumped. */
    void hurry(long nowNs) {
        long soonNs = nowNs + FASTEST_NS;
        if (dueNs - soonNs > 0 && fastest.take(nowNs)) {
            dueNs = soonNs;
        }
    }

    /** The vehicle is no longer heard: outstanding requests are lost. */
    void forget() {
        begun = false;
        answered = false;
        unanswered = 0;
        Arrays.fill(underWay, false);
    }
}
