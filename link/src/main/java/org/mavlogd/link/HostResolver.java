package org.mavlogd.link;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

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
    private InetAddress[] addresses = {};
    private int turn;
    private boolean busy;

    public HostResolver(String host, String threadName, Executor ownerThread) {
        this.host = host;
        this.threadName = threadName;
        this.ownerThread = ownerThread;
    }

    /**
     * Calls one of the two functions on the owner's thread, now or later. Ignored while an earlier call is in progress.
     */
    public void resolve(Consumer<InetAddress> onAddress, Consumer<String> onProblem) {
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
        if (literal != null) {
            onAddress.accept(literal);
            return;
        }
        if (busy) {
            return;
        }
        busy = true;
        Thread thread = new Thread(() -> lookUp(onAddress, onProblem), threadName);
        thread.setDaemon(true);
        thread.start();
    }

    private void lookUp(Consumer<InetAddress> onAddress, Consumer<String> onProblem) {
        InetAddress[] found = {};
        try {
            found = InetAddress.getAllByName(host);
        } catch (UnknownHostException | RuntimeException | LinkageError e) {
            // Reported below, on the owner's thread: the name is unknown, whatever the resolver threw.
        }
        InetAddress[] result = found;
        ownerThread.execute(() -> {
            busy = false;
            if (result.length > 0) {
                addresses = result;
            }
            if (addresses.length > 0) {
                onAddress.accept(addresses[Math.floorMod(turn++, addresses.length)]);
            } else {
                onProblem.accept("host name " + host + " cannot be resolved, trying again");
            }
        });
    }
}
