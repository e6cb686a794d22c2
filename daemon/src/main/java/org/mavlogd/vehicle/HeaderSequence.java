package org.mavlogd.vehicle;

import org.mavlogd.feed.FrameTrail;

/**
 * Numbers the MAVLink frames of one sender by the 8-bit sequence in their headers, and remembers which of the last 64
 * arrived. A frame that comes late, because others overtook it or because the sender swapped two, is entered at its own
 * place. Hot path.
 */
final class HeaderSequence {
    private static final int RANGE = 256;
    private static final int MEMORY = Long.SIZE;
    // Frames overtake each other by a few places, within some milliseconds. Anything else that seems to be behind is
    // ahead, after a hole that the 8 bits cannot tell.
    private static final long LATE_NS = 150_000_000;

    private boolean started;
    private int newest;
    private long newestNs;
    // Bit i: whether frame "newest - i" arrived.
    private long arrived;
    private int last;

    void onFrame(int sequence, long nowNs) {
        int ahead = (sequence - newest) & (RANGE - 1);
        if (!started) {
            started = true;
            newest = sequence;
            arrived = 1;
        } else if (ahead > RANGE - MEMORY && nowNs - newestNs < LATE_NS) {
            int behind = RANGE - ahead;
            arrived |= 1L << behind;
            last = newest - behind;
            return;
        } else {
            newest += ahead;
            arrived = (ahead < MEMORY ? arrived << ahead : 0) | 1;
        }
        newestNs = nowNs;
        last = newest;
    }

    /** The last frame, and which ones before it arrived by now: see {@link FrameTrail}. */
    long trail() {
        int behind = newest - last;
        return FrameTrail.of(last, behind == MEMORY - 1 ? 0 : arrived >>> (behind + 1));
    }
}
