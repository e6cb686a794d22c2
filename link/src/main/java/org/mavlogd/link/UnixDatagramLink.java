package org.mavlogd.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.mavlogd.peer.Peer;

/**
 * A Unix datagram socket for other programs on this computer. No datagram is lost between a sender and this link: while
 * the kernel's queue is full, the sender waits or gets an error.
 *
 * <p>A sender that bound a path is a peer that can be answered. All others, including those with an abstract name,
 * which Netty does not report, together are one peer that cannot be answered.
 */
final class UnixDatagramLink extends NettyLink implements DatagramPort.Owner<DomainSocketAddress> {
    /** Longer datagrams are cut. */
    static final int MAX_DATAGRAM_LENGTH = 65_536;

    /** Longer answers are dropped. */
    static final int MAX_SEND_LENGTH = 4096;

    static final int MAX_PEERS = 64;

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long UNHURRIED_RETRY_MS = 1000;

    // Datagrams that the kernel holds for a socket, however short; its default of 10 does not last for any pause.
    private static final Path QUEUE_LENGTH = Path.of("/proc/sys/net/unix/max_dgram_qlen");
    private static final int LONG_QUEUE = 256;
    private static final int LONGEST_NUMBER = 32;
    // Unread answers count as unsent, and unsent bytes are limited for all receivers together. The kernel grants as
    // much as it allows, which is more than one full queue.
    private static final int UNREAD_BYTES = 4 << 20;

    private final UnixSocketFile file;
    private final DomainSocketAddress address;
    private final Map<String, UnixPeer> peers = new LinkedHashMap<>(16, 0.75f, true); // least recently heard first
    private final UnixPeer.Sender sender = this::sendTo;
    private final DatagramPort<DomainSocketAddress> socket =
            new DatagramPort<>(this, this, DomainSocketAddress.class, MAX_DATAGRAM_LENGTH);
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(MAX_SEND_LENGTH);
    private final boolean hasLongQueue = queueLength() >= LONG_QUEUE;
    private long lookedNs;
    private String advised = "";

    UnixDatagramLink(LinkSettings.UnixDatagram settings, NettyLink.Parts parts) {
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
            cannotOpen(String.valueOf(e.getMessage()));
            return;
        }
        socket.bind(
                socket.bootstrap()
                        .channelFactory(EpollDomainDatagramChannel::new)
                        .option(ChannelOption.SO_SNDBUF, UNREAD_BYTES),
                address,
                this::opened);
    }

    private void opened(Channel bound) {
        try {
            String advice = file.open();
            if (!advice.equals(advised) && !advice.isEmpty()) {
                report.advise(advice);
            }
            advised = advice;
        } catch (IOException e) {
            dropSocket(nowNs());
            cannotOpen("its permissions cannot be set: " + e.getMessage());
            return;
        }
        lookedNs = nowNs();
        report.up("nothing heard yet", 0, lookedNs);
    }

    /** Without the service its directory is missing permanently, and no vehicle waits: retries are rarer. */
    @Override
    long retryMs() {
        return UNHURRIED_RETRY_MS;
    }

    @Override
    public void cannotOpen(String reason) {
        retry("cannot listen on " + address.path() + ": " + reason + "; trying again");
    }

    /**
     * The kernel's queue length; 0 if unknown. Reads once: the kernel returns a number only to the first read, and
     * Java's own methods start with a single byte.
     */
    static int queueLength() {
        try (InputStream file = Files.newInputStream(QUEUE_LENGTH)) {
            return Integer.parseInt(new String(file.readNBytes(LONGEST_NUMBER), StandardCharsets.US_ASCII).strip());
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    @Override
    boolean hasRoomToGather() {
        return hasLongQueue;
    }

    /** Senders that find the queue full wait or get an error: nothing is lost. */
    @Override
    boolean hasRoomForMore() {
        return hasLongQueue;
    }

    @Override
    public Peer heard(DomainSocketAddress sender, long nowNs) {
        UnixPeer peer = peer(sender.path(), nowNs);
        peer.heard(nowNs);
        return peer;
    }

    @Override
    public void readFailed(Channel failed, String reason) {
        if (!isStopped()) {
            dropSocket(nowNs());
            retry("reading from " + address.path() + " failed: " + reason + ", opening it again");
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
     * Sends without Netty's queue of outgoing messages, in which one receiver that does not read would delay the
     * answers to all others. Sends only if the path is still the sender's socket: through a link in its place we would
     * write to sockets that only this process may write to.
     */
    private void sendTo(UnixPeer to, byte[] buffer, int offset, int length) {
        checkThread();
        boolean sent = false;
        if (to.isInPlace()
                && length <= MAX_SEND_LENGTH
                && socket.channel() instanceof EpollDomainDatagramChannel open
                && open.fd() instanceof Socket descriptor) {
            outgoing.clear().put(buffer, offset, length);
            try {
                sent = descriptor.sendToDomainSocket(outgoing, 0, length, to.pathBytes()) == length;
            } catch (IOException e) {
                // The peer has gone, or denies us writing.
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
        Channel open = socket.channel();
        if (open == null || nowNs - lookedNs < LOOK_NS) {
            return;
        }
        lookedNs = nowNs;
        forgetSilent(nowNs);
        if (open.isActive() && !file.isOurs()) {
            dropSocket(nowNs);
            retry("the socket " + address.path() + " was deleted or replaced; creating it again");
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
        if (socket.channel() != null) {
            file.remove();
            socket.drop();
        }
        for (UnixPeer peer : peers.values()) {
            guard.onPeerDown(peer, nowNs);
        }
        peers.clear();
    }
}
