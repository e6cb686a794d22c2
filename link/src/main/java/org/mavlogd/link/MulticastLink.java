package org.mavlogd.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.Peer;

/**
 * An IPv4 multicast group on one network interface. The group is one peer: frames of any member come from it, and all
 * members receive what is sent to it, including programs on this computer.
 *
 * <p>One socket receives, another one sends: its address and port identify our own datagrams when they come back. When
 * the interface gets another address, both are opened again.
 */
final class MulticastLink extends HostLink implements DatagramPort.Owner<InetSocketAddress> {
    /** Routers do not forward such datagrams. */
    private static final int TTL = 1;

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private final int port;
    private final DatagramPort<InetSocketAddress> socket =
            new DatagramPort<>(this, this, InetSocketAddress.class, UdpLink.MAX_DATAGRAM_LENGTH);
    private @Nullable Channel sending;
    private @Nullable UdpPeer group;
    /** Source address of our own datagrams; null while the sending socket is closed. */
    private @Nullable InetSocketAddress own;

    private long lookedNs;
    private boolean isHeard;

    MulticastLink(LinkSettings.UdpMulticast settings, NettyLink.Parts parts) {
        super(parts, "udp", settings.host(), settings.port());
        this.port = settings.port();
    }

    @Override
    void open(InetAddress address) {
        InetSocketAddress endpoint = new InetSocketAddress(address, port);
        Bootstrap bootstrap = socket.bootstrap()
                .channelFactory(device.bind(io.datagramChannels(SocketProtocolFamily.INET)))
                .option(ChannelOption.SO_REUSEADDR, true) // other programs of this computer may be members
                .option(ChannelOption.SO_RCVBUF, ReceiveBuffer.WANTED_BYTES);
        socket.bind(bootstrap, endpoint, bound -> join((DatagramChannel) bound, endpoint));
    }

    private void join(DatagramChannel bound, InetSocketAddress endpoint) {
        NetworkInterface place = device.found();
        InetAddress address = address(place);
        if (place == null || address == null) {
            dropSockets();
            cannotOpen("interface " + device.name() + " has no IPv4 address");
            return;
        }
        ChannelFuture joining = bound.joinGroup(endpoint, place);
        whenOver(joining, () -> joined(joining.cause(), place, address, endpoint));
    }

    private static @Nullable InetAddress address(@Nullable NetworkInterface place) {
        return place == null
                ? null
                : place.inetAddresses()
                        .filter(Inet4Address.class::isInstance)
                        .findFirst()
                        .orElse(null);
    }

    private void joined(
            @Nullable Throwable problem, NetworkInterface place, InetAddress address, InetSocketAddress endpoint) {
        if (isStopped()) {
            return;
        }
        if (problem != null) {
            dropSockets();
            cannotOpen(reason(problem));
            return;
        }
        ChannelFuture opening = openSending(place, address);
        sending = opening.channel();
        whenOver(opening, () -> opened(opening, endpoint));
    }

    private ChannelFuture openSending(NetworkInterface place, InetAddress address) {
        return new Bootstrap()
                .group(eventLoop())
                .handler(new ChannelInboundHandlerAdapter())
                .channelFactory(device.bind(io.datagramChannels(SocketProtocolFamily.INET)))
                .option(ChannelOption.ALLOCATOR, LinkLoop.ALLOCATOR)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.IP_MULTICAST_IF, place)
                .option(ChannelOption.IP_MULTICAST_TTL, TTL)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, SEND_LIMIT)
                .bind(new InetSocketAddress(address, 0));
    }

    private void opened(ChannelFuture opening, InetSocketAddress endpoint) {
        if (isStopped()) {
            return;
        }
        if (!opening.isSuccess()) {
            sending = null; // Netty has closed it, if it was opened at all
            dropSockets();
            cannotOpen(reason(opening.cause()));
            return;
        }
        own = (InetSocketAddress) opening.channel().localAddress();
        UdpPeer all = new UdpPeer(endpoint, true, new GroupSender(), nowNs());
        group = all;
        guard.onPeerUp(all, nowNs());
        report.up("nothing heard yet", 1, nowNs());
    }

    private final class GroupSender implements UdpPeer.Sender {
        @Override
        public void send(InetSocketAddress to, byte[] buffer, int offset, int length) {
            Channel open = sending;
            if (open == null) {
                counters.droppedSends().increment();
            } else if (isSendable(open)) {
                write(open, new DatagramPacket(copy(buffer, offset, length), to), length);
            }
        }

        @Override
        public int room() {
            Channel open = sending;
            return open != null && hasSmallBacklog(open) ? Integer.MAX_VALUE : 0;
        }
    }

    @Override
    public void cannotOpen(String reason) {
        retry("cannot join " + report.status().endpoint() + ": " + reason + ", trying again");
    }

    @Override
    public @Nullable Peer heard(InetSocketAddress sender, long nowNs) {
        UdpPeer all = group;
        if (all == null || sender.equals(own)) {
            return null;
        }
        if (!isHeard) {
            isHeard = true;
            report.up("", 1, nowNs);
        }
        return all;
    }

    @Override
    void onOwnTick(long nowNs) {
        InetSocketAddress from = own;
        if (from == null || nowNs - lookedNs < LOOK_NS) {
            return;
        }
        lookedNs = nowNs;
        if (isOfThisComputer(from.getAddress())) {
            return;
        }
        // A missing address may come back. With another one nothing could be sent any more.
        InetAddress address = address(device.found());
        if (address != null && !address.equals(from.getAddress())) {
            closeSockets(nowNs);
            retry("interface " + device.name() + " has another address, opening it again");
        }
    }

    /** Binds a socket to the address, which waits for no lock of the kernel's list of interfaces. */
    private static boolean isOfThisComputer(InetAddress address) {
        try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, 0))) {
            return probe.isBound();
        } catch (SocketException e) {
            return false;
        }
    }

    @Override
    public void readFailed(Channel failed, String reason) {
        if (!isStopped()) {
            closeSockets(nowNs());
            retry("reading from " + report.status().endpoint() + " failed: " + reason + ", opening it again");
        }
    }

    @Override
    void closeSockets(long nowNs) {
        dropSockets();
        UdpPeer all = group;
        group = null;
        isHeard = false;
        if (all != null) {
            guard.onPeerDown(all, nowNs);
        }
    }

    private void dropSockets() {
        socket.drop();
        Channel open = sending;
        sending = null;
        own = null;
        if (open != null) {
            var unused = open.close();
        }
    }
}
