package org.mavlogd.signing;

import java.util.concurrent.TimeUnit;

/**
 * Judges whether signatures keep a whole link out: frames are refused again and again, and none is accepted. A forger's
 * frames among a vehicle's good ones are counted, but are no problem. Owned by the link's thread; allocates nothing. Hot path.
 */
final class Refusals {
    /** Of one cause, before it is a problem. */
    static final int MANY = 5;

    static final long RECENT_NS = TimeUnit.SECONDS.toNanos(5);

    /** Why a frame was refused. */
    enum Cause {
        UNSIGNED("they are not signed: give the vehicle our key, or set [signing] policy"),
        WRONG("their signatures are wrong: vehicle and [signing] key_file have different keys"),
        OLD("the times in their signatures are old: they are repeated, or the vehicle's clock is behind"),
        EXCESS("too many senders sign: the links' limit of signed streams is reached");

        private final String text;

        Cause(String text) {
            this.text = text;
        }
    }

    private Cause cause = Cause.WRONG;
    private int count;
    private long refusedNs;
    private boolean isAccepting;
    private long acceptedNs;

    void refused(Cause why, long nowNs) {
        count = why == cause ? Math.min(count + 1, MANY) : 1;
        cause = why;
        refusedNs = nowNs;
    }

    void accepted(long nowNs) {
        isAccepting = true;
        acceptedNs = nowNs;
        count = 0;
    }

    /** For people; empty when there is none. */
    String problem(long nowNs) {
        boolean isOpen = isAccepting && nowNs - acceptedNs < RECENT_NS;
        return count < MANY || isOpen || nowNs - refusedNs >= RECENT_NS
                ? ""
                : "signing: all frames are refused because " + cause.text;
    }
}
