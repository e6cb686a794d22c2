package org.mavlogd.link;

import org.mavlogd.peer.LinkListener;

/**
 * One way to vehicles and other programs: a UDP socket, a TCP connection or listener, a Unix datagram socket, or a serial
 * port. Delivers bytes to one {@link LinkListener} on a thread of its own named {@code link-<name>}, and connects again by
 * itself, within one second of the far end's return, for as long as it is open.
 */
public interface Link extends AutoCloseable {
    String name();

    /** Starts the thread. Never fails for want of a device, a peer or a free port: that is retried and shown in {@link #status}. */
    void start();

    /** Runs a task on the link's thread, soon. Any thread may call this. */
    void execute(Runnable task);

    /** What the link is doing now, for people. Any thread may call this. */
    LinkStatus status();

    /** Stops the thread and gives everything back. Returns when the thread has ended. */
    @Override
    void close();
}
