package org.mavlogd.link;

import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;

/**
 * The base of links with a host and a port: the name is resolved each time before the socket is opened. A link on a network interface
 * opens it again when that is replaced, such as a Wi-Fi stick that was pulled out and put back: to the kernel it is another one then,
 * and no socket that was bound to the old one hears from it. One that only loses its address stays the same.
 */
abstract sealed class HostLink extends NettyLink permits UdpLink, MulticastLink, TcpConnectLink, TcpListenLink {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int NOT_OPENED = -1;

    final NetworkDevice device;
    private final HostResolver resolver;
    // The kernel's number of the interface at the last opening; none before that, and while the next one is due.
    private int deviceIndex = NOT_OPENED;
    private long lookedNs;

    HostLink(NettyLink.Parts parts, String kind, String host, int port) {
        super(parts, kind, parts.device().of(endpoint(host, port)));
        this.device = parts.device();
        this.resolver = new HostResolver(host, "link-" + parts.name() + "-dns", this::executeOwn);
    }

    /** Opens the socket. On the link's thread. */
    abstract void open(InetAddress address);

    @Override
    final void open() {
        resolver.resolve(this::openUnlessStopped, this::retry);
    }

    private void openUnlessStopped(InetAddress address) {
        if (isStopped()) {
            return;
        }
        try {
            deviceIndex = device.isAny() ? NOT_OPENED : device.index();
        } catch (IOException e) {
            retry("cannot look for interface " + device.name() + ": " + reason(e) + ", trying again");
            return;
        }
        open(address);
    }

    /** The port is somebody else's, or not permitted; or the interface is not there, which is nobody's fault. */
    final void retryListening(String problem) {
        retry(problem, deviceIndex != 0);
    }

    /** What else must be done now and then. On the link's thread. */
    void onOwnTick(long nowNs) {}

    @Override
    final void onTick(long nowNs) {
        if (deviceIndex != NOT_OPENED && nowNs - lookedNs >= LOOK_NS) {
            lookedNs = nowNs;
            look(nowNs);
        }
        onOwnTick(nowNs);
    }

    private void look(long nowNs) {
        int index;
        try {
            index = device.index();
        } catch (IOException e) {
            return; // nothing was seen: it is looked for again
        }
        if (index != deviceIndex) {
            deviceIndex = NOT_OPENED;
            closeSockets(nowNs);
            retry("interface " + device.name() + (index == 0 ? " is gone" : " was replaced") + ", trying again");
        }
    }

    private static String endpoint(String host, int port) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
