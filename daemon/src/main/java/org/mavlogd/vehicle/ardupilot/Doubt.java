package org.mavlogd.vehicle.ardupilot;

import java.util.concurrent.TimeUnit;

/**
 * What a block is may be in doubt until a better sign would have come: for so long as blocks kept coming. A pause of theirs
 * begins it anew. Owned by the session. Hot path.
 */
final class Doubt {
    // A vehicle repeats what is unacknowledged ten times a second.
    private static final long BREAK_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final long lengthNs;
    private boolean begun;
    private long beginNs;
    private long lastNs;

    /** @param lengthNs in which the better sign comes, if it does */
    Doubt(long lengthNs) {
        this.lengthNs = lengthNs;
    }

    /** Whether it lasts, with one more block that is in doubt. */
    boolean lasts(long nowNs) {
        if (!begun || nowNs - lastNs >= BREAK_NS) {
            begun = true;
            beginNs = nowNs;
        }
        lastNs = nowNs;
        return nowNs - beginNs < lengthNs;
    }

    /** The next block begins it anew. */
    void forget() {
        begun = false;
    }
}
