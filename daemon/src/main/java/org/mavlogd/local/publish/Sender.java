package org.mavlogd.local.publish;

import java.util.concurrent.TimeUnit;
import org.mavlogd.peer.Peer;

/** One program that sends, and how many answers it may have: a burst, and then so many a second. Owned by one thread. */
final class Sender {
    static final int BURST = 200;

    private static final long PER_ANSWER_NS = TimeUnit.SECONDS.toNanos(1) / 200;

    private final Peer peer;
    private long freeAtNs;

    Sender(Peer peer, long nowNs) {
        this.peer = peer;
        this.freeAtNs = nowNs - BURST * PER_ANSWER_NS;
    }

    Peer peer() {
        return peer;
    }

    /** Takes leave to answer; false when there were too many answers of late. */
    boolean takeAnswer(long nowNs) {
        long earliest = nowNs - BURST * PER_ANSWER_NS;
        long next = freeAtNs - earliest < 0 ? earliest : freeAtNs;
        if (nowNs - next < PER_ANSWER_NS) {
            return false;
        }
        freeAtNs = next + PER_ANSWER_NS;
        return true;
    }
}
