package org.mavlogd.link;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Turns a host name into an address without blocking its owner's thread: a name server that does not answer blocks for
 * many seconds. Literal addresses are answered at once, names by a short-lived thread. A name that could be resolved
 * before and cannot now is taken to have its last addresses. A name with several addresses gives them in turn, so that one
 * that does not answer is not the only one tried. Owned by the thread
 * behind {@code ownerThread}.
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

    /** Calls one of the two on the owner's thread, now or later. A call while an earlier one is under way is ignored. */
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
            // Reported below, on the owner's thread: whatever a resolver does, the name is not known.
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
