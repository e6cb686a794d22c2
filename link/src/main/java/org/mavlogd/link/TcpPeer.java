package org.mavlogd.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.util.NetUtil;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import org.mavlogd.peer.Peer;

/** One TCP connection, incoming or outgoing. Owned by the link's thread. */
final class TcpPeer extends ChannelInboundHandlerAdapter implements RankedPeer {
    /** Length of a full log chunk. */
    private static final int TYPICAL_FRAME_BYTES = 267;

    static final String KIND = "tcp";

    private static final int READ_LENGTH = 32 * 1024;

    // For a slow peer the kernel would gather megabytes of old telemetry. With this limit the excess waits in queues
    // that are counted.
    private static final long UNSENT_BYTES = 64 * 1024;
    // A peer that lost power stays silent. Since we send at least a heartbeat each second, unacknowledged bytes end the
    // connection after this time, so that the peer can connect again soon after its return.
    static final int CONNECTED_TIMEOUT_MS = 3000;
    // The kernel counts a peer that does not read as one that does not answer, however alive it is. A station that
    // pauses is not thrown out for some seconds: if it lost power, its next connection need not wait for the end of
    // this one.
    static final int ACCEPTED_TIMEOUT_MS = 10_000;

    private final NettyLink link;
    private final Channel channel;
    private final Owner owner;
    private final byte[] bytes;
    private String address = "";
    private String ending = "closed by the peer";
    private boolean up;
    private Peer.Rank rank = Peer.Rank.STRANGER;
    private long lastHeardNs;

    /** The link that made the connection. */
    interface Owner {
        /** The connection is open; returns false to refuse it. */
        boolean connected(TcpPeer peer);

        /** An accepted connection has ended. */
        void disconnected(TcpPeer peer, String reason);
    }

    /** @param bytes read buffer, shared by all connections of the link */
    TcpPeer(NettyLink link, Channel channel, Owner owner, byte[] bytes) {
        this.link = link;
        this.channel = channel;
        this.owner = owner;
        this.bytes = bytes;
        this.lastHeardNs = link.nowNs();
    }

    static byte[] newReadBuffer() {
        return new byte[READ_LENGTH];
    }

    /**
     * Sets the options of a new socket, before it connects or reads.
     *
     * @param timeoutMs how long sent bytes may remain unacknowledged
     */
    static void configure(Channel channel, NetworkIo io, int timeoutMs) {
        channel.config().setOption(ChannelOption.ALLOCATOR, LinkLoop.ALLOCATOR);
        channel.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_LENGTH));
        channel.config().setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, NettyLink.SEND_LIMIT);
        channel.config().setOption(ChannelOption.TCP_NODELAY, true);
        channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
        if (io == NetworkIo.EPOLL) {
            channel.config().setOption(EpollChannelOption.TCP_KEEPIDLE, 5);
            channel.config().setOption(EpollChannelOption.TCP_KEEPINTVL, 2);
            channel.config().setOption(EpollChannelOption.TCP_KEEPCNT, 3);
            channel.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, timeoutMs);
            channel.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES);
        }
    }

    /** Closes the connection without telling the owner. */
    void drop() {
        up = false;
        close();
    }

    void close() {
        var unused = channel.close();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        address = channel.remoteAddress() instanceof InetSocketAddress remote
                ? NetUtil.toSocketAddressString(remote)
                : link.report.status().endpoint();
        link.contained(() -> up = owner.connected(this)).run(); // calls its listener safely itself
        if (!up) {
            var unused = channel.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (up && message instanceof ByteBuf content) {
                take(content);
            }
        } catch (Throwable e) {
            link.counters.errors().contain(e); // internal; exceptionCaught would take it for the connection's
            var unused = channel.close();
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    /** Hot path. */
    private void take(ByteBuf content) {
        link.received(1 + content.readableBytes() / TYPICAL_FRAME_BYTES);
        long nowNs = link.nowNs();
        lastHeardNs = nowNs;
        while (content.isReadable()) {
            int length = Math.min(content.readableBytes(), bytes.length);
            content.readBytes(bytes, 0, length);
            link.counters.receivedBytes().add(length);
            link.guard.onBytes(this, bytes, length, nowNs);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!NettyLink.isOfSocket(cause)) {
            link.counters.errors().contain(cause);
        }
        ending = NettyLink.reason(cause);
        var unused = channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (up) {
            up = false;
            link.contained(() -> owner.disconnected(this, ending)).run();
        }
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public boolean isDatagram() {
        return false;
    }

    @Override
    public void rank(Peer.Rank value) {
        rank = value;
    }

    @Override
    public Peer.Rank rank() {
        return rank;
    }

    @Override
    public long lastHeardNs() {
        return lastHeardNs;
    }

    @Override
    public void send(byte[] buffer, int offset, int length) {
        if (link.isSendable(channel)) {
            link.write(channel, NettyLink.copy(buffer, offset, length), length);
        }
    }

    @Override
    public int room() {
        return link.hasSmallBacklog(channel) ? Integer.MAX_VALUE : 0;
    }

    @Override
    public String toString() {
        return address;
    }
}
