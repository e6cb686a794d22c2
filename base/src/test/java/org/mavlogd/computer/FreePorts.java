package org.mavlogd.computer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for tests whose program binds them later. They are below the range from which Linux assigns ports, so no other
 * test gets them in the meantime, and each process begins at a different one.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;
    private static final int APART = 101;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * APART % COUNT));

    /** Binds a port and closes it at once. */
    @FunctionalInterface
    private interface Trial {
        void bind(int port) throws IOException;
    }

    private FreePorts() {}

    public static int udp() {
        return next(port -> new DatagramSocket(port).close());
    }

    public static int tcp() {
        return next(port -> new ServerSocket(port).close());
    }

    private static int next(Trial trial) {
        IOException refused = new IOException("no port tried");
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + NEXT.getAndIncrement() % COUNT;
            try {
                trial.bind(port);
                return port;
            } catch (IOException e) {
                refused = e; // in use
            }
        }
        throw new UncheckedIOException(refused);
    }
}
