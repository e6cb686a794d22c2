package org.mavlogd.link;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a host name without blocking its owner's thread: a name server that does not answer blocks for many seconds.
 * Literal addresses are returned at once; names are resolved by a short-lived thread. If a name can no longer be
 * resolved, its last addresses are used. The addresses of a name are used in turn, so that an unreachable one is not
 * the only one tried. Owned by the thread behind {@code ownerThread}.
 */
public final class HostResolver {
    private final String host;
    private final String threadName;
    private final Executor ownerThread;
    private final Lookup lookup;
    private final @Nullable InetAddress literal;
    private InetAddress[] addresses = {};
    private int turn;
    // Receives the answer of the lookup in progress; null if there is none.
    private @Nullable Consumer<InetAddress[]> waiting;

    /** Looks up the addresses of a name, which may block. */
    interface Lookup {
        /** Java's, which remembers an answer for 30 s. */
        Lookup JAVA = InetAddress::getAllByName;

        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    public HostResolver(String host, String threadName, Executor ownerThread) {
        this(host, threadName, ownerThread, Lookup.JAVA);
    }

    HostResolver(String host, String threadName, Executor ownerThread, Lookup lookup) {
        this.host = host;
        this.threadName = threadName;
        this.ownerThread = ownerThread;
        this.lookup = lookup;
        this.literal = NetUtil.createInetAddressFromIpAddressString(host);
    }

    /** Calls one of the two functions on the owner's thread, now or, like {@link #lookUp}, later. */
    public void resolve(Consumer<InetAddress> onAddress, Consumer<String> onProblem) {
        if (literal != null) {
            onAddress.accept(literal);
            return;
        }
        lookUp(found -> {
            if (addresses.length > 0) {
                onAddress.accept(addresses[Math.floorMod(turn++, addresses.length)]);
            } else {
                onProblem.accept("host name " + host + " cannot be resolved, trying again");
            }
        });
    }

    /** Whether the host is a name, whose addresses may change. */
    boolean isName() {
        return literal == null;
    }

    /**
     * Later calls the function with the addresses of the name, or with none, on the owner's thread. If a lookup is in
     * progress, its answer goes to this call, and the earlier one has none.
     */
    void lookUp(Consumer<InetAddress[]> onAnswer) {
        if (waiting == null) {
            Thread thread = new Thread(this::lookUp, threadName);
            thread.setDaemon(true);
            thread.start();
        }
        waiting = onAnswer;
    }

    private void lookUp() {
        InetAddress[] found = {};
        try {
            found = lookup.addresses(host);
        } catch (UnknownHostException | RuntimeException | LinkageError e) {
            // Reported by the owner: the name is unknown, whatever the resolver threw.
        }
        InetAddress[] result = found;
        ownerThread.execute(() -> answered(result));
    }

    private void answered(InetAddress[] found) {
        Consumer<InetAddress[]> receiver = waiting;
        waiting = null;
        if (found.length > 0) {
            addresses = found;
        }
        if (receiver != null) {
            receiver.accept(found);
        }
    }
}
