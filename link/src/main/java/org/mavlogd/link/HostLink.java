package org.mavlogd.link;

import java.net.InetAddress;

/** The base of links with a host and a port: the name is resolved each time before the socket is opened. */
abstract sealed class HostLink extends NettyLink permits UdpLink, MulticastLink, TcpConnectLink, TcpListenLink {
    final NetworkDevice device;
    private final HostResolver resolver;

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
        if (!isStopped()) {
            open(address);
        }
    }

    private static String endpoint(String host, int port) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
