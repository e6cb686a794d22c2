package org.mavlogd.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket: one that waits for whoever sends, or one that sends to a configured address first.
 *
 * <p>Also the second kind is not connected in the kernel's sense: a connected socket keeps its source address, and would
 * stay deaf when the network device comes back with another one.
 */
final class UdpLink extends HostLink {
    /** So many addresses are known at a time; then those that matter least make room. */
    static final int MAX_PEERS = 64;

    /** Longer datagrams are cut; MAVLink senders fill at most one Ethernet frame, 1,472 bytes. */
    static final int MAX_DATAGRAM_LENGTH = 2048;

    // One byte more than we deliver, so that a cut datagram is told from one that just fits.
    private static final int SLOT_LENGTH = MAX_DATAGRAM_LENGTH + 1;

    /** Datagrams per call of recvmmsg. */
    private static final int SLOTS = 32;

    /** Datagrams after which the thread looks after its other duties. */
    private static final int MAX_DATAGRAMS_PER_ROUND = 1024;

    // SOL_SOCKET and SO_RCVBUFFORCE of Linux, asm-generic/socket.h: goes beyond net.core.rmem_max with CAP_NET_ADMIN.
    private static final IntegerUnixChannelOption FORCED_RECEIVE_BUFFER =
            new IntegerUnixChannelOption("SO_RCVBUFFORCE", 1, 33);

    private final int port;
    private final boolean listens;
    private final PeerTable peers;
    private final UdpPeer.Sender sender = this::sendTo;
    private final byte[] datagram = new byte[MAX_DATAGRAM_LENGTH];
    private final BatchAllocator batches = new BatchAllocator(SLOT_LENGTH, SLOTS, MAX_DATAGRAMS_PER_ROUND);
    private boolean recvmmsg;
    private boolean bufferJudged;
    private boolean isHeard;

    @Nullable
    Channel channel;

    UdpLink(LinkSettings.UdpListen settings, LinkParts parts) {
        this(parts, settings.host(), settings.port(), settings.recvmmsg(), true);
    }

    UdpLink(LinkSettings.UdpConnect settings, LinkParts parts) {
        this(parts, settings.host(), settings.port(), settings.recvmmsg(), false);
    }

    private UdpLink(LinkParts parts, String host, int port, boolean recvmmsg, boolean listens) {
        super(parts, "udp", host, port);
        this.port = port;
        this.listens = listens;
        this.recvmmsg = recvmmsg && parts.io() == NetworkIo.EPOLL;
        this.peers = new PeerTable(listens ? MAX_PEERS : 1);
    }

    @Override
    void open(InetAddress address) {
        InetSocketAddress endpoint = new InetSocketAddress(address, port);
        SocketProtocolFamily family =
                address instanceof Inet4Address ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6;
        Bootstrap bootstrap = new Bootstrap()
                .group(eventLoop())
                .channelFactory(io.datagramChannels(family))
                .handler(new Inbound())
                .option(ChannelOption.ALLOCATOR, LinkLoop.ALLOCATOR)
                .option(ChannelOption.SO_RCVBUF, ReceiveBuffer.WANTED_BYTES)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, SEND_LIMIT);
        if (recvmmsg) {
            bootstrap
                    .option(ChannelOption.RECVBUF_ALLOCATOR, batches)
                    .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, SLOT_LENGTH);
        } else {
            bootstrap.option(
                    ChannelOption.RECVBUF_ALLOCATOR,
                    new FixedRecvByteBufAllocator(SLOT_LENGTH).maxMessagesPerRead(MAX_DATAGRAMS_PER_ROUND));
        }
        InetSocketAddress local = listens ? endpoint : new InetSocketAddress(anyAddress(family), 0);
        ChannelFuture opening = bootstrap.bind(local);
        channel = opening.channel();
        opening.addListener(done -> guard.run(() -> opened(opening, endpoint)));
    }

    private static InetAddress anyAddress(SocketProtocolFamily family) {
        byte[] zeros = new byte[family == SocketProtocolFamily.INET ? 4 : 16];
        try {
            return InetAddress.getByAddress(zeros);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }

    private void opened(ChannelFuture opening, InetSocketAddress endpoint) {
        if (isStopped()) {
            return;
        }
        if (!opening.isSuccess()) {
            channel = null;
            retry("cannot " + (listens ? "listen on " : "open a socket for ")
                    + report.status().endpoint() + ": " + reason(opening.cause()) + ", trying again");
            return;
        }
        judgeBuffer(opening.channel());
        if (listens) {
            report.waiting("listening, nothing heard yet", nowNs());
        } else {
            addPeer(endpoint, nowNs());
            report.up("nothing heard yet", peers.count(), nowNs());
        }
    }

    private void judgeBuffer(Channel opened) {
        if (bufferJudged) {
            return;
        }
        bufferJudged = true;
        int granted = grantedBytes(opened);
        if (granted < ReceiveBuffer.WANTED_BYTES && io == NetworkIo.EPOLL) {
            try {
                opened.config().setOption(FORCED_RECEIVE_BUFFER, ReceiveBuffer.WANTED_BYTES);
                granted = grantedBytes(opened);
            } catch (RuntimeException e) {
                // Not permitted, as for most users: the advice below helps.
            }
        }
        String warning = ReceiveBuffer.warning(granted);
        if (!warning.isEmpty()) {
            report.advise(warning);
        }
    }

    private int grantedBytes(Channel opened) {
        int reported = opened.config().getOption(ChannelOption.SO_RCVBUF);
        // Linux reports twice the size asked for, socket(7); the JDK halves it, Netty's epoll does not.
        return io == NetworkIo.EPOLL ? reported / 2 : reported;
    }

    private @Nullable UdpPeer addPeer(InetSocketAddress remote, long nowNs) {
        if (peers.isFull() && !makeRoom(nowNs)) {
            counters.refused().increment();
            return null;
        }
        UdpPeer peer = new UdpPeer(remote, !listens, sender, nowNs);
        peers.add(peer);
        report.up("", peers.count(), nowNs);
        guard.onPeerUp(peer, nowNs);
        return peer;
    }

    /** A flood of forged addresses must neither push a vehicle out nor keep a new one from coming in. */
    private boolean makeRoom(long nowNs) {
        UdpPeer least = peers.removeLeast();
        if (least == null) {
            return false;
        }
        counters.evicted().increment();
        guard.onPeerDown(least, nowNs);
        return true;
    }

    private void sendTo(InetSocketAddress to, byte[] buffer, int offset, int length) {
        Channel socket = channel;
        if (socket == null) {
            counters.droppedSends().increment();
        } else if (isSendable(socket)) {
            write(socket, new DatagramPacket(copy(buffer, offset, length), to), length);
        }
    }

    /** Hot path. */
    private void take(DatagramPacket packet) {
        received(1);
        long nowNs = nowNs();
        UdpPeer peer = peers.find(packet.sender());
        if (peer == null) {
            peer = addPeer(packet.sender(), nowNs);
            if (peer == null) {
                return;
            }
        }
        if (!isHeard) {
            isHeard = true;
            report.up("", peers.count(), nowNs);
        }
        peer.heard(nowNs);
        ByteBuf content = packet.content();
        int length = content.readableBytes();
        if (length > MAX_DATAGRAM_LENGTH) {
            length = MAX_DATAGRAM_LENGTH;
            counters.cutDatagrams().increment();
        }
        if (length > 0) {
            content.getBytes(content.readerIndex(), datagram, 0, length);
            counters.receivedDatagrams().increment();
            counters.receivedBytes().add(length);
            guard.onBytes(peer, datagram, length, nowNs);
        }
    }

    /** Reading failed. recvmmsg may be what fails, as it does under some emulators: then read one by one. */
    private void readFailed(ChannelHandlerContext context, Throwable cause) {
        if (recvmmsg) {
            recvmmsg = false;
            report.advise("recvmmsg does not work here (" + reason(cause) + "): datagrams are read one by one");
            context.channel().config().setOption(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, 0);
        } else if (!isStopped()) {
            dropSocket(nowNs());
            retry("reading from " + report.status().endpoint() + " failed: " + reason(cause) + ", opening it again");
        }
    }

    @Override
    void onTick(long nowNs) {
        if (!listens) {
            return;
        }
        for (UdpPeer silent = peers.removeForgotten(nowNs); silent != null; silent = peers.removeForgotten(nowNs)) {
            if (peers.count() == 0) {
                report.waiting("listening, silence for some time", nowNs);
            } else {
                report.up("", peers.count(), nowNs);
            }
            guard.onPeerDown(silent, nowNs);
        }
    }

    @Override
    void closeSockets(long nowNs) {
        dropSocket(nowNs);
    }

    private void dropSocket(long nowNs) {
        Channel socket = channel;
        channel = null;
        isHeard = false;
        if (socket != null) {
            var unused = socket.close();
        }
        for (UdpPeer peer = peers.removeAny(); peer != null; peer = peers.removeAny()) {
            guard.onPeerDown(peer, nowNs);
        }
    }

    private final class Inbound extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (context.channel() == channel && message instanceof DatagramPacket packet) {
                    take(packet);
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (!(cause instanceof IOException)) {
                guard.handOver(cause);
            } else if (context.channel() == channel) {
                readFailed(context, cause);
            }
        }
    }
}
