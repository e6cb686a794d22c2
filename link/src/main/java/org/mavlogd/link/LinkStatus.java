package org.mavlogd.link;

/**
 * A snapshot of a link for the status page.
 *
 * @param name the configured name
 * @param kind {@code udp}, {@code tcp}, {@code unix} or {@code serial}
 * @param endpoint what it listens on or connects to, as configured
 * @param state see {@link State}
 * @param detail why it is in that state, in words; empty when there is nothing to add
 * @param peers far ends now present
 */
public record LinkStatus(String name, String kind, String endpoint, State state, String detail, int peers) {
    /** The states of a link. */
    public enum State {
        /** Not started, or closed. */
        CLOSED,
        /** Waiting for the device, the peer or the port; retried by itself. */
        WAITING,
        /** Bytes can flow. */
        UP
    }
}
