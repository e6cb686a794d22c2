package org.mavlogd.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Unix datagram socket that other programs of this computer send to. Nothing gets lost between a sender and this link: when
 * the kernel's queue is full, the sender waits or is told.
 *
 * <p>A sender that bound a path is a peer that can be answered. All others, those with an abstract name among them, which Netty
 * does not tell, are one peer together that cannot.
 */
final class UnixDatagramLink extends NettyLink {
    /** Longer datagrams are cut. */
    static final int MAX_DATAGRAM_LENGTH = 65_536;

    /** Longer answers are dropped. */
    static final int MAX_SEND_LENGTH = 4096;

    static final int MAX_PEERS = 64;

    // One byte more than we deliver, so that a cut datagram is told from one that just fits.
    private static final int SLOT_LENGTH = MAX_DATAGRAM_LENGTH + 1;
    private static final int MAX_DATAGRAMS_PER_ROUND = 1024;
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    // The kernel holds so many datagrams for a socket, however short; its own default of 10 lasts for no pause at all.
    private static final Path QUEUE_LENGTH = Path.of("/proc/sys/net/unix/max_dgram_qlen");
    private static final int LONG_QUEUE = 256;

    private final UnixSocketFile file;
    private final DomainSocketAddress address;
    private final Map<String, UnixPeer> peers = new LinkedHashMap<>(16, 0.75f, true); // the longest silent first
    private final UnixPeer.Sender sender = this::sendTo;
    private final byte[] datagram = new byte[MAX_DATAGRAM_LENGTH];
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(MAX_SEND_LENGTH);
    private final boolean hasLongQueue = queueLength() >= LONG_QUEUE;
    private @Nullable EpollDomainDatagramChannel channel;
    private long lookedNs;
    private String advised = "";

    UnixDatagramLink(LinkSettings.UnixDatagram settings, LinkParts parts) {
        super(parts, "unix", settings.path());
        this.file = new UnixSocketFile(settings);
        this.address = new DomainSocketAddress(settings.path());
    }

    @Override
    void open() {
        if (io != NetworkIo.EPOLL) {
            report.trouble("Unix datagrams need Netty's epoll library, which does not load here", nowNs());
            return;
        }
        try {
            file.prepare();
        } catch (IOException e) {
            cannotListen(String.valueOf(e.getMessage()));
            return;
        }
        Bootstrap bootstrap = new Bootstrap()
                .group(eventLoop())
                .channelFactory(EpollDomainDatagramChannel::new)
                .handler(new Inbound())
                .option(ChannelOption.ALLOCATOR, LinkLoop.ALLOCATOR)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(SLOT_LENGTH).maxMessagesPerRead(MAX_DATAGRAMS_PER_ROUND));
        ChannelFuture opening = bootstrap.bind(address);
        channel = (EpollDomainDatagramChannel) opening.channel();
        opening.addListener(done -> guard.run(() -> opened(opening)));
    }

    private void opened(ChannelFuture opening) {
        if (isStopped()) {
            return;
        }
        if (!opening.isSuccess()) {
            channel = null;
            cannotListen(reason(opening.cause()));
            return;
        }
        try {
            String advice = file.open();
            if (!advice.equals(advised) && !advice.isEmpty()) {
                report.advise(advice);
            }
            advised = advice;
        } catch (IOException e) {
            dropSocket(nowNs());
            cannotListen("its permissions cannot be set: " + e.getMessage());
            return;
        }
        lookedNs = nowNs();
        report.up("nothing heard yet", 0, lookedNs);
    }

    private void cannotListen(String why) {
        retry("cannot listen on " + address.path() + ": " + why + "; trying again");
    }

    private static int queueLength() {
        try {
            return Integer.parseInt(
                    Files.readString(QUEUE_LENGTH, StandardCharsets.US_ASCII).strip());
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    @Override
    boolean hasRoomToGather() {
        return hasLongQueue;
    }

    /** Hot path. */
    private void take(DomainDatagramPacket packet) {
        received(1);
        long nowNs = nowNs();
        UnixPeer peer = peer(packet.sender().path(), nowNs);
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

    private UnixPeer peer(String path, long nowNs) {
        UnixPeer known = peers.get(path);
        if (known != null) {
            return known;
        }
        if (peers.size() == MAX_PEERS) {
            Iterator<UnixPeer> silentFirst = peers.values().iterator();
            UnixPeer silent = silentFirst.next();
            silentFirst.remove();
            counters.evicted().increment();
            guard.onPeerDown(silent, nowNs);
        }
        UnixPeer peer = new UnixPeer(path, sender, nowNs);
        peers.put(path, peer);
        report.up("", peers.size(), nowNs);
        guard.onPeerUp(peer, nowNs);
        return peer;
    }

    /**
     * Past Netty's queue of outgoing messages: one receiver that does not read would hold up the answers to all others there.
     */
    private void sendTo(byte[] path, byte[] buffer, int offset, int length) {
        if (!eventLoop().inEventLoop()) {
            throw new IllegalStateException("link \"" + name + "\": send from thread "
                    + Thread.currentThread().getName());
        }
        EpollDomainDatagramChannel open = channel;
        boolean sent = false;
        if (open != null && path.length > 0 && length <= MAX_SEND_LENGTH && open.fd() instanceof Socket socket) {
            outgoing.clear().put(buffer, offset, length);
            try {
                sent = socket.sendToDomainSocket(outgoing, 0, length, path) == length;
            } catch (IOException e) {
                // It went away, or does not let us write there.
            }
        }
        if (sent) {
            counters.sentBytes().add(length);
        } else {
            counters.droppedSends().increment();
        }
    }

    @Override
    void onTick(long nowNs) {
        if (channel == null || nowNs - lookedNs < LOOK_NS) {
            return;
        }
        lookedNs = nowNs;
        forgetSilent(nowNs);
        if (channel.isActive() && !file.isOurs()) {
            dropSocket(nowNs);
            retry("the socket " + address.path() + " was deleted or replaced; making it again");
        }
    }

    private void forgetSilent(long nowNs) {
        Iterator<UnixPeer> silentFirst = peers.values().iterator();
        boolean changed = false;
        while (silentFirst.hasNext()) {
            UnixPeer silent = silentFirst.next();
            if (!silent.isForgotten(nowNs)) {
                break;
            }
            silentFirst.remove();
            changed = true;
            guard.onPeerDown(silent, nowNs);
        }
        if (changed) {
            report.up("", peers.size(), nowNs);
        }
    }

    @Override
    void closeSockets(long nowNs) {
        dropSocket(nowNs);
    }

    private void dropSocket(long nowNs) {
        EpollDomainDatagramChannel socket = channel;
        channel = null;
        if (socket != null) {
            file.remove();
            var unused = socket.close();
        }
        for (UnixPeer peer : peers.values()) {
            guard.onPeerDown(peer, nowNs);
        }
        peers.clear();
    }

    private final class Inbound extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (context.channel() == channel && message instanceof DomainDatagramPacket packet) {
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
            } else if (context.channel() == channel && !isStopped()) {
                dropSocket(nowNs());
                retry("reading from " + address.path() + " failed: " + reason(cause) + ", opening it again");
            }
        }
    }
}
