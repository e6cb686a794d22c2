package org.mavlogd.forward;

import org.mavlogd.metrics.Counter;

/**
 * Counts frames of one endpoint or one link; an endpoint's count also adds to its link's. One thread writes, any thread
 * reads. Hot path.
 */
final class Tally {
    private final String cause;
    private final Counter link;
    private final Counter own;

    /** @param cause reason for dropped frames; empty if they were not dropped */
    Tally(String cause, Counter link) {
        this(cause, link, link);
    }

    private Tally(String cause, Counter link, Counter own) {
        this.cause = cause;
        this.link = link;
        this.own = own;
    }

    /** A tally of one endpoint of the link. */
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
