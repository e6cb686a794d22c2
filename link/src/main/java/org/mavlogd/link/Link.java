package org.mavlogd.link;

import org.mavlogd.peer.LinkListener;

/**
 * A connection to vehicles and other programs: a UDP socket, a TCP connection or listener, a Unix datagram socket, or a serial
 * port. Delivers bytes to one {@link LinkListener} on a thread of its own named {@code link-<name>}, and connects again by
 * itself, within one second of the peer's return, for as long as it is open.
 */
public interface Link extends AutoCloseable {
    String name();

    /** Starts the thread. Never fails because a device, a peer or a free port is missing: that is retried and shown in {@link #status}. */
    void start();

    /** Runs a task on the link's thread, soon. Any thread may call this. */
    void execute(Runnable task);

    /**
     * Runs a task that does no more than send to the link's peers, soon: also while the link's thread waits for its device, when
     * another thread of the link acts for it. Any thread may call this.
     */
    default void executeSending(Runnable task) {
        execute(task);
    }

    /** What the link is doing now, for people. Any thread may call this. */
    Status status();

    /** Stops the thread and gives everything back. Returns when the thread has ended. */
    @Override
    void close();

    /**
     * A snapshot of a link for the status page.
     *
     * @param name the configured name
     * @param kind {@code udp}, {@code tcp}, {@code unix} or {@code serial}
     * @param endpoint what it listens on or connects to, as configured
     * @param state see {@link State}
     * @param detail why it is in that state, in words; empty when there is nothing to add
     * @param peers peers now present
     * @param isRefused whether this computer refuses the port or the device, to somebody's harm; not where it only is not there
     */
    public record Status(
            String name, String kind, String endpoint, State state, String detail, int peers, boolean isRefused) {
        /** One that is not refused. */
        public Status(String name, String kind, String endpoint, State state, String detail, int peers) {
            this(name, kind, endpoint, state, detail, peers, false);
        }

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
}
