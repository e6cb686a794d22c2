package org.mavlogd.computer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for tests whose program binds them later. They are below those that Linux gives to sockets that ask for any port, so
 * no other test gets them in between, and each process begins at another one.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;
    private static final int APART = 101;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * APART % COUNT));

    /** Binds a port, and lets it go. */
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
                refused = e; // taken
            }
        }
        throw new UncheckedIOException(refused);
    }
}
