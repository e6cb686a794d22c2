package org.mavlogd.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.Peer;

/**
 * An IPv4 multicast group on one network interface. The group is one peer: frames of any member come from it, and all
 * members receive what is sent to it, programs of this computer included.
 *
 * <p>One socket hears, another one sends: by its port our own datagrams are told from those of others, when they come back.
 */
final class MulticastLink extends HostLink implements DatagramPort.Owner<InetSocketAddress> {
    /** Routers pass nothing on. */
    private static final int TTL = 1;

    private final int port;
    private final DatagramPort<InetSocketAddress> socket =
            new DatagramPort<>(this, this, InetSocketAddress.class, UdpLink.MAX_DATAGRAM_LENGTH);
    private @Nullable Channel sending;
    private @Nullable UdpPeer group;
    private int ownPort;
    private @Nullable InetAddress ownAddress;
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
                .option(ChannelOption.SO_REUSEADDR, true) // others of this computer may be in the group
                .option(ChannelOption.SO_RCVBUF, ReceiveBuffer.WANTED_BYTES);
        socket.bind(bootstrap, endpoint, bound -> join((DatagramChannel) bound, endpoint));
    }

    private void join(DatagramChannel bound, InetSocketAddress endpoint) {
        NetworkInterface place = device.found();
        if (place == null) {
            dropSockets();
            cannotOpen("interface " + device.name() + ": No such device");
            return;
        }
        bound.joinGroup(endpoint, place).addListener(joined -> finish(() -> joined(joined.cause(), place, endpoint)));
    }

    private void joined(@Nullable Throwable problem, NetworkInterface place, InetSocketAddress endpoint) {
        if (isStopped()) {
            return;
        }
        if (problem != null) {
            dropSockets();
            cannotOpen(reason(problem));
            return;
        }
        ChannelFuture opening = new Bootstrap()
                .group(eventLoop())
                .handler(new ChannelInboundHandlerAdapter())
                .channelFactory(device.bind(io.datagramChannels(SocketProtocolFamily.INET)))
                .option(ChannelOption.ALLOCATOR, LinkLoop.ALLOCATOR)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.IP_MULTICAST_IF, place)
                .option(ChannelOption.IP_MULTICAST_TTL, TTL)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, SEND_LIMIT)
                .bind(new InetSocketAddress("0.0.0.0", 0));
        sending = opening.channel();
        opening.addListener(done -> finish(() -> opened(opening, endpoint)));
    }

    private void opened(ChannelFuture opening, InetSocketAddress endpoint) {
        if (isStopped()) {
            return;
        }
        if (!opening.isSuccess()) {
            dropSockets();
            cannotOpen(reason(opening.cause()));
            return;
        }
        ownPort = ((InetSocketAddress) opening.channel().localAddress()).getPort();
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
        public boolean isReady() {
            Channel open = sending;
            return open != null && hasSmallBacklog(open);
        }
    }

    @Override
    public void cannotOpen(String reason) {
        retryListening("cannot join " + report.status().endpoint() + ": " + reason + ", trying again");
    }

    @Override
    public @Nullable Peer heard(InetSocketAddress sender, long nowNs) {
        UdpPeer all = group;
        if (all == null || isOwn(sender)) {
            return null;
        }
        if (!isHeard) {
            isHeard = true;
            report.up("", 1, nowNs);
        }
        return all;
    }

    /** Hot path. */
    private boolean isOwn(InetSocketAddress sender) {
        if (sender.getPort() != ownPort) {
            return false;
        }
        if (!sender.getAddress().equals(ownAddress) && isOfThisComputer(sender.getAddress())) {
            ownAddress = sender.getAddress();
        }
        return sender.getAddress().equals(ownAddress);
    }

    private static boolean isOfThisComputer(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
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
        if (open != null) {
            var unused = open.close();
        }
    }
}
