package org.mavlogd.link;

import org.mavlogd.peer.LinkListener;

/**
 * A connection to vehicles and other programs: a UDP socket, a TCP connection or listener, a Unix datagram socket, or a
 * serial port. Delivers bytes to one {@link LinkListener} on its own thread {@code link-<name>}. While open, it
 * reconnects within one second of the peer's return.
 */
public interface Link extends AutoCloseable {
    String name();

    /**
     * Starts the thread. A missing device, peer or port is not an error: it is retried and shown in {@link #status}.
     */
    void start();

    /** Runs a task on the link's thread, soon. Any thread may call this. */
    void execute(Runnable task);

    /**
     * Soon runs a task that only sends to the link's peers, even while the link's thread waits for its device: then
     * another thread of the link runs it. Any thread may call this.
     */
    default void executeSending(Runnable task) {
        execute(task);
    }

    /** A snapshot of the link's state for display. Any thread may call this. */
    Status status();

    /** Stops the thread and releases everything. Returns when the thread has ended. */
    @Override
    void close();

    /**
     * A snapshot of a link for the status page.
     *
     * @param name the configured name
     * @param kind {@code udp}, {@code tcp}, {@code unix} or {@code serial}
     * @param endpoint what it listens on or connects to, as configured
     * @param state see {@link State}
     * @param detail reason for the state, for people; empty if there is nothing to add
     * @param peers number of present peers
     * @param hasProblem whether something is wrong, so that no bytes can flow, such as a device that is gone or a port
     *     that another program has; false while the link is up or only nobody was heard
     */
    public record Status(
            String name, String kind, String endpoint, State state, String detail, int peers, boolean hasProblem) {
        /** A status without a problem. */
        public Status(String name, String kind, String endpoint, State state, String detail, int peers) {
            this(name, kind, endpoint, state, detail, peers, false);
        }

        /** The states of a link. */
        public enum State {
            /** Not started, or closed. */
            CLOSED,
            /** Waiting for the device, the peer or the port, and retrying. */
            WAITING,
            /** Bytes can flow. */
            UP
        }
    }
}
