package org.mavlogd.forward;

import org.mavlogd.metrics.Counter;

/** Counts the frames of one endpoint or one link; what an endpoint counts, its link counts, too. One thread writes, any reads. Hot path. */
final class Tally {
    private final String cause;
    private final Counter link;
    private final Counter own;

    /** @param cause why frames were dropped; empty where they were not */
    Tally(String cause, Counter link) {
        this(cause, link, link);
    }

    private Tally(String cause, Counter link, Counter own) {
        this.cause = cause;
        this.link = link;
        this.own = own;
    }

    /** Of one endpoint of the link. */
    Tally ofEndpoint() {
        return new Tally(cause, link, new Counter());
    }

    String cause() {
        return cause;
    }

    void increment() {
        add(1);
    }

    void add(long amount) {
        link.add(amount);
        if (own != link) {
            own.add(amount);
        }
    }

    long get() {
        return own.get();
    }
}
