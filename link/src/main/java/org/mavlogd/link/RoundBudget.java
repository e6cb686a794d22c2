package org.mavlogd.link;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long a link's thread may read from one socket before it looks after its other duties: ticks, tasks and other sockets wait
 * no longer than that and one datagram. Owned by the link's thread. Hot path.
 */
final class RoundBudget {
    static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final LongSupplier nowNs;
    private long beganNs;

    RoundBudget(LongSupplier nowNs) {
        this.nowNs = nowNs;
    }

    void begin() {
        beganNs = nowNs.getAsLong();
    }

    boolean isLeft() {
        return nowNs.getAsLong() - beganNs < ROUND_NS;
    }
}
