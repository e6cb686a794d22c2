package org.mavlogd.simulate;

import org.mavlogd.metrics.Counter;

/** What a lossy channel did. Written by the channel's thread, readable by any. */
public final class LossCounters {
    final Counter sent = new Counter();
    final Counter delivered = new Counter();
    final Counter lost = new Counter();
    final Counter cutOff = new Counter();
    final Counter duplicated = new Counter();
    final Counter reordered = new Counter();
    final Counter corrupted = new Counter();
    final Counter overflowed = new Counter();

    LossCounters() {}

    /** Frames given to the channel. */
    public long sent() {
        return sent.get();
    }

    /** Frames that came out, damaged and repeated ones included. */
    public long delivered() {
        return delivered.get();
    }

    /** Frames lost by chance. */
    public long lost() {
        return lost.get();
    }

    /** Frames lost because the channel was cut. */
    public long cutOff() {
        return cutOff.get();
    }

    public long duplicated() {
        return duplicated.get();
    }

    public long reordered() {
        return reordered.get();
    }

    public long corrupted() {
        return corrupted.get();
    }

    /** Frames lost because too many were under way. */
    public long overflowed() {
        return overflowed.get();
    }

    /** What happened to the frames, for people. */
    public String summary() {
        return String.format(
                "sent %d, lost %d, duplicated %d, reordered %d, corrupted %d",
                sent(), lost() + overflowed(), duplicated(), reordered(), corrupted());
    }
}
