package org.mavlogd.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AddressedEnvelope;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.UncheckedBooleanSupplier;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.Uncontainable;
import org.mavlogd.peer.Peer;

/**
 * The socket of a datagram link: bound, read, and replaced by a new one when it fails. Sharable because its sockets
 * follow one another. Owned by the link's thread.
 *
 * @param <A> the addresses of senders
 */
@Sharable
final class DatagramPort<A extends SocketAddress> extends ChannelInboundHandlerAdapter {
    /** Datagrams of one round, after which the thread attends to its other duties. */
    static final int MAX_DATAGRAMS_PER_ROUND = 1024;

    /** The link to which the socket belongs. */
    interface Owner<A> {
        void cannotOpen(String reason);

        /** The sender of a datagram; null if there is no room for another peer. Hot path. */
        @Nullable
        Peer heard(A sender, long nowNs);

        /** Called before a datagram of the current round is delivered. Hot path. */
        default void beforeDatagram(A sender, byte[] datagram, int length, long nowNs) {}

        /** Reading from the socket failed. */
        void readFailed(Channel socket, String reason);
    }

    private final NettyLink link;
    private final Owner<A> owner;
    private final Class<A> addresses;
    private final byte[] datagram;
    private @Nullable Channel channel;

    /** @param maxLength longer datagrams are cut */
    DatagramPort(NettyLink link, Owner<A> owner, Class<A> addresses, int maxLength) {
        this.link = link;
        this.owner = owner;
        this.addresses = addresses;
        this.datagram = new byte[maxLength];
    }

    /** Room for a datagram: one byte more than is delivered, to detect longer ones. */
    static int slotLength(int maxLength) {
        return maxLength + 1;
    }

    /** A bootstrap that reads one datagram at a time. */
    Bootstrap bootstrap() {
        return new Bootstrap()
                .group(link.eventLoop())
                .handler(this)
                .option(ChannelOption.ALLOCATOR, LinkLoop.ALLOCATOR)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new Allocator(slotLength(datagram.length), MAX_DATAGRAMS_PER_ROUND, link::nowNs));
    }

    /** @param opened called with the socket when it is bound */
    void bind(Bootstrap bootstrap, SocketAddress local, Consumer<Channel> opened) {
        ChannelFuture opening = bootstrap.bind(local);
        channel = opening.channel();
        link.whenOver(opening, () -> bound(opening, opened));
    }

    private void bound(ChannelFuture opening, Consumer<Channel> opened) {
        if (link.isStopped()) {
            return;
        }
        if (opening.isSuccess()) {
            opened.accept(opening.channel());
        } else {
            channel = null;
            owner.cannotOpen(NettyLink.reason(opening.cause()));
        }
    }

    /** The socket, bound or being bound; null if there is none. */
    @Nullable
    Channel channel() {
        return channel;
    }

    /** Closes the socket if there is one. */
    void drop() {
        Channel socket = channel;
        channel = null;
        if (socket != null) {
            var unused = socket.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (context.channel() == channel
                    && message instanceof AddressedEnvelope<?, ?> packet
                    && packet.content() instanceof ByteBuf content) {
                take(addresses.cast(packet.sender()), content);
            }
        } catch (Throwable e) {
            link.failed(e); // an internal error, which exceptionCaught would take for the socket's
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    /** Hot path. */
    private void take(A sender, ByteBuf content) {
        int length = content.readableBytes();
        content.getBytes(content.readerIndex(), datagram, 0, Math.min(length, datagram.length));
        long nowNs = link.nowNs();
        owner.beforeDatagram(sender, datagram, Math.min(length, datagram.length), nowNs);
        deliver(sender, datagram, length, nowNs);
    }

    /** Delivers a datagram, or the start of one that is too long. Hot path. */
    void deliver(A sender, byte[] bytes, int length, long nowNs) {
        link.received(1);
        Peer peer = owner.heard(sender, nowNs);
        if (peer == null || length == 0) {
            return;
        }
        int taken = Math.min(length, datagram.length);
        if (length > taken) {
            link.counters.cutDatagrams().increment();
        }
        link.counters.receivedDatagrams().increment();
        link.counters.receivedBytes().add(taken);
        link.guard.onBytes(peer, bytes, taken, nowNs);
    }

    /** Handles any exception that Netty throws while it reads, checked or unchecked: its native calls throw both. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (Uncontainable.is(cause)) {
            link.failed(cause);
        } else if (context.channel() != channel) {
            return; // further datagrams of a batch whose socket was dropped
        } else {
            if (!NettyLink.isOfSocket(cause)) {
                link.counters.errors().contain(cause);
            }
            // The next read may work: try one datagram at a time first, then a new socket.
            owner.readFailed(context.channel(), NettyLink.reason(cause));
        }
    }

    /**
     * Limits the time that a link's thread reads from one socket: ticks, tasks and other sockets wait no longer than
     * that and one datagram. Owned by the link's thread. Hot path.
     */
    static final class RoundBudget {
        static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(50);

        private final LongSupplier nowNs;
        private long beganNs;

        RoundBudget(LongSupplier nowNs) {
            this.nowNs = nowNs;
        }

        void begin() {
            beganNs = nowNs.getAsLong();
        }

        boolean isLeft() {
            return nowNs.getAsLong() - beganNs < ROUND_NS;
        }
    }

    /**
     * A buffer for one datagram at a time; ends a round of reading by number and by time. Owned by the link's thread.
     * Hot path.
     */
    static final class Allocator extends DefaultMaxMessagesRecvByteBufAllocator {
        private final int slotLength;
        private final LongSupplier nowNs;

        Allocator(int slotLength, int maxDatagramsPerRound, LongSupplier nowNs) {
            super(maxDatagramsPerRound);
            this.slotLength = slotLength;
            this.nowNs = nowNs;
        }

        @Override
        public MaxMessageHandle newHandle() {
            return new DatagramHandle();
        }

        private final class DatagramHandle extends MaxMessageHandle {
            private final RoundBudget budget = new RoundBudget(nowNs);

            @Override
            public int guess() {
                return slotLength;
            }

            @Override
            public void reset(ChannelConfig config) {
                super.reset(config);
                budget.begin();
            }

            @Override
            public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
                return budget.isLeft() && super.continueReading(maybeMoreData);
            }
        }
    }
}
