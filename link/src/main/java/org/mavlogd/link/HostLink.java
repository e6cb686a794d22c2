package org.mavlogd.link;

import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;

/**
 * The base of links with a host and a port. The name is resolved each time before the socket is opened. A link on a
 * network interface opens its socket again when the interface is replaced, for example when a Wi-Fi stick is pulled out
 * and plugged in: for the kernel it is another interface then, and sockets bound to the old one receive nothing. An
 * interface that only loses its address stays the same.
 */
abstract sealed class HostLink extends NettyLink permits UdpLink, MulticastLink, TcpConnectLink, TcpListenLink {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int NOT_OPENED = -1;

    final NetworkDevice device;
    final HostResolver resolver;
    // The kernel's number of the interface when the socket was opened; NOT_OPENED before that, and until it is
    // reopened.
    private int deviceIndex = NOT_OPENED;
    private long lookedNs;

    HostLink(NettyLink.Parts parts, String kind, String host, int port) {
        super(parts, kind, parts.device().of(endpoint(host, port)));
        this.device = parts.device();
        this.resolver = new HostResolver(host, "link-" + parts.name() + "-dns", this::executeOwn, parts.lookup());
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

    /** Further periodic work of the link. On the link's thread. */
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
            return; // lookup failed: try again later
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
