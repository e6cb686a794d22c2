package org.mavlogd.link;

import org.mavlogd.contain.ContainedPart;
import org.mavlogd.peer.LinkListener;

/** Creates links from their settings. */
public final class Links {
    private Links() {}

    /** Loads the libraries of network links, which takes long the first time. Any thread. */
    public static void prepare() {
        NetworkIo.best();
    }

    /**
     * A link that is not started yet.
     *
     * @param listener called only on the link's thread; its exceptions go to that thread's uncaught exception handler
     *     and end the link
     */
    public static Link create(LinkSettings settings, LinkListener listener, LinkCounters counters) {
        return create(settings, new ContainedListener(listener), counters, NetworkIo.best());
    }

    /**
     * A link of a local source that is not started yet.
     *
     * @param part receives the source's exceptions; the link continues
     */
    public static Link createContained(
            LinkSettings settings, LinkListener source, LinkCounters counters, ContainedPart part) {
        return create(settings, new ContainedListener(source, part), counters, NetworkIo.best());
    }

    /** The longest datagram that a link does not cut; 0 for streams. */
    public static int maxDatagramLength(LinkSettings settings) {
        if (settings instanceof LinkSettings.UnixDatagram) {
            return UnixDatagramLink.MAX_DATAGRAM_LENGTH;
        }
        boolean udp = settings instanceof LinkSettings.UdpListen
                || settings instanceof LinkSettings.UdpConnect
                || settings instanceof LinkSettings.UdpBroadcast
                || settings instanceof LinkSettings.UdpMulticast;
        return udp ? UdpLink.MAX_DATAGRAM_LENGTH : 0;
    }

    static Link create(LinkSettings settings, LinkListener listener, LinkCounters counters, NetworkIo io) {
        return create(settings, new ContainedListener(listener), counters, io);
    }

    private static Link create(LinkSettings settings, ContainedListener guard, LinkCounters counters, NetworkIo io) {
        if (settings instanceof LinkSettings.SerialPort serial) {
            return new SerialLink(serial, guard, counters, System::nanoTime);
        }
        NettyLink.Parts parts = new NettyLink.Parts(
                settings.name(),
                io,
                new NetworkDevice(settings.networkInterface()),
                guard,
                counters,
                HostResolver.Lookup.JAVA,
                System::nanoTime);
        if (settings instanceof LinkSettings.UdpListen udp) {
            return new UdpLink(udp, parts);
        }
        if (settings instanceof LinkSettings.UdpConnect udp) {
            return new UdpLink(udp, parts);
        }
        if (settings instanceof LinkSettings.UdpBroadcast udp) {
            return new UdpLink(udp, parts);
        }
        if (settings instanceof LinkSettings.UdpMulticast udp) {
            return new MulticastLink(udp, parts);
        }
        if (settings instanceof LinkSettings.TcpListen tcp) {
            return new TcpListenLink(tcp, parts);
        }
        if (settings instanceof LinkSettings.TcpConnect tcp) {
            return new TcpConnectLink(tcp, parts);
        }
        if (settings instanceof LinkSettings.UnixDatagram unix) {
            return new UnixDatagramLink(unix, parts);
        }
        throw new IllegalArgumentException("unknown kind of link: " + settings);
    }
}
